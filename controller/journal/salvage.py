"""A journal made anew where the old one is damaged: from the good copy, and from what can still be read of the old."""

import logging
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.errors import JournalError
from controller.journal.checked import count_good
from controller.journal.database import connect
from controller.journal.files import good_copy_of
from controller.journal.good_copy import copy_whole
from controller.journal.journal import Journal
from controller.journal.tables import FORMAT, events_of_game, format_of
from controller.journal.unwritable import is_of_the_disk

_log = logging.getLogger(__name__)

# The last of what a file that is no journal raises: SQLite's words quote it, and Python takes them for text.
UNREADABLE = (sqlite3.Error, JournalError, UnicodeError)
_PACKED = "SELECT game, events FROM packed WHERE game = ?"
_INSERT = "INSERT OR IGNORE INTO event (game, number, at, body, digest, door, seat) VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Salvage:
    """What a journal was made of: the good copy, if there was one, and whether all of the damaged file can be read."""

    has_copy: bool
    read_all: bool


def make_anew(fresh: Path, damaged: Path) -> Salvage:
    """Make a journal in the new file `fresh`, of the good copy and of what can be read in the `damaged` one.

    The damaged file stays as it is. Raises `sqlite3.Error`, `JournalError` or `OSError` where the disk takes nothing.
    """
    copy = good_copy_of(damaged)
    has_copy = is_whole(copy)
    if has_copy:
        with closing(connect(copy, "rw")) as db:
            copy_whole(db, fresh)
    Journal(fresh).close()  # has the tables of today
    with closing(connect(fresh, "rw")) as db:
        read_all = _add_readable(db, damaged)
    _cut_last_game(fresh)
    return Salvage(has_copy, read_all)


def is_whole(path: Path) -> bool:
    """True if SQLite finds nothing wrong with the file, and it is a journal that this version reads."""
    if not path.is_file():
        return False
    try:
        # To be written: a power cut may have left it half done, and only then it is put right.
        with closing(connect(path, "rw")) as db:
            return format_of(db, path) > 0 and db.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
    except UNREADABLE:
        return False


def _add_readable(db: sqlite3.Connection, damaged: Path) -> bool:
    """Add all that `db` has not and that can be read in the damaged file; True if that is all there was in it.

    Raises `sqlite3.Error` where `db` cannot be written.
    """
    if not damaged.is_file():
        return False
    try:
        with closing(connect(damaged, "ro")) as old:
            found = format_of(old, damaged)
            games = old.execute("SELECT id, box FROM game ORDER BY id").fetchall() if found else []
            unread = [game for game in games if not _add_game(db, old, found, *game)]
            return not unread
    except UNREADABLE as error:
        if isinstance(error, sqlite3.Error) and is_of_the_disk(error):
            raise
        _log.warning("nothing can be read in %s: %s", damaged, error)
        return False


def _add_game(db: sqlite3.Connection, old: sqlite3.Connection, found: int, game_id: int, box: str) -> bool:
    """Add one game as far as it can be read; True if all of it can."""
    if db.execute("SELECT 1 FROM packed WHERE game = ?", (game_id,)).fetchone():
        return True  # it was over long ago, and is here
    rows, has_rows = _read(old, events_of_game(found), game_id)
    packed, has_packed = _read(old, _PACKED, game_id) if found == FORMAT else ([], True)
    with db:
        is_new = db.execute("INSERT OR IGNORE INTO game VALUES (?, ?)", (game_id, box)).rowcount > 0
        db.executemany(_INSERT, [(game_id, *row) for row in rows])
        if is_new:
            db.executemany("INSERT INTO packed VALUES (?, ?)", packed)
    return has_rows and has_packed


def _read(old: sqlite3.Connection, sql: str, game_id: int) -> tuple[list[Any], bool]:
    """The rows of one game up to the first that cannot be read, and True if there is none such."""
    rows: list[Any] = []
    try:
        for row in old.execute(sql, (game_id,)):
            rows.append(row)  # noqa: PERF402  what was read before an error is kept
    except sqlite3.Error as error:
        _log.warning("game %d can be read in part: %s", game_id, error)
        return rows, False
    return rows, True


def _cut_last_game(path: Path) -> None:
    """Leave of the last game what leads where was noted: it is the one that may go on."""
    with Journal(path) as journal:
        game_id = journal.next_game_id() - 1
        good = count_good(journal.readable_entries(game_id))
    with closing(connect(path, "rw")) as db, db:
        db.execute("DELETE FROM event WHERE game = ? AND number NOT BETWEEN 1 AND ?", (game_id, good))
        db.execute("DELETE FROM game WHERE id NOT IN (SELECT game FROM event)")
