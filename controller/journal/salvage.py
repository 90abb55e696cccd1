"""A journal made anew where the old one is damaged: from the good copy, and from what can still be read of the old."""

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from controller.errors import JournalError
from controller.journal.checked import count_good
from controller.journal.files import good_copy_of
from controller.journal.good_copy import copy_whole
from controller.journal.journal import Journal
from controller.journal.tables import FORMAT, format_of

_log = logging.getLogger(__name__)

# The last of what a file that is no journal raises: SQLite's words quote it, and Python takes them for text.
_UNREADABLE = (sqlite3.Error, JournalError, UnicodeError)
_EVENTS = "SELECT game, number, at, body, digest, door, seat, key FROM event WHERE game = ? ORDER BY number"


def make_anew(path: Path, damaged: Path) -> None:
    """Make the journal at `path`, where nothing stands, from its good copy and from the `damaged` one.

    Raises `sqlite3.Error` or `OSError` where the disk does not take it; without a good copy it begins empty.
    """
    good = good_copy_of(path)
    if is_whole(good):
        with closing(_open(good)) as db:
            copy_whole(db, path)
    with Journal(path):
        pass  # has the tables of today
    with closing(_open(path, mode="rw")) as db:
        _add_readable(db, damaged)
    _cut_last_game(path)


def is_whole(path: Path) -> bool:
    """True if SQLite finds nothing wrong with the file, and it is a journal that this version reads."""
    if not path.is_file():
        return False
    try:
        with closing(_open(path)) as db:
            found = format_of(db, path)
            return found > 0 and db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except _UNREADABLE:
        return False


def _add_readable(db: sqlite3.Connection, damaged: Path) -> None:
    """Add the games that `db` has not, and those that go on in the damaged one, as far as these can be read."""
    with suppress(*_UNREADABLE), closing(_open(damaged)) as old:
        if format_of(old, damaged) != FORMAT:
            return
        with suppress(sqlite3.Error), db:
            db.executemany("INSERT OR IGNORE INTO packed VALUES (?, ?)", old.execute("SELECT game, events FROM packed"))
        last = db.execute("SELECT coalesce(max(id), 0) FROM game").fetchone()[0]
        for game_id, box in old.execute("SELECT id, box FROM game WHERE id >= ? ORDER BY id", (last,)).fetchall():
            with db:
                db.execute("INSERT OR IGNORE INTO game VALUES (?, ?)", (game_id, box))
                rows = _readable(old, game_id)
                db.executemany("INSERT OR IGNORE INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _readable(old: sqlite3.Connection, game_id: int) -> Iterator[tuple[Any, ...]]:
    """The rows of one game's events up to the first that cannot be read."""
    try:
        yield from old.execute(_EVENTS, (game_id,))
    except sqlite3.Error as error:
        _log.warning("game %d can be read in part: %s", game_id, error)


def _cut_last_game(path: Path) -> None:
    """Leave of the last game what leads where was noted: it is the one that may go on."""
    with Journal(path) as journal:
        game_id = journal.next_game_id() - 1
        good = count_good(journal.readable_entries(game_id))
    with closing(_open(path, mode="rw")) as db, db:
        db.execute("DELETE FROM event WHERE game = ? AND number NOT BETWEEN 1 AND ?", (game_id, good))
        db.execute("DELETE FROM game WHERE id NOT IN (SELECT game FROM event)")


def _open(path: Path, mode: str = "ro") -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)
