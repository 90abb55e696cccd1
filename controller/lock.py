"""One owner at a time: the system lets go of the lock when its process dies, however it dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.errors import DaemonRuns


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
