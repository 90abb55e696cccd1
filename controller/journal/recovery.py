"""Open the journal of the daemon: check that the file is sound and that no event is missing at its end.

A damaged file is put aside under a name with the date, and play continues from the backup copy and the readable part
of the file; players are told what that means for them. If the disk cannot be written, the box says so, and why.

Missing events are found with one that is known to have been acknowledged: the high-water mark on the card itself, or
an event that a client has seen.
"""

import logging
import os
import sqlite3
from contextlib import ExitStack, closing
from datetime import date
from pathlib import Path
from typing import Literal, NoReturn

from controller.errors import JournalDamaged, JournalFormat, JournalUnwritable
from controller.game.core.message import Messages, compose
from controller.journal.copies import write_mark_of_copy
from controller.journal.database import connect, is_disk_error, unwritable_error
from controller.journal.files import backup_copy_of, high_water_mark_of, put_folders_aside, rebuilt_path_of, set_aside
from controller.journal.high_water_mark import BEFORE_FIRST_EVENT, HighWaterMark, read_high_water_mark
from controller.journal.keys import UsedKeys
from controller.journal.record_table import RecordTable
from controller.journal.replay import count_replayable
from controller.journal.salvage import Salvage, is_sound_journal, rebuild_journal
from controller.journal.store import Journal
from controller.journal.tables import FORMAT, format_of, make_tables
from controller.runtime.mounts import memory_behind
from hardware.calibration import sync
from hardware.toml_file import name_aside


class UnavailableJournal(Journal):
    """Stands in for the journal at `path`, which could not be opened because of `problem`.

    The box starts all the same, so players see the problem at the table; nothing can be played that is not stored.
    """

    def __init__(self, path: Path, problem: JournalUnwritable) -> None:
        self.path = path
        self._problem = problem
        self._last_game = 0
        self.keys = UsedKeys()
        self._format = FORMAT
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._closing = ExitStack()
        self._closing.callback(self._db.close)
        make_tables(self._db, 0)
        self._records = RecordTable(self._db, path, read_only=True)

    def _commit(self) -> NoReturn:
        raise self._problem


def describe_lost_events(journal: Journal, mark: HighWaterMark) -> Messages:
    """Describe the events that are missing up to the marked one; return nothing if that event is in the journal."""
    if mark == BEFORE_FIRST_EVENT or journal.knows(mark):
        return ()
    lost = mark.number - journal.count_events(mark.game_id)
    if lost == mark.number:
        what = "game"
    elif lost > 0:
        what = "steps"
    else:
        what = "other"
    return (compose("journal.lost", game_id=mark.game_id, events=max(0, lost), lost=what),)


def describe_lost_for_client(journal: Journal, seen: HighWaterMark) -> Messages:
    """Do the same for an event that a client has seen, which reveals a memory card that has gone back as a whole.

    Return nothing for an event before the last game: events are lost from the end only, and old games are packed.
    """
    return describe_lost_events(journal, seen) if seen.game_id >= journal.next_game_id() - 1 else ()


def describe_memory(folder: Path) -> Messages:
    """Tell that the games in `folder` are kept in memory, and so gone when the power goes; nothing if a disk has them.

    A read-only root (`raspi-config`, overlayroot) takes every write, and forgets it.
    """
    if not (mount := memory_behind(folder)):
        return ()
    _log.warning("games are kept in memory, and gone when the power goes folder=%s mount=%s", folder, mount)
    return (compose("journal.in_memory"),)


_log = logging.getLogger(__name__)

Flaw = Literal["damaged", "newer"]


def open_journal(path: Path, today: date) -> tuple[Journal, Messages]:
    """Open the journal at `path`; return it with the messages for the players. today: for names of files put aside.

    Never raises because of the file: if the disk cannot be written, the journal is a `UnavailableJournal`.
    """
    try:
        journal, found = _open(path, today)
    except JournalUnwritable as problem:
        file, owner = problem.closed or ("", "")
        cause = compose("journal.closed", code=problem.code, cause=str(problem), file=file, owner=owner)
        journal, found = UnavailableJournal(path, problem), (cause,)
    if found:
        _log.warning(
            "journal opened with a problem path=%s problem=%s",
            path,
            ", ".join(f"{each.key} {dict(each.args)}" for each in found),
        )
    return journal, found


