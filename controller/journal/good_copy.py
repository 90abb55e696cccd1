"""The good copy: every game that is over, in a file of its own that is open for moments only."""

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from controller.journal.database import primary_code
from controller.journal.packing import pack_old_games
from controller.journal.tables import FORMAT
from hardware.calibration import sync

_log = logging.getLogger(__name__)

_SPOILT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)  # the last: tables of another version
_LAST = "SELECT game, number, digest FROM good.event ORDER BY game DESC, number DESC LIMIT 1"
_ADD_GAMES = "INSERT OR IGNORE INTO good.game SELECT * FROM main.game"
# The last game of the copy again, and the one that is over: each may have been taken up after it was copied.
_ADD_EVENTS = (
    "INSERT OR IGNORE INTO good.event SELECT * FROM main.event"
    " WHERE game >= (SELECT coalesce(max(game), 0) FROM good.event) OR game = ?"
)


def add_games(db: sqlite3.Connection, copy: Path, game_id: int) -> None:
    """Add the games that the copy has not, and what it lacks of this one, which is over.

    It is made anew where there is none, none that can be read, or one of another journal. Raises `sqlite3.Error` or
    `OSError`; then the copy is as it was.
    """
    if not copy.exists() or not _add(db, copy, game_id):
        copy_whole(db, copy)


def _add(db: sqlite3.Connection, copy: Path, game_id: int) -> bool:
    """Add to a copy; False if it is none of this journal. Raises `sqlite3.Error`."""
    try:
        db.execute("ATTACH ? AS good", (str(copy),))
        try:
            if not _is_of(db):
                _log.warning("the good copy %s is of another journal, and is made anew", copy)
                return False
            with db:
                db.execute(_ADD_GAMES)
                db.execute(_ADD_EVENTS, (game_id,))
            pack_old_games(db, "good")
        finally:
            db.execute("DETACH good")
    except sqlite3.Error as error:
        if primary_code(error) not in _SPOILT:
            raise
        _log.warning("the good copy %s cannot be read, and is made anew: %s", copy, error)
        return False
    return True


def _is_of(db: sqlite3.Connection) -> bool:
    """True if the copy is of today's format, and its last event stands in the journal too."""
    if db.execute("PRAGMA good.user_version").fetchone() != (FORMAT,):
        return False
    last = db.execute(_LAST).fetchone()
    sql = "SELECT 1 FROM main.event WHERE game = ? AND number = ? AND digest = ?"
    return last is None or db.execute(sql, last).fetchone() is not None


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
