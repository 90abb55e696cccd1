"""Rebuild a damaged journal from the backup copy and from what can still be read of the damaged file."""

import logging
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from controller.errors import JournalError
from controller.journal.backup_copy import copy_whole
from controller.journal.database import connect, is_disk_error
from controller.journal.files import backup_copy_of
from controller.journal.replay import count_replayable
from controller.journal.store import Journal
from controller.journal.tables import FORMAT, events_of_game, format_of

_log = logging.getLogger(__name__)

# Errors of reading a file that may not be a journal. UnicodeError: SQLite's message quotes bytes that are not text.
UNREADABLE = (sqlite3.Error, JournalError, UnicodeError)
_PACKED = "SELECT game, events FROM packed WHERE game = ?"
_INSERT = "INSERT OR IGNORE INTO event (game, number, at, body, digest, door, seat) VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Salvage:
    """What a rebuilt journal was made from.

    has_copy: there was a backup copy.
    read_all: all of the damaged file was readable.
    """

    has_copy: bool
    read_all: bool


def rebuild_journal(fresh: Path, damaged: Path) -> Salvage:
    """Make a journal in the new file `fresh` from the backup copy and the readable part of the `damaged` file.

    The damaged file is not changed. Raises `sqlite3.Error`, `JournalError` or `OSError` if the disk cannot be written.
    """
    copy = backup_copy_of(damaged)
    has_copy = is_sound_journal(copy)
    if has_copy:
        with closing(connect(copy, "rw")) as db:
            copy_whole(db, fresh)
    Journal(fresh).close()  # makes the tables of today's format
    with closing(connect(fresh, "rw")) as db:
        read_all = _add_readable(db, damaged)
    # Keep of the last game, which may be resumed, only the events that replay to their stored digests.
    with Journal(fresh) as journal:
        game_id = journal.next_game_id() - 1
        good = count_replayable(journal.readable_entries(game_id))
    with closing(connect(fresh, "rw")) as db, db:
        db.execute("DELETE FROM event WHERE game = ? AND number NOT BETWEEN 1 AND ?", (game_id, good))
        db.execute("DELETE FROM game WHERE id NOT IN (SELECT game FROM event)")
    return Salvage(has_copy, read_all)


def is_sound_journal(path: Path) -> bool:
    """Return True if SQLite finds the file sound and it is a journal that this version reads."""
    if not path.is_file():
        return False
    try:
        # Writable, because only a writable connection rolls back what a power cut left half done.
        with closing(connect(path, "rw")) as db:
            return format_of(db, path) > 0 and db.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
    except UNREADABLE:
        return False


def _add_readable(db: sqlite3.Connection, damaged: Path) -> bool:
    """Add to `db` every readable event of the damaged file that it lacks; return True if all of the file was readable.

    Raises `sqlite3.Error` if `db` cannot be written.
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
        if isinstance(error, sqlite3.Error) and is_disk_error(error):
            raise
        _log.warning("damaged journal cannot be read path=%s error=%s", damaged, error)
        return False


def _add_game(db: sqlite3.Connection, old: sqlite3.Connection, found: int, game_id: int, box: str) -> bool:
    """Add one game as far as it can be read; return True if all of it was."""
    if db.execute("SELECT 1 FROM packed WHERE game = ?", (game_id,)).fetchone():
        return True  # an old game, complete in the backup copy
    rows, has_rows = _read(old, events_of_game(found), game_id)
    packed, has_packed = _read(old, _PACKED, game_id) if found == FORMAT else ([], True)
    with db:
        is_new = db.execute("INSERT OR IGNORE INTO game VALUES (?, ?)", (game_id, box)).rowcount > 0
        db.executemany(_INSERT, [(game_id, *row) for row in rows])
        if is_new:
            db.executemany("INSERT INTO packed VALUES (?, ?)", packed)
    return has_rows and has_packed


def _read(old: sqlite3.Connection, sql: str, game_id: int) -> tuple[list[Any], bool]:
    """Return the rows of one game up to the first that cannot be read, and True if all of them can."""
    rows: list[Any] = []
    try:
        for row in old.execute(sql, (game_id,)):
            rows.append(row)  # noqa: PERF402  keeps what was read before an error
    except sqlite3.Error as error:
        _log.warning("only part of the game can be read game=%d error=%s", game_id, error)
        return rows, False
    return rows, True