def _open(path: Path, today: date) -> tuple[Journal, Messages]:
    flaw: Flaw | None = None
    salvage = None
    try:
        _log_aside(*put_folders_aside(path, today))
        flaw, fresh = _flaw_of(path), rebuilt_path_of(path)
        if os.path.lexists(fresh):
            # The power failed in the middle of the following steps, unless the card has damaged this file, or has
            # brought it back from an earlier time.
            if is_sound_journal(fresh) and (flaw is not None or not path.exists()):
                flaw = flaw or "damaged"
            else:
                os.replace(fresh, aside := name_aside(path, "damaged", today))
                _log_aside(aside)
        if flaw is not None:
            if not fresh.exists():
                # Rebuild the journal beside the damaged one; the file gets its name when it is complete.
                half = fresh.with_suffix(".half")
                for each in half.parent.glob(f"{half.name}*"):
                    each.unlink()
                salvage = rebuild_journal(half, path)
                high_water_mark_of(half).unlink(missing_ok=True)
                sync(half)
                os.replace(half, fresh)
                sync(path.parent)
            _log_aside(set_aside(path, flaw, today))
            os.replace(fresh, path)
            sync(path.parent)
            if flaw == "newer":
                write_mark_of_copy(path)  # no event is missing: the mark of the newer journal has gone with it
    except (sqlite3.Error, OSError) as error:
        raise unwritable_error(path, error) from error
    mark = read_high_water_mark(high_water_mark_of(path))
    try:
        journal = Journal(path)
    except JournalDamaged as error:  # it was found sound, or there is none: none can be made
        raise unwritable_error(path, error) from error
    return journal, _describe(journal, flaw, salvage, mark)


def _log_aside(*places: Path | None) -> None:
    """Log where files were put aside, for whoever repairs the box; messages to players name no paths."""
    for place in filter(None, places):
        _log.warning("not usable as the journal, moved aside new_path=%s", place)


def _flaw_of(path: Path) -> Flaw | None:
    """Return what is wrong with a journal file; None for a sound or a new one. Raises `sqlite3.Error`, `OSError`."""
    if (
        not os.path.lexists(path)
        and not backup_copy_of(path).exists()
        and read_high_water_mark(high_water_mark_of(path)) is None
    ):
        return None
    if not path.is_file():
        return "damaged"
    try:
        with closing(connect(path, "rw")) as db:
            # Not quick_check: it accepts an outdated page that the card has restored in place of the last one.
            if format_of(db, path) == 0 or db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                return "damaged"
        with Journal(path) as journal:
            journal.held_seats()  # raises `JournalDamaged` if the table is missing
            # Games and events must belong together, and the last game, which may be resumed, must replay.
            game_id = journal.next_game_id() - 1
            is_sound = not journal.has_strays() and (
                count_replayable(journal.readable_entries(game_id)) == journal.count_events(game_id)
            )
            return None if is_sound else "damaged"
    except JournalFormat as error:
        return "newer" if error.found > FORMAT else "damaged"
    except (JournalDamaged, UnicodeError):
        return "damaged"
    except sqlite3.DatabaseError as error:
        if is_disk_error(error):
            raise
        return "damaged"


def _describe(journal: Journal, flaw: Flaw | None, salvage: Salvage | None, mark: HighWaterMark | None) -> Messages:
    if flaw is None:
        return _describe_lost(journal, mark, is_whole=True)
    if (
        mark in (None, BEFORE_FIRST_EVENT)
        and salvage == Salvage(has_copy=False, read_all=True)
        and not journal.count_events()
    ):
        return ()  # the power failed while the file was created: there never was an event
    if flaw == "newer":
        return (compose("journal.newer"),)
    lost = _describe_lost(journal, mark, is_whole=False)
    if salvage is None or not (salvage.has_copy or salvage.read_all):
        kept = "some"
    elif lost:
        kept = "earlier"
    else:
        kept = "all"
    return (compose("journal.damaged", kept=kept), *lost)


def _describe_lost(journal: Journal, mark: HighWaterMark | None, *, is_whole: bool) -> Messages:
    """Describe what is missing at the end, compared with the high-water mark."""
    if mark is not None:
        return describe_lost_events(journal, mark)
    if is_whole and not journal.count_events():
        return ()
    return (compose("journal.unmarked"),)
