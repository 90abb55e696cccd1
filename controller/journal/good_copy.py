"""The good copy: every game that is over, in a file that is open for moments only, so that no power cut meets it."""

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from controller.journal.packing import pack_old_games
from hardware.calibration import sync

_log = logging.getLogger(__name__)

_PRIMARY = 0xFF  # an extended result code has its primary one in the lowest byte
_SPOILT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)  # the last: tables of another version
_ADD_GAMES = "INSERT OR IGNORE INTO good.game SELECT * FROM game"
# The last game of the copy again: it may have been taken up after it was copied.
_ADD_EVENTS = (
    "INSERT OR IGNORE INTO good.event SELECT * FROM event WHERE game >= (SELECT coalesce(max(game), 0) FROM good.event)"
)


def add_games(db: sqlite3.Connection, copy: Path) -> None:
    """Add the games that the copy has not; make it where there is none, or none that can be read.

    Raises `sqlite3.Error` or `OSError`; then the copy is as it was.
    """
    if copy.exists():
        try:
            _add(db, copy)
        except sqlite3.Error as error:
            if error.sqlite_errorcode & _PRIMARY not in _SPOILT:
                raise
            _log.warning("the good copy %s cannot be read, and is made anew: %s", copy, error)
        else:
            return
    copy_whole(db, copy)


def _add(db: sqlite3.Connection, copy: Path) -> None:
    db.execute("ATTACH ? AS good", (str(copy),))
    try:
        with db:
            db.execute(_ADD_GAMES)
            db.execute(_ADD_EVENTS)
        pack_old_games(db, "good")
    finally:
        db.execute("DETACH good")


def copy_whole(db: sqlite3.Connection, copy: Path) -> None:
    """Copy a whole journal into a file that is there when it is complete. Raises `sqlite3.Error` or `OSError`."""
    fresh = copy.with_name(f".{copy.name}.new")
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_CREAT | os.O_WRONLY, 0o660))  # for the group too: SQLite's own never is
    with closing(sqlite3.connect(fresh)) as target:
        db.backup(target)
        # At rest it is one file: no log stands beside it.
        target.execute("PRAGMA journal_mode = DELETE")
    os.replace(fresh, copy)
    sync(copy.parent)
