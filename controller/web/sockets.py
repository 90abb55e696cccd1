"""The search for a daemon: at which of the sockets of a home one listens, and the wait for one that is starting."""

import asyncio
import socket
from pathlib import Path

from controller.errors import DaemonRuns, SettingsError
from controller.process import why_closed
from controller.settings import Home

_LOOK_EVERY_S = 0.2
_LOOKS = 50


def daemon_runs(home: Home) -> bool:
    """True if a daemon listens at one of the sockets of this home. Raises `SettingsError` for one closed to us."""
    return any(map(_listens, home.sockets))


def find_socket(home: Home) -> Path:
    """The socket of the daemon that runs; the home's own where none does, for the error that names it."""
    return next(filter(_listens, home.sockets), home.socket)


async def wait_for_daemon(home: Home) -> None:
    """Wait until a daemon that is just starting listens: ten seconds at most, then raise `DaemonRuns`.

    It has the lock of the box already, and listens as soon as its journal is open.
    """
    for _ in range(_LOOKS):
        if daemon_runs(home):
            return
        await asyncio.sleep(_LOOK_EVERY_S)
    raise DaemonRuns("another process has this box and does not answer; stop it first")


def _listens(path: Path) -> bool:
    # Only a connection tells: a daemon that was killed leaves its socket in the folder.
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except PermissionError as error:
            # Not the same as nobody there: a second daemon beside that one would fight it for the box.
            raise SettingsError(f"the socket of a daemon: {why_closed(path)}") from error
        except OSError:
            return False
    return True
