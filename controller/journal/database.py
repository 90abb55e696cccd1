"""How the file of a journal is connected to."""

import sqlite3
from pathlib import Path
from typing import Literal

Mode = Literal["ro", "rw", "rwc"]
_PATIENCE_S = 5.0  # for another process that is writing, as SQLite's own


def connect(
    path: Path, mode: Mode, *, patience_s: float = _PATIENCE_S, of_one_thread: bool = True
) -> sqlite3.Connection:
    """Connect to a file: to be read, written (`rw`), or made where there is none (`rwc`). Raises `sqlite3.Error`.

    What a power cut has left half done is put right only by one that may write.
    """
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=patience_s, check_same_thread=of_one_thread)


def primary_code(error: sqlite3.Error) -> int:
    """SQLite's primary result code: an extended one has it in the lowest byte."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
