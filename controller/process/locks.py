"""Locks between processes, and permissions: one daemon per home, one owner of the bus, of tiles, of demonstrations.

They are `flock` locks, because the kernel releases them when their process dies, however it dies: a file with a process
number in it would remain after `kill -9`.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.errors import DaemonRuns, NoBox, SettingsError, ShutboxError
from controller.process.permissions import why_closed


@contextmanager
def lock(place: Path) -> Iterator[None]:
    """Lock `place`, a file (created if it is missing) or a device, during the block.

    Raises `DaemonRuns` if another process has it, `SettingsError` if this user has no access, `OSError` if it cannot be
    opened for another reason.
    """
    taken = DaemonRuns(
        "a daemon has this box already; join it with `shutbox play`, or stop it "
        "(the service with `sudo systemctl stop shutbox`)"
    )
    with _lock(place, taken):
        yield


@contextmanager
def lock_tiles(store: Path | None) -> Iterator[None]:
    """Lock the simulated tiles that are kept in `store` (None: nowhere). Raises `NoBox` if another process has them."""
    if store is None:
        yield
        return
    taken = NoBox(f"another process has the tiles in {store}: if it is a mock-box, say --mock-box; else stop it")
    with _lock(store.with_suffix(".lock"), taken):
        yield


@contextmanager
def lock_socket(place: Path, who: str) -> Iterator[None]:
    """Lock the socket at `place` for the one process, `who`, that listens there. Raises `DaemonRuns` if taken."""
    with _lock(place.with_suffix(".lock"), DaemonRuns(f"{who} listens at {place} already; stop it first")):
        yield


@contextmanager
def lock_demonstration(journal: Path) -> Iterator[None]:
    """Lock the journal of demonstrations, which each of them starts anew. Raises `DaemonRuns` if another has it."""
    taken = DaemonRuns(
        f"another demonstration writes to {journal}: wait until it has ended, "
        "or say SHUTBOX_HOME=folder before this one"
    )
    with _lock(journal.with_suffix(".lock"), taken):
        yield


@contextmanager
def _lock(place: Path, taken: ShutboxError) -> Iterator[None]:
    """Lock without waiting, during the block. Raises `taken` if another process has the lock."""
    try:
        # Read-only, so that a file created by another user of the group can be locked too.
        handle = os.open(place, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o640)
    except PermissionError as error:
        raise SettingsError(why_closed(place)) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise taken from None
        yield
    finally:
        os.close(handle)
