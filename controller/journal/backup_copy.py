"""The backup copy: all finished games in a file of their own, which is open only for moments."""

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path

from controller.journal.database import primary_code
from controller.journal.tables import FORMAT, pack_old_games
from hardware.calibration import sync

_log = logging.getLogger(__name__)

# Errors of a copy that is damaged. SQLITE_ERROR: it has the tables of another version.
_SPOILT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
_LAST = "SELECT game, number, digest FROM good.event ORDER BY game DESC, number DESC LIMIT 1"
_ADD_GAMES = "INSERT OR IGNORE INTO good.game SELECT * FROM main.game"
# Includes the copy's last game and the finished one: either may have been resumed after it was copied.
_ADD_EVENTS = (
    "INSERT OR IGNORE INTO good.event SELECT * FROM main.event"
    " WHERE game >= (SELECT coalesce(max(game), 0) FROM good.event) OR game = ?"
)


def add_games(db: sqlite3.Connection, copy: Path, game_id: int) -> None:
    """Add the games that the copy lacks, and the missing events of `game_id`, which is finished.

    The copy is written anew if it is missing, cannot be read, or belongs to another journal. Raises `sqlite3.Error`
    or `OSError`; the copy is then unchanged.
    """
    if copy.exists():
        try:
            db.execute("ATTACH ? AS good", (str(copy),))
            try:
                if _is_copy_of_this(db):
                    with db:
                        db.execute(_ADD_GAMES)
                        db.execute(_ADD_EVENTS, (game_id,))
                    pack_old_games(db, "good")
                    return
            finally:
                db.execute("DETACH good")
            _log.warning("backup copy belongs to another journal, writing a new one path=%s", copy)
        except sqlite3.Error as error:
            if primary_code(error) not in _SPOILT:
                raise
            _log.warning("backup copy cannot be read, writing a new one path=%s error=%s", copy, error)
    copy_whole(db, copy)


def _is_copy_of_this(db: sqlite3.Connection) -> bool:
    """Return True if the copy has today's format and its last event is in the journal too."""
    if db.execute("PRAGMA good.user_version").fetchone() != (FORMAT,):
        return False
    last = db.execute(_LAST).fetchone()
    sql = "SELECT 1 FROM main.event WHERE game = ? AND number = ? AND digest = ?"
    return last is None or db.execute(sql, last).fetchone() is not None


def copy_whole(db: sqlite3.Connection, copy: Path) -> None:
    """Copy a whole journal into a file that appears only when complete. Raises `sqlite3.Error` or `OSError`."""
    fresh = copy.with_name(f".{copy.name}.new")
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_CREAT | os.O_WRONLY, 0o660))  # a file created by SQLite would not be group-writable
    with closing(sqlite3.connect(fresh)) as target:
        db.backup(target)
        # At rest the copy is a single file, without a log beside it.
        target.execute("PRAGMA journal_mode = DELETE")
    os.replace(fresh, copy)
    sync(copy.parent)
