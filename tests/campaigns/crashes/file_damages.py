"""What can befall a file of the journal: every damage of it, by a name.

A damage that needs more than the file itself (an older copy, the file of another box) takes it from folders with a file
of the same name.
"""

import os
import random
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

_WAL_HEADER, _FRAME_HEADER = 32, 24
_NOISE = random.Random(1).randbytes(3000)

# The fields of a database's first page, and of a WAL, by their offsets: sqlite.org/fileformat2.html.
_JOURNAL_FIELDS = {
    "magic": 0,
    "page size": 16,
    "write version": 18,
    "change counter": 27,
    "number of pages": 31,
    "schema cookie": 43,
    "text encoding": 59,
    "user version": 63,
    "first page's kind": 100,
    "first page's cells": 104,
}
_WAL_FIELDS = {
    "magic": 3,
    "version": 7,
    "page size": 10,
    "salt": 16,
    "checksum": 24,
    "first frame's page": _WAL_HEADER + 3,
    "first frame's salt": _WAL_HEADER + 8,
    "first frame's checksum": _WAL_HEADER + 16,
    "first frame": _WAL_HEADER + _FRAME_HEADER + 200,
}


@dataclass(frozen=True, slots=True)
class Damage:
    """Something that befalls a home: `befall` does it to the folder."""

    name: str
    befall: Callable[[Path], object]


def damages_of_journal(file: Path) -> Iterator[Damage]:
    """What can befall this database file alone, by itself."""
    size, page = file.stat().st_size, _number_at(file, 16, 2)
    fields = {**_JOURNAL_FIELDS, "schema": page - 20}
    for number in range(2, size // page + 1):
        fields |= {f"head of page {number}": (number - 1) * page, f"end of page {number}": number * page - 8}
    yield from _flips(file.name, fields)
    yield from _cuts(file.name, (1, 16, 100, page // 2, page, size // 2, size - page, size - 1))
    yield from _replaced(file.name)


def damages_of_wal(file: Path) -> Iterator[Damage]:
    """What can befall this write-ahead log alone, by itself; nothing where it holds no commit."""
    size = file.stat().st_size if file.exists() else 0
    if size <= _WAL_HEADER:
        return
    frame = _FRAME_HEADER + _number_at(file, 8, 4)
    last = _WAL_HEADER + (size - _WAL_HEADER) // frame * frame - frame
    in_last = {"last frame's page": last + 3, "last frame's checksum": last + 16, "last frame": last + frame - 100}
    yield from _flips(file.name, {**_WAL_FIELDS, **in_last})
    sizes = (1, _WAL_HEADER - 1, _WAL_HEADER, _WAL_HEADER + _FRAME_HEADER, last, last + 512, size // 2, size - 1)
    yield from _cuts(file.name, sizes)
    yield from _replaced(file.name)


def damages_of_other(name: str, size: int) -> Iterator[Damage]:
    """What can befall any file of this name and size that belongs to the journal."""
    if size:
        yield from _flips(name, {"first byte": 0, "middle": size // 2, "last byte": size - 1})
        yield from _cuts(name, (1, size // 2, size - 1))
    yield from _replaced(name)


def from_copy(source: Path, name: str, home: Path) -> None:
    """Put the file of that name in another folder in place of that in the home; it goes where there is none."""
    (home / name).unlink(missing_ok=True)
    if (source / name).exists():
        shutil.copy2(source / name, home / name)


def remove(name: str, home: Path) -> None:
    """Remove a file."""
    (home / name).unlink(missing_ok=True)


def cut_short(name: str, size: int, home: Path) -> None:
    """Cut a file short to so many bytes."""
    os.truncate(home / name, size)


def flip(name: str, offset: int, home: Path) -> None:
    """Turn all bits of one byte."""
    with open(home / name, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)
        file.seek(offset)
        file.write(bytes(each ^ 0xFF for each in byte))


def _number_at(file: Path, offset: int, size: int) -> int:
    """A number in a file of SQLite's."""
    return int.from_bytes(file.read_bytes()[offset : offset + size])


def _flips(name: str, fields: dict[str, int]) -> Iterator[Damage]:
    for field, offset in fields.items():
        yield Damage(f"{name}: byte flipped ({field})", partial(flip, name, offset))


def _cuts(name: str, sizes: Sequence[int]) -> Iterator[Damage]:
    for size in sorted(set(sizes)):
        yield Damage(f"{name}: cut to {size} bytes", partial(cut_short, name, size))


def _replaced(name: str) -> Iterator[Damage]:
    """The damages that every file can suffer, whatever is in it."""

    def put(data: bytes, home: Path) -> None:
        (home / name).write_bytes(data)

    def put_same_size(byte: bytes, home: Path) -> None:
        put(byte * (home / name).stat().st_size, home)

    def append(data: bytes, home: Path) -> None:
        put((home / name).read_bytes() + data, home)

    def put_folder(home: Path) -> None:
        (home / name).unlink(missing_ok=True)
        (home / name).mkdir()

    def put_link(home: Path) -> None:
        (home / name).unlink(missing_ok=True)
        (home / name).symlink_to(home / "gone")

    yield Damage(f"{name}: emptied", partial(put, b""))
    yield Damage(f"{name}: removed", partial(remove, name))
    yield Damage(f"{name}: zeros in its place", partial(put_same_size, b"\0"))
    yield Damage(f"{name}: noise in its place", partial(put, _NOISE))
    yield Damage(f"{name}: a text in its place", partial(put, b"Shopping: milk, bread, two dice.\n"))
    yield Damage(f"{name}: noise behind it", partial(append, _NOISE))
    yield Damage(f"{name}: zeros behind it", partial(append, bytes(4096)))
    yield Damage(f"{name}: a folder in its place", put_folder)
    yield Damage(f"{name}: a link to nothing in its place", put_link)
    yield Damage(f"{name}: read-only", lambda home: (home / name).chmod(0o400))
    yield Damage(f"{name}: closed, as another's file", lambda home: (home / name).chmod(0))
