"""One owner at a time: the system lets go of the lock when its process dies, however it dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from controller.errors import DaemonRuns, NoBox


@contextmanager
def owned(lock: Path) -> Iterator[None]:
    """Hold `lock`, a file or a device.

    Raises `DaemonRuns` if another process does, `OSError` if it cannot be opened.
    """
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DaemonRuns("a daemon has this box already; join it with `shutbox play`, or stop it") from error
        yield
    finally:
        os.close(handle)


@contextmanager
def wood_of_our_own(store: Path | None) -> Iterator[None]:
    """Hold the simulated tiles that are kept in `store`, if they are. Raises `NoBox` if another process does."""
    with ExitStack() as stack:
        if store is not None:
            try:
                stack.enter_context(owned(store.with_suffix(".lock")))
            except DaemonRuns as error:
                raise NoBox(
                    f"another process has the tiles in {store}: if it is a mock-box, say --mock-box; else stop it"
                ) from error
        yield


@contextmanager
def alone(place: Path, who: str) -> Iterator[None]:
    """Be the only one of a kind, `who`, that listens at `place`. Raises `DaemonRuns` if another process is."""
    with ExitStack() as stack:
        try:
            stack.enter_context(owned(place.with_suffix(".lock")))
        except DaemonRuns as error:
            raise DaemonRuns(f"{who} listens at {place} already; stop it first") from error
        yield
