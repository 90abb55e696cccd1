"""Copy journals while a daemon keeps writing, and check them: a copy to its last event, the box's own at start-up."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from controller.errors import CLOCK, DISK, MEMORY, JournalDamaged, JournalDiffers, JournalError
from controller.journal.database import connect
from controller.journal.files import high_water_mark_of
from controller.journal.high_water_mark import HighWaterMarkFile
from controller.journal.replay import replay_checked
from controller.journal.store import Journal
from controller.runtime.home import Home
from controller.runtime.machine import memory_bytes
from controller.runtime.mounts import memory_behind
from hardware.errors import Fault


def copy_journal(source: Path, target: Path) -> None:
    """Copy a consistent state of a journal into the new file `target`, which has no companion files.

    The seats are left out: token digests are useful on this box only. Raises `JournalDamaged`.
    """
    target.touch(mode=0o660)  # a file created by SQLite would not be group-writable
    try:
        with closing(connect(source, "ro")) as theirs, closing(sqlite3.connect(target)) as ours:
            ours.execute("PRAGMA synchronous = OFF")  # the caller syncs the copy before relying on it
            theirs.backup(ours)
            # In WAL mode the first reader would create the -wal and -shm files again.
            ours.execute("PRAGMA journal_mode = DELETE")
            if ours.execute("SELECT 1 FROM sqlite_schema WHERE name = 'seat'").fetchone():
                with ours:
                    ours.execute("DELETE FROM seat")
            ours.execute("VACUUM")  # deleted rows stay readable in the file until then
    except sqlite3.Error as error:
        raise JournalDamaged(f"journal {source} cannot be copied ({error}); start the box, which mends it") from error


def write_mark_of_copy(copy: Path) -> None:
    """Write the high-water mark beside a copy that is about to become the journal of a home.

    A copy in an earlier format gets its mark when it is converted. Raises `JournalError` and `OSError`.
    """
    with Journal(copy, read_only=True) as journal:
        mark = journal.last_mark()
    if mark is not None:
        with HighWaterMarkFile(high_water_mark_of(copy)) as marks:
            marks.write(mark)


def check_journal(path: Path, tell: Callable[[float], None]) -> Iterator[str]:
    """Check a whole journal; yield one sentence for each game that does not replay to its stored states.

    tell: called with the fraction done. Raises `JournalDamaged`, or `JournalFormat` for a format this version
    cannot read.
    """
    with Journal(path, read_only=True) as journal:
        check_file(path)
        games = journal.game_ids()
        for done, game_id in enumerate(games):
            tell(done / len(games))
            entries = journal.entries(game_id)
            try:
                replay_checked(entries)
            except JournalDiffers as error:
                problem = str(error)
            except Exception as error:  # an event that does not belong to a game may raise anything
                problem = f"its events fit no game ({type(error).__name__})"
            else:
                continue
            yield f"game {game_id} of the journal does not replay: {problem}"


def check_file(path: Path) -> None:
    """Raise `JournalDamaged` unless the file is sound and holds only tables and indexes: no triggers, no views."""
    try:
        with closing(connect(path, "ro")) as db:
            [[found]] = db.execute("PRAGMA integrity_check(1)").fetchall()
            strange = db.execute("SELECT name FROM sqlite_schema WHERE type NOT IN ('table', 'index')").fetchall()
    except sqlite3.Error as error:
        raise JournalDamaged(f"journal {path} cannot be read: {error}") from error
    if found != "ok" or strange:
        raise JournalDamaged(f"journal {path} is damaged: {strange[0][0] if strange else found}")


_ROOM_BYTES = 50_000_000  # years of games
_MEMORY_BYTES = 800_000_000  # a Pi with 1 GB tells of 905 to 990 MB, one with 512 MB of 420 to 480
_BUILT = datetime(2026, 1, 1, tzinfo=UTC)  # an earlier clock was never set: a Pi has no battery-backed one
_MAKE_ROOM = "Delete what is not needed, or use a larger card."
# Without recurse=0 the overlay takes the writes to every other partition of the card too.
_LEAVE_MEMORY = (
    "Games are gone when the power goes: switch the overlay file system off (`sudo raspi-config`), or mount a "
    "partition of the card there and say `overlayroot=tmpfs:recurse=0` in cmdline.txt."
)
_SET_CLOCK = "Connect the computer to a network once, or set its clock (`sudo date`)."


def check_home(home: Home) -> Iterator[Fault]:
    """Yield the faults of this computer's memory, disk, journal and clock, in this order."""
    if memory_bytes() < _MEMORY_BYTES:
        cure = "The box may become slow or be started anew amid a game: use a Pi with 1 GB or more."
        yield Fault(MEMORY, "memory", "1 GB", f"{memory_bytes() // 1_000_000} MB", cure)
    free = shutil.disk_usage(home.data).free
    if os.statvfs(home.data).f_flag & os.ST_RDONLY:
        cure = "A worn memory card does that: put in a new one, and bring back a backup (`shutbox restore`)."
        yield Fault(DISK, "disk", f"{home.data} that can be written", "it can only be read", cure)
    elif free < _ROOM_BYTES:
        room = f"{_ROOM_BYTES // 1_000_000} MB free in {home.data}"
        yield Fault(DISK, "disk", room, f"{free // 1_000_000} MB", _MAKE_ROOM)
    if mount := memory_behind(home.data):
        yield Fault(DISK, "disk", f"{home.data} on a disk", f"it is in memory ({mount})", _LEAVE_MEMORY)
    try:
        if home.journal.exists():
            with Journal(home.journal, read_only=True) as journal:
                check_file(home.journal)
                last = max(journal.game_ids(), default=None)
                replay_checked([] if last is None else journal.entries(last))
    except JournalError as error:
        cure = "Start the box: it mends this by itself. If games are missing then, `shutbox restore` brings them back."
        yield Fault(error.code, "journal", "a journal that can be read", str(error), cure)
    now = datetime.now(UTC)
    if now < _BUILT:
        yield Fault(CLOCK, "clock", f"{_BUILT:%Y} or later", f"{now:%Y-%m-%d}", _SET_CLOCK)
