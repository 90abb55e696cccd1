"""A memory card in memory: its files as a running process sees them, and all that was done to them, in order."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

PAGE = 4096  # bytes that a page cache gives to a card together


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes that were written to the file with this number, at an offset, within one page."""

    file: int
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Resize:
    """A file was cut short, or made longer by zeros, to `size` bytes."""

    file: int
    size: int


@dataclass(frozen=True, slots=True)
class Sync:
    """A file was synced."""

    file: int


@dataclass(frozen=True, slots=True)
class Rename:
    """Names stand for other files from now on, all of them at once; None: for none any more."""

    names: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class SyncNames:
    """The folder was synced."""


Deed = Write | Resize | Sync | Rename | SyncNames


class Files:
    """Files by their numbers, and the names that stand for them; one without a name lives on for who has it open."""

    def __init__(self) -> None:
        self._contents: dict[int, bytearray] = {}
        self.names: dict[str, int] = {}

    def contents(self, file: int) -> bytearray:
        """The bytes of a file; none yet where nothing was done to it."""
        return self._contents.setdefault(file, bytearray())

    def apply(self, deed: Deed) -> None:
        """Do what was done."""
        match deed:
            case Write(file, offset, data):
                contents = self.contents(file)
                contents.extend(bytes(max(0, offset - len(contents))))
                contents[offset : offset + len(data)] = data
            case Resize(file, size):
                contents = self.contents(file)
                contents.extend(bytes(max(0, size - len(contents))))
                del contents[size:]
            case Rename(names):
                for name, named in names.items():
                    if named is None:
                        self.names.pop(name, None)
                    else:
                        self.names[name] = named


class Card:
    """The card as a running process sees it; `log` is all that was done to it, oldest first.

    Concurrency: one caller at a time.
    """

    def __init__(self) -> None:
        self.log: list[Deed] = []
        self._files = Files()
        self._made = 0

    @property
    def names(self) -> Mapping[str, int]:
        """The numbers of all files that have a name."""
        return self._files.names

    def make(self, name: str) -> int:
        """Make an empty file, in place of the one that has this name; its number, from 1."""
        self._made += 1
        self._do(Rename({name: self._made}))
        return self._made

    def rename(self, old: str, new: str) -> None:
        """Give a file another name, in place of the one that has it. Raises `KeyError` where there is no such file."""
        self._do(Rename({old: None, new: self.names[old]}))

    def remove(self, name: str) -> None:
        """Take a name away."""
        self._do(Rename({name: None}))

    def size(self, file: int) -> int:
        """The length of a file in bytes."""
        return len(self._files.contents(file))

    def read(self, file: int, offset: int, size: int) -> bytes:
        """Up to `size` bytes of a file."""
        return bytes(self._files.contents(file)[offset : offset + size])

    def write(self, file: int, offset: int, data: bytes) -> None:
        """Write bytes to a file."""
        for deed in _pages(file, offset, data):
            self._do(deed)

    def resize(self, file: int, size: int) -> None:
        """Cut a file short, or make it longer by zeros."""
        self._do(Resize(file, size))

    def sync(self, file: int) -> None:
        """Let a file reach the card."""
        self._do(Sync(file))

    def sync_names(self) -> None:
        """Let all names reach the card."""
        self._do(SyncNames())

    def _do(self, deed: Deed) -> None:
        self.log.append(deed)
        self._files.apply(deed)


def _pages(file: int, offset: int, data: bytes) -> Iterator[Write]:
    """A write as its parts in each page."""
    while data:
        fits = PAGE - offset % PAGE
        yield Write(file, offset, data[:fits])
        offset, data = offset + fits, data[fits:]


def named_files(deeds: Sequence[Deed]) -> dict[str, bytes]:
    """The files that come of these deeds, by their names."""
    files = Files()
    for deed in deeds:
        files.apply(deed)
    return {name: bytes(files.contents(file)) for name, file in files.names.items()}
