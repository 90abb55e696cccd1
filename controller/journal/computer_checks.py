"""Start-up check of what stores the games: disk space, a readable journal, a clock that was set."""

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime

from controller.errors import JournalError
from controller.journal.checked import replay_checked
from controller.journal.copies import check_file
from controller.journal.journal import Journal
from controller.settings import Home
from hardware.errors import Fault

_ROOM_BYTES = 50_000_000  # years of games
_BUILT = datetime(2026, 1, 1, tzinfo=UTC)  # an earlier clock was never set: a Pi has no battery-backed one


def check_home(home: Home) -> Iterator[Fault]:
    """Yield the faults of this computer's disk, journal and clock, in this order."""
    free = shutil.disk_usage(home.data).free
    if os.statvfs(home.data).f_flag & os.ST_RDONLY:
        cure = "A worn memory card does that: put in a new one, and bring back a backup (`shutbox restore`)."
        yield Fault("C-315", "disk", f"{home.data} that can be written", "it can only be read", cure)
    elif free < _ROOM_BYTES:
        room = f"{_ROOM_BYTES // 1_000_000} MB free in {home.data}"
        cure = "Delete what is not needed, or use a larger card."
        yield Fault("C-315", "disk", room, f"{free // 1_000_000} MB", cure)
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
        cure = "Connect the computer to a network once, or set its clock (`sudo date`)."
        yield Fault("C-316", "clock", f"{_BUILT:%Y} or later", f"{now:%Y-%m-%d}", cure)
