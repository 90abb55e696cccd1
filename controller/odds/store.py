"""Tables of values as files: a header that describes the content, then little-endian float64."""

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
    """A file that is not exactly the requested table; the message says what is wrong with it."""


def table_path(folder: Path, key: str) -> Path:
    """Return the path of the table of `key` in `folder`."""
    return folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.odds"


def load_table(path: Path, key: str, size: int) -> NDArray[np.float64]:
    """Return the table in a file, shape (size,), memory-mapped after a check of the whole file.

    Raises `FileNotFoundError`, `OSError`, and `DamagedTable` if it holds anything else.
    """
    with path.open("rb") as file:
        text = file.read(_HEADER_BYTES)
    try:
        found = json.loads(text)
    except ValueError as error:
        raise DamagedTable("it has no header") from error
    header = found if isinstance(found, dict) else {}
    if (header.get("format"), header.get("key"), header.get("boards")) != (_FORMAT, key, size):
        raise DamagedTable("it holds something else")
    if path.stat().st_size != _HEADER_BYTES + size * _NUMBER.itemsize:
        raise DamagedTable("its length is wrong")
    values = np.memmap(path, _NUMBER, "r", _HEADER_BYTES, (size,))
    if hashlib.sha256(values.data).hexdigest() != header.get("sha256"):
        raise DamagedTable("its checksum is wrong")
    with suppress(OSError):
        os.utime(path)  # marks it as used, so that `make_room` removes others first
    return values


def save_table(path: Path, key: str, values: NDArray[np.float64]) -> None:
    """Write a table. Raises `OSError`.

    The file appears complete or not at all: it is written under another name, then renamed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for part in path.parent.glob(f"{path.stem}-*.part"):
        # A remainder of a writer that was killed, once it is too old to be in progress.
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > _REMAINS_AFTER_S:
                part.unlink()
    data = values.astype(_NUMBER, copy=False)
    header = {"format": _FORMAT, "key": key, "boards": len(data), "sha256": hashlib.sha256(data.data).hexdigest()}
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.stem}-", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(handle, 0o660)  # mkstemp allows only the owner; the folder decides who else has access
            file.write(json.dumps(header).encode().ljust(_HEADER_BYTES))
            file.write(data.data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def make_room(folder: Path, most_bytes: int, keep: Path) -> None:
    """Remove the tables unused for longest until the rest, including `keep`, take at most `most_bytes`."""
    with suppress(OSError):
        files = sorted(folder.glob("*.odds"), key=lambda path: (path == keep, path.stat().st_mtime), reverse=True)
        taken = 0
        for path in files:
            taken += path.stat().st_size
            if taken > most_bytes and path != keep:
                path.unlink()
