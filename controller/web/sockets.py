"""The search for a running daemon by the sockets of a home, and the wait for one that is starting."""

import asyncio
import socket
from pathlib import Path

from controller.errors import DaemonRuns, SettingsError
from controller.process.permissions import why_closed
from controller.settings import Home

_LOOK_EVERY_S = 0.2
_LOOKS = 50


def daemon_runs(home: Home) -> bool:
    """Return True if a daemon listens on a socket of this home. Raises `SettingsError` for one we may not open."""
    return any(map(_listens, home.sockets))


def find_socket(home: Home) -> Path:
    """Return the socket of the running daemon; if none runs, the home's own socket, for the error that names it."""
    return next(filter(_listens, home.sockets), home.socket)


async def wait_for_daemon(home: Home) -> None:
    """Wait until a starting daemon listens, for at most ten seconds; then raise `DaemonRuns`.

    The daemon holds the lock of the box already, and listens as soon as its journal is open.
    """
    for _ in range(_LOOKS):
        if daemon_runs(home):
            return
        await asyncio.sleep(_LOOK_EVERY_S)
    raise DaemonRuns("another process has this box and does not answer; stop it first")


def _listens(path: Path) -> bool:
    # Only a connection shows it: a killed daemon leaves its socket in the folder.
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(str(path))
        except PermissionError as error:
            # Must not count as no daemon: a second daemon would compete with it for the box.
            raise SettingsError(f"the socket of a daemon: {why_closed(path)}") from error
        except OSError:
            return False
    return True
