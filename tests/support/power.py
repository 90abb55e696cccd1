"""A power cut at a chosen change of the file system: whatever a process would do after it does not happen."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_CHANGES = {
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.symlink",
    "os.link",
    "os.chmod",
    "os.chown",
    "os.truncate",
    "sqlite3.connect",
}


class PowerCut(BaseException):
    """The process is gone; nothing that catches errors catches this, and nothing that cleans up can."""


class Power:
    """The power of one process: it is cut just before the change with the number `cut_at`; None: never.

    `changes` counts those that happened. What was being written last is torn in half by `tear`: the disk had not all
    of it yet. Nothing can be torn that has another name by then: what is renamed was synced before.
    """

    _switched_on: "Power | None" = None
    _is_hooked = False

    def __init__(self, cut_at: int | None = None) -> None:
        self.changes = 0
        self.is_off = False
        self.cut_at = cut_at
        self._written: Path | None = None

    @contextmanager
    def on(self) -> Iterator[None]:
        """Count, and cut, the changes made in the block; a cut ends the block, and nothing more."""
        if not Power._is_hooked:
            sys.addaudithook(_note)
            Power._is_hooked = True
        Power._switched_on, sys.dont_write_bytecode = self, True
        try:
            yield
        except PowerCut:
            assert self.is_off
        finally:
            Power._switched_on, sys.dont_write_bytecode = None, False

    def draw(self) -> None:
        """Something happens that needs power."""
        if self.is_off or self.changes == self.cut_at:
            self.is_off = True
            raise PowerCut
        self.changes += 1

    def tear(self) -> bool:
        """Leave the first half of the file that was written last; False if there is nothing to tear."""
        if self._written is None or not self._written.is_file():
            return False
        os.truncate(self._written, self._written.stat().st_size // 2)
        return True

    def note(self, event: str, args: tuple[Any, ...]) -> None:
        """Take an audit event: changes of the file system draw power."""
        is_written = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
        if is_written or event in _CHANGES:
            self.draw()
        if is_written and isinstance(args[0], str):
            self._written = Path(args[0])


class FullDisk(Power):
    """No power is cut, but from the change with that number on the disk has no room for anything new."""

    def draw(self) -> None:
        """What needs power has it."""
        self.changes += 1

    def note(self, event: str, args: tuple[Any, ...]) -> None:
        """Take an audit event: there is room to remove and to rename. Raises `OSError` for what is new."""
        super().note(event, args)
        is_made = event == "open" and isinstance(args[2], int) and args[2] & (os.O_CREAT | os.O_TRUNC)
        if (is_made or event in ("os.mkdir", "os.symlink")) and self.changes > (self.cut_at or 0):
            self.is_off = True
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(args[0]))


def _note(event: str, args: tuple[Any, ...]) -> None:
    if Power._switched_on is not None:
        Power._switched_on.note(event, args)
