"""Connect to the SQLite file of a journal, and explain errors in writing it."""

import sqlite3
from pathlib import Path
from typing import Literal

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
