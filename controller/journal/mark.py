"""The mark of the last event that was acknowledged, in a file of its own beside the journal.

SQLite takes a write-ahead log whose end it cannot read for a shorter one, without a word: by the mark it is noticed
that something is missing.
"""

import hashlib
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from hardware.calibration import sync

# Two places, written in turn and far apart: a cut in the middle of one leaves the other, which is one event older.
_PLACES = (0, 4096)
_SIZE = 128  # bytes of a place, less than any sector
_WORDS = 5
_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True)
class Mark:
    """An event that was acknowledged: its game, its number there, and a digest of the box and of the game after it."""

    game_id: int
    number: int
    digest: str

    @classmethod
    def of(cls, game_id: int, number: int, box: str, digest: str) -> Self:
        """The mark of an event; `digest` is that of the game after it, which on another box would be another game."""
        both = hashlib.blake2b(f"{box} {digest}".encode(), digest_size=_DIGEST_BYTES)
        return cls(game_id, number, both.hexdigest())

    def __str__(self) -> str:
        return f"{self.game_id}.{self.number}.{self.digest}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` has written. Raises `ValueError`."""
        game_id, number, digest = text.split(".")
        return cls(int(game_id), int(number), digest)


# Before the first event: a cut amid the first mark of one leaves this.
NOTHING = Mark(0, 0, "-")


class MarkFile:
    """Keeps the mark, in the same few bytes.

    Lifetime: as its journal. Concurrency: one thread at a time. Raises `OSError`.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or make it, for the group too."""
        is_new = not path.exists()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o660)
        try:
            # Room for both places now: a full disk keeps no mark from being written later.
            os.posix_fallocate(self._file, 0, _PLACES[-1] + _SIZE)
            if is_new:
                sync(path.parent)  # a mark whose name is lost with the power would tell of a loss that there is not
            found = _newest(os.pread(self._file, _PLACES[-1] + _SIZE, 0))
        except OSError:
            self.close()
            raise
        self._turn = 0 if found is None else found[0]

    @property
    def is_blank(self) -> bool:
        """True if no mark was ever written here, or none can be read."""
        return self._turn == 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def write(self, mark: Mark) -> None:
        """Put this mark in place of the last one; when this returns, it has reached the disk."""
        turn = self._turn + 1
        line = f"{turn} {mark.game_id} {mark.number} {mark.digest}"
        os.pwrite(self._file, f"{line} {_checksum(line)}\n".encode().ljust(_SIZE, b"\n"), _PLACES[turn % len(_PLACES)])
        os.fdatasync(self._file)
        self._turn = turn


def read_mark(path: Path) -> Mark | None:
    """The mark in a file; None where there is none, or none that can be read."""
    try:
        found = _newest(path.read_bytes())
    except OSError:
        return None
    return None if found is None else found[1]


def _newest(data: bytes) -> tuple[int, Mark] | None:
    """The turn in which the newest mark was written, and the mark."""
    found = [each for place in _PLACES if (each := _read(data[place : place + _SIZE])) is not None]
    return max(found, key=lambda each: each[0], default=None)


def _read(place: bytes) -> tuple[int, Mark] | None:
    words = place.decode("ascii", "replace").split()
    if len(words) != _WORDS or words[-1] != _checksum(" ".join(words[:-1])):
        return None
    turn, game_id, number, digest, _ = words
    # A sum of 32 bits fits a damaged line once in a while.
    if not (turn.isdecimal() and game_id.isdecimal() and number.isdecimal()):
        return None
    return int(turn), Mark(int(game_id), int(number), digest)


def _checksum(line: str) -> str:
    return f"{zlib.crc32(line.encode()):08x}"
