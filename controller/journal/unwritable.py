"""Why an event could not be written, in words for the people at the box; the log has the file and SQLite's own name."""

import errno
import logging
import os
import sqlite3
from pathlib import Path

from controller.errors import JournalUnwritable
from controller.journal.database import primary_code

_log = logging.getLogger(__name__)

# What is wrong, and what to do.
_FULL = ("the disk is full", "make room on it")
_CLOSED = ("the disk can only be read", "a worn memory card does that: put in a new one")
_BROKEN = ("the disk does not take what is written", "see that the memory card sits well, or put in a new one")
_BUSY = ("another program writes the journal", "end it")
# By SQLite's primary result code, and by the number of the system's error.
_BY_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _CLOSED,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
}
_BY_NUMBER = {errno.ENOSPC: _FULL, errno.EDQUOT: _FULL, errno.EROFS: _CLOSED, errno.EACCES: _CLOSED}
_OF_THE_DISK = {*_BY_CODE, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}


def unwritable(path: Path, error: Exception) -> JournalUnwritable:
    """What is raised for an error while the journal at `path` is written, SQLite's or the system's; it is logged."""
    _log.error("journal %s cannot be written: %s", path, error)
    if isinstance(error, OSError):
        known = _BY_NUMBER.get(error.errno or 0)
    else:
        known = _BY_CODE.get(primary_code(error)) if isinstance(error, sqlite3.Error) else None
    return JournalUnwritable(*(known or _ask_disk(path.parent)))


def is_of_the_disk(error: sqlite3.Error) -> bool:
    """True if the disk refuses, and nothing is said of what stands in the file."""
    return primary_code(error) in _OF_THE_DISK


def _ask_disk(folder: Path) -> tuple[str, str]:
    """What is wrong by the disk's own word: SQLite calls most of it an error of the disk."""
    try:
        disk = os.statvfs(folder)
    except OSError:
        return _BROKEN
    if disk.f_flag & os.ST_RDONLY:
        return _CLOSED
    return _BROKEN if disk.f_bavail else _FULL
