"""The Unix socket of the daemon, who may open it, and the server of the API on it, inside the daemon's own loop."""

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from controller.errors import SettingsError
from controller.web.visitor import FromHere

_CURES = {
    errno.EROFS: "the disk can only be read; a worn memory card does that: put in a new one",
    errno.ENOSPC: "the disk is full; make room on it",
}


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals belong to the daemon, which also has a box to leave in order."""
        yield


@contextmanager
def listen(path: Path) -> Iterator[socket.socket]:
    """A Unix socket at `path` for this user and group; removed at the end. Raises `SettingsError`.

    A socket left behind by a killed daemon is replaced: the caller holds the daemon's lock.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        try:
            path.unlink(missing_ok=True)
            server.bind(str(path))
            # From now on clients wait in the queue instead of being turned away.
            server.listen()
        except OSError as error:
            cure = _CURES.get(error.errno or 0, "set SHUTBOX_HOME to a shorter path")
            raise SettingsError(f"socket {path} cannot be made ({error.strerror or error}); {cure}") from error
        # For the owner and, where the folder lets them in, people of the group.
        path.chmod(0o660)
        try:
            yield server
        finally:
            path.unlink(missing_ok=True)


async def serve(app: FastAPI, sock: socket.socket) -> None:
    """Serve until cancelled; then let clients go within a second."""
    # What uvicorn says of starting and ending is nothing that happens at the table.
    config = uvicorn.Config(
        FromHere(app) if sock.family == socket.AF_UNIX else app,
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
        # Nothing leaves this computer: pressing a snapshot for each watcher would only hold the loop up.
        ws_per_message_deflate=False,
    )
    server = _Server(config)
    serving = asyncio.ensure_future(server.serve(sockets=[sock]))
    try:
        await asyncio.shield(serving)
    finally:
        server.should_exit = True
        await serving
