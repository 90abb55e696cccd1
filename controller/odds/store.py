"""Tables of values as files: a header that says what is in it, then little-endian float64.

A file appears whole or not at all: it is written under another name, then renamed. Whatever is not exactly what
was asked for counts as damaged.
"""

import hashlib
import json
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_FORMAT = "shutbox odds 1"
_HEADER_BYTES = 4096  # a page, so that the numbers behind it are aligned
_NUMBER = np.dtype("<f8")
_REMAINS_AFTER_S = 3600.0


class DamagedTable(Exception):
    """A file that is not the table that was asked for; the message says in what."""


def path_of(folder: Path, key: str) -> Path:
    """The file of the table of `key` in `folder`."""
    return folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.odds"


def load(path: Path, key: str, size: int) -> NDArray[np.float64]:
    """The table in a file, shape (size,), read from disk as it is used; the whole is checked first.

    Raises `FileNotFoundError`, `OSError`, and `DamagedTable` where it holds anything else.
    """
    header = _header_of(path)
    if (header.get("format"), header.get("key"), header.get("boards")) != (_FORMAT, key, size):
        raise DamagedTable("it holds something else")
    if path.stat().st_size != _HEADER_BYTES + size * _NUMBER.itemsize:
        raise DamagedTable("its length is wrong")
    values = np.memmap(path, _NUMBER, "r", _HEADER_BYTES, (size,))
    if hashlib.sha256(values.data).hexdigest() != header.get("sha256"):
        raise DamagedTable("its checksum is wrong")
    with suppress(OSError):
        os.utime(path)  # used just now: `make_room` removes others first
    return values


def save(path: Path, key: str, values: NDArray[np.float64]) -> None:
    """Write a table, under its name only once it is whole. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_remains(path)
    data = values.astype(_NUMBER, copy=False)
    header = {"format": _FORMAT, "key": key, "boards": len(data), "sha256": hashlib.sha256(data.data).hexdigest()}
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(handle, 0o660)  # made for its maker alone; the folder says who else gets at it
            file.write(json.dumps(header).encode().ljust(_HEADER_BYTES))
            file.write(data.data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def make_room(folder: Path, most_bytes: int, keep: Path) -> None:
    """Remove the tables unused for longest until the rest, with `keep` among them, take at most `most_bytes`."""
    with suppress(OSError):
        files = sorted(folder.glob("*.odds"), key=lambda path: (path == keep, path.stat().st_mtime), reverse=True)
        taken = 0
        for path in files:
            taken += path.stat().st_size
            if taken > most_bytes and path != keep:
                path.unlink()


def _remove_remains(path: Path) -> None:
    """Remove what writers that were killed have left of this table, once it is too old to be at work."""
    for part in path.parent.glob(f"{path.stem}-*.part"):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > _REMAINS_AFTER_S:
                part.unlink()


def _header_of(path: Path) -> dict[str, object]:
    with path.open("rb") as file:
        text = file.read(_HEADER_BYTES)
    try:
        header = json.loads(text)
    except ValueError as error:
        raise DamagedTable("it has no header") from error
    return header if isinstance(header, dict) else {}
