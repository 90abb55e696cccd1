"""Copies of journals: made while a daemon goes on writing, and checked to the last event before one is relied on."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from controller.errors import JournalDamaged, JournalDiffers
from controller.journal.checked import replay_checked
from controller.journal.database import connect
from controller.journal.files import mark_of
from controller.journal.journal import Journal
from controller.journal.mark import MarkFile


def copy_journal(source: Path, target: Path) -> None:
    """Copy a journal, as it is at one moment, into the new file `target`, which nothing else belongs to.

    Who sits where is left out: the digests of tokens are of use at this very box alone. Raises `JournalDamaged`.
    """
    target.touch(mode=0o660)  # one that SQLite makes is never the group's to write
    try:
        with closing(connect(source, "ro")) as theirs, closing(sqlite3.connect(target)) as ours:
            ours.execute("PRAGMA synchronous = OFF")  # whoever relies on the copy syncs it
            theirs.backup(ours)
            # Else the copy would be one of three files again as soon as somebody reads it.
            ours.execute("PRAGMA journal_mode = DELETE")
            if ours.execute("SELECT 1 FROM sqlite_schema WHERE name = 'seat'").fetchone():
                with ours:
                    ours.execute("DELETE FROM seat")
            ours.execute("VACUUM")  # what was deleted stands in the file until then
    except sqlite3.Error as error:
        raise JournalDamaged(f"journal {source} cannot be copied ({error}); start the box, which mends it") from error


def mark_copy(copy: Path) -> None:
    """Put the mark of its last event beside a copy that becomes the journal of a home.

    One of an earlier format gets it when it becomes one of today's. Raises `JournalError` and `OSError`.
    """
    with Journal(copy, read_only=True) as journal:
        mark = journal.last_mark()
    if mark is not None:
        with MarkFile(mark_of(copy)) as marks:
            marks.write(mark)


def check_journal(path: Path, tell: Callable[[float], None]) -> Iterator[str]:
    """Check all of a journal; a sentence for each game in it that does not lead where it led.

    `tell` hears the fraction done. Raises `JournalDamaged`, or `JournalFormat` for one of another version.
    """
    with Journal(path, read_only=True) as journal:
        check_file(path)
        games = journal.game_ids()
        for done, game_id in enumerate(games):
            tell(done / len(games))
            if problem := _problem_of(journal, game_id):
                yield f"game {game_id} of the journal does not replay: {problem}"


def check_file(path: Path) -> None:
    """Raise `JournalDamaged` unless the file is sound, and holds tables alone: what runs by itself no journal has."""
    try:
        with closing(connect(path, "ro")) as db:
            [[found]] = db.execute("PRAGMA integrity_check(1)").fetchall()
            strange = db.execute("SELECT name FROM sqlite_schema WHERE type NOT IN ('table', 'index')").fetchall()
    except sqlite3.Error as error:
        raise JournalDamaged(f"journal {path} cannot be read: {error}") from error
    if found != "ok" or strange:
        raise JournalDamaged(f"journal {path} is damaged: {strange[0][0] if strange else found}")


def _problem_of(journal: Journal, game_id: int) -> str:
    entries = journal.entries(game_id)
    try:
        replay_checked(entries)
    except JournalDiffers as error:
        return str(error)
    except Exception as error:  # events that fit no game may do anything to one
        return f"its events fit no game ({type(error).__name__})"
    return ""
