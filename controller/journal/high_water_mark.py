"""The high-water mark: the last event that was acknowledged, in a file of its own beside the journal.

SQLite silently treats a write-ahead log with an unreadable end as a shorter log; the mark shows that events are
missing.
"""

import hashlib
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from hardware.calibration import sync
from hardware.toml_file import read_plain

# Two slots, far apart and written in turn: a cut in the middle of a write leaves the other, which is one event older.
_PLACES = (0, 4096)
_SIZE = 128  # bytes of a slot, less than any sector
_WORDS = 5
_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True)
class HighWaterMark:
    """An acknowledged event: its game, its number in the game, and a digest of the box and the game after it."""

    game_id: int
    number: int
    digest: str

    @classmethod
    def of(cls, game_id: int, number: int, box: str, digest: str) -> Self:
        """Return the mark of an event. digest: of the game after it; on another box it would be a different game."""
        both = hashlib.blake2b(f"{box} {digest}".encode(), digest_size=_DIGEST_BYTES)
        return cls(game_id, number, both.hexdigest())

    def __str__(self) -> str:
        return f"{self.game_id}.{self.number}.{self.digest}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the text form that `str` makes. Raises `ValueError`."""
        game_id, number, digest = text.split(".")
        return cls(int(game_id), int(number), digest)


# Written before the first event, so a cut during the first real mark leaves this one.
BEFORE_FIRST_EVENT = HighWaterMark(0, 0, "-")


class HighWaterMarkFile:
    """The file of the mark, rewritten in place.

    Lifetime: as its journal. Concurrency: one thread at a time. Raises `OSError`.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or create it group-writable."""
        is_new = not path.exists()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o660)
        try:
            # Allocate both slots now, so that a full disk never prevents a later mark.
            os.posix_fallocate(self._file, 0, _PLACES[-1] + _SIZE)
            if is_new:
                sync(path.parent)  # a mark whose directory entry is lost with the power would report a false loss
            found = _newest(os.pread(self._file, _PLACES[-1] + _SIZE, 0))
        except OSError:
            self.close()
            raise
        self._turn = 0 if found is None else found[0]

    @property
    def is_blank(self) -> bool:
        """True if no mark was ever written, or none can be read."""
        return self._turn == 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        os.close(self._file)

    def write(self, mark: HighWaterMark) -> None:
        """Replace the last mark; on return the new one is on the disk."""
        turn = self._turn + 1
        line = f"{turn} {mark.game_id} {mark.number} {mark.digest}"
        os.pwrite(self._file, f"{line} {_checksum(line)}\n".encode().ljust(_SIZE, b"\n"), _PLACES[turn % len(_PLACES)])
        os.fdatasync(self._file)
        self._turn = turn


def read_high_water_mark(path: Path) -> HighWaterMark | None:
    """Return the mark in a file; None if there is none that can be read."""
    try:
        found = _newest(read_plain(path))
    except OSError:
        return None
    return None if found is None else found[1]


def _newest(data: bytes) -> tuple[int, HighWaterMark] | None:
    """Return the newest mark, with the turn in which it was written; None if no slot can be read."""
    found = []
    for place in _PLACES:
        words = data[place : place + _SIZE].decode("ascii", "replace").split()
        if len(words) != _WORDS or words[-1] != _checksum(" ".join(words[:-1])):
            continue
        turn, game_id, number, digest, _ = words
        # A 32-bit checksum matches a damaged line once in a while.
        if turn.isdecimal() and game_id.isdecimal() and number.isdecimal():
            found.append((int(turn), HighWaterMark(int(game_id), int(number), digest)))
    return max(found, key=lambda each: each[0], default=None)


def _checksum(line: str) -> str:
    return f"{zlib.crc32(line.encode()):08x}"
