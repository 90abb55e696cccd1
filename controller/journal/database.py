"""Connect to the SQLite file of a journal, and explain errors in writing it."""

import errno
import logging
import os
import sqlite3
from pathlib import Path
from typing import Literal

from controller.errors import JournalUnwritable
from controller.journal.files import files_of
from controller.runtime.locks import find_closed

Mode = Literal["ro", "rw", "rwc"]
_PATIENCE_S = 5.0  # wait for another process that is writing; SQLite's own default


def connect(
    path: Path, mode: Mode, *, patience_s: float = _PATIENCE_S, of_one_thread: bool = True
) -> sqlite3.Connection:
    """Connect to a file for reading (`ro`), writing (`rw`), or writing with creation (`rwc`). Raises `sqlite3.Error`.

    Only a writable connection rolls back what a power cut left half done.
    """
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=patience_s, check_same_thread=of_one_thread)


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code, which is the lowest byte of an extended one."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


_log = logging.getLogger(__name__)

# The cause, and the cure.
_FULL = ("the disk is full", "make room on it")
_CLOSED = ("the disk can only be read", "a worn memory card does that: put in a new one")
_BROKEN = ("the disk does not take what is written", "see that the memory card sits well, or put in a new one")
_BUSY = ("another program writes the journal", "end it")
# By SQLite's primary result code, and by the system's errno.
_BY_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _CLOSED,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
}
_BY_NUMBER = {errno.ENOSPC: _FULL, errno.EDQUOT: _FULL, errno.EROFS: _CLOSED}
_OF_THE_DISK = {*_BY_CODE, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}


def unwritable_error(path: Path, error: Exception) -> JournalUnwritable:
    """Log an error of SQLite or the system in writing the journal at `path`; return the exception to raise."""
    _log.error("journal cannot be written path=%s error=%s", path, error)
    closed = find_closed(path.parent, files_of(path))
    if closed is not None:
        cause = f"{closed.path} is {closed.owner}'s and closed to {closed.user}"
        return JournalUnwritable(cause, closed.cure, (closed.path.name, closed.owner))
    if isinstance(error, OSError):
        known = _BY_NUMBER.get(error.errno or 0)
    else:
        known = _BY_CODE.get(primary_code(error)) if isinstance(error, sqlite3.Error) else None
    if known is None:
        # SQLite reports most causes as a general I/O error, so look at the disk itself.
        try:
            disk = os.statvfs(path.parent)
        except OSError:
            known = _BROKEN
        else:
            known = _CLOSED if disk.f_flag & os.ST_RDONLY else _BROKEN if disk.f_bavail else _FULL
    return JournalUnwritable(*known)


def is_disk_error(error: sqlite3.Error) -> bool:
    """Return True if the disk refused the operation, so that the error says nothing about the file's contents."""
    return primary_code(error) in _OF_THE_DISK
