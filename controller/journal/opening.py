"""How the daemon opens its journal: it looks whether the file is whole, and whether anything is missing at its end.

It opens all the same: a damaged file is put aside, with its date, and the games go on from the good copy and from what
can still be read. What that means for the players is said. Where the disk takes nothing the box says that, and why.
"""

import logging
import os
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Literal

from controller.errors import JournalDamaged, JournalFormat, JournalUnwritable
from controller.game import Messages, compose
from controller.journal.checked import count_good
from controller.journal.closed import ClosedJournal
from controller.journal.database import connect
from controller.journal.files import fresh_of, good_copy_of, mark_of, put_folders_aside, set_aside
from controller.journal.journal import Journal
from controller.journal.loss import describe_loss
from controller.journal.mark import NOTHING, Mark, read_mark
from controller.journal.salvage import Salvage, make_anew
from controller.journal.tables import FORMAT, format_of
from controller.journal.unwritable import is_of_the_disk, unwritable
from hardware.calibration import sync

_log = logging.getLogger(__name__)

Flaw = Literal["damaged", "newer"]


def open_journal(path: Path, today: date) -> tuple[Journal, Messages]:
    """The journal at `path`, open, and what must be said of it. `today` stands in the name of what is put aside.

    Never raises for what stands there: where the disk takes nothing it is a `ClosedJournal`.
    """
    try:
        journal, found = _open(path, today)
    except JournalUnwritable as problem:
        cause = compose("journal.closed", code=problem.code, cause=str(problem))
        journal, found = ClosedJournal(path, problem), (cause,)
    if found:
        told = " ".join(f"{each.key} {dict(each.args)}" for each in found)
        _log.warning("journal opened with losses path=%s found=%s", path, told)
    return journal, found


def _open(path: Path, today: date) -> tuple[Journal, Messages]:
    flaw: Flaw | None = None
    salvage = None
    try:
        _log_aside(*put_folders_aside(path, today))
        if fresh_of(path).exists():  # the power went in the middle of what follows
            flaw = "damaged"
        else:
            flaw = _flaw_of(path)
            if flaw is not None:
                salvage = _make_fresh(path)
        if flaw is not None:
            _log_aside(set_aside(path, flaw, today))
            os.replace(fresh_of(path), path)
            sync(path.parent)
    except (sqlite3.Error, OSError) as error:
        raise unwritable(path, error) from error
    mark = read_mark(mark_of(path))
    journal = Journal(path)
    return journal, _describe(journal, flaw, salvage, mark)


def _log_aside(*places: Path | None) -> None:
    """Tell whoever repairs the box where it lies now; players are told without places."""
    for place in filter(None, places):
        _log.warning("what stood in place of the journal was put aside: it is %s now", place)


def _make_fresh(path: Path) -> Salvage:
    """Make the journal anew beside the damaged one, which is read for it, and have it there when it is complete."""
    half = fresh_of(path).with_suffix(".half")
    for each in half.parent.glob(f"{half.name}*"):
        each.unlink()
    salvage = make_anew(half, path)
    mark_of(half).unlink(missing_ok=True)
    sync(half)
    os.replace(half, fresh_of(path))
    sync(path.parent)
    return salvage


def _flaw_of(path: Path) -> Flaw | None:
    """What is wrong with the file of a journal; None for a new one too. Raises `sqlite3.Error` and `OSError`."""
    if not path.exists() and not good_copy_of(path).exists() and read_mark(mark_of(path)) is None:
        return None
    if not path.is_file():
        return "damaged"
    try:
        with closing(connect(path, "rw")) as db:
            # Not the quick one: a page from before, which a card has put in place of the last, it takes for sound.
            if format_of(db, path) == 0 or db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                return "damaged"
        with Journal(path) as journal:
            return None if _is_sound(journal) else "damaged"
    except JournalFormat as error:
        return "newer" if error.found > FORMAT else "damaged"
    except (JournalDamaged, UnicodeError):
        return "damaged"
    except sqlite3.DatabaseError as error:
        if is_of_the_disk(error):
            raise
        return "damaged"


def _is_sound(journal: Journal) -> bool:
    """True if games and events belong together, and the last game leads where was noted: only that one may go on.

    Raises `JournalDamaged` where a table is not there.
    """
    journal.held_seats()
    if journal.has_strays():
        return False
    game_id = journal.next_game_id() - 1
    return count_good(journal.readable_entries(game_id)) == journal.count_events(game_id)


def _describe(journal: Journal, flaw: Flaw | None, salvage: Salvage | None, mark: Mark | None) -> Messages:
    if flaw is None:
        return _describe_lost(journal, mark, is_whole=True)
    if mark in (None, NOTHING) and salvage == Salvage(has_copy=False, read_all=True) and not journal.count_events():
        return ()  # the power went while the file was made: there never was an event
    lost = _describe_lost(journal, mark, is_whole=False)
    if flaw == "newer":
        return (compose("journal.newer"), *lost)
    if salvage is None or not (salvage.has_copy or salvage.read_all):
        kept = "some"
    elif lost:
        kept = "earlier"
    else:
        kept = "all"
    return (compose("journal.damaged", kept=kept), *lost)


def _describe_lost(journal: Journal, mark: Mark | None, *, is_whole: bool) -> Messages:
    """What is missing at the end, by the mark of what was acknowledged last."""
    if mark is not None:
        return describe_loss(journal, mark)
    if is_whole and not journal.count_events():
        return ()
    return (compose("journal.unmarked"),)
