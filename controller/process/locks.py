"""One owner at a time: the system lets go of a lock when its process dies, however it dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.errors import DaemonRuns, NoBox


@contextmanager
def lock(place: Path) -> Iterator[None]:
    """Hold `place`, a file (made if it is not there) or a device.

    Raises `DaemonRuns` if another process does, `OSError` if it cannot be opened.
    """
    with _hold(place) as is_ours:
        if not is_ours:
            raise DaemonRuns("a daemon has this box already; join it with `shutbox play`, or stop it")
        yield


@contextmanager
def lock_tiles(store: Path | None) -> Iterator[None]:
    """Hold the simulated tiles that are kept in `store`, if they are. Raises `NoBox` if another process does."""
    if store is None:
        yield
        return
    with _hold(store.with_suffix(".lock")) as is_ours:
        if not is_ours:
            raise NoBox(f"another process has the tiles in {store}: if it is a mock-box, say --mock-box; else stop it")
        yield


@contextmanager
def lock_place(place: Path, who: str) -> Iterator[None]:
    """Be the only one of a kind, `who`, that listens at `place`. Raises `DaemonRuns` if another process is."""
    with _hold(place.with_suffix(".lock")) as is_ours:
        if not is_ours:
            raise DaemonRuns(f"{who} listens at {place} already; stop it first")
        yield


@contextmanager
def _hold(place: Path) -> Iterator[bool]:
    """Try to lock; whether it is ours now. A lock that another process has is not waited for."""
    handle = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)
