"""The headers of a tar that this program wrote: plain files, and nothing else that an archive can hold.

A tar that comes from outside is read as if a stranger had made it. Links, folders, devices, and the extensions by which
a header can be followed by a name or a size as long as its author likes, are refused before any library acts on them.
"""

import tarfile
from io import SEEK_CUR
from typing import BinaryIO, Protocol

MOST_NAME = 200  # characters of a name


class Readable(Protocol):
    """A file of bytes, open for reading."""

    def read(self, size: int, /) -> bytes: ...


class NoPlainFile(ValueError):
    """A member that is something else than a plain file. name: as the archive has it, which may be anything."""

    def __init__(self, name: str) -> None:
        super().__init__(f"it holds {shown(name)}, which is no plain file")


def parse_header(block: bytes) -> tarfile.TarInfo:
    """Parse the header of a member, whose size can be negative: read(-1) would read everything.

    Raises `NoPlainFile`, `tarfile.HeaderError` or `ValueError`.
    """
    header = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
    if header.type != tarfile.REGTYPE:
        raise NoPlainFile(header.name)
    return header


def walk(file: BinaryIO) -> None:
    """Read the header of every member, and return to the start.

    A name of over 100 characters stands before its header, as GNU has it; no longer one than `MOST_NAME`. Raises
    `NoPlainFile`, `tarfile.HeaderError`, `ValueError` or `EOFError` for anything but plain files that are all there.
    """
    while any(block := exactly(file, tarfile.BLOCKSIZE)):
        header = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
        if header.type == tarfile.GNUTYPE_LONGNAME and 0 < header.size <= MOST_NAME + 1:
            exactly(file, tarfile.BLOCKSIZE)
            block = exactly(file, tarfile.BLOCKSIZE)
        size = parse_header(block).size
        if size < 0:
            raise ValueError("a file with less than nothing in it")
        if size:
            file.seek(size - 1, SEEK_CUR)
            exactly(file, 1 + -size % tarfile.BLOCKSIZE)
    file.seek(0)


def exactly(file: Readable, size: int) -> bytes:
    """Read that many bytes. Raises `EOFError` if there are fewer."""
    data = file.read(size)
    if len(data) < size:
        raise EOFError("it ends too early")
    return data


def shown(name: str) -> str:
    """Quote an untrusted name, so that it cannot control a terminal."""
    return repr(name[:80])
