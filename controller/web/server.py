"""The sockets of the daemon, who may open them, and the server of the API on them, inside the daemon's own loop."""

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from starlette.types import ASGIApp

from controller.errors import SettingsError
from controller.web.connections import HttpConnection, WatcherConnection
from controller.web.guards import OneForm, from_network
from controller.web.refusals import LONGEST_HEAD
from controller.web.visitor import FromHere

# Connections that one turn of the loop takes, so that a flood of them leaves turns for others; and those that may wait.
_TAKEN_AT_ONCE, _WAITING = 8, 128
_IDLE_S = 5
_LONGEST_WORD = 1024  # bytes; of watchers, who say nothing
_CURES = {
    errno.EROFS: "the disk can only be read; a worn memory card does that: put in a new one",
    errno.ENOSPC: "the disk is full; make room on it",
}


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals belong to the daemon, which also has a box to leave in order."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Take connections from now on."""
        await super().startup(sockets)
        for each in sockets or []:
            # To asyncio both are one number, and a few would be too few to wait.
            each.listen(_WAITING)


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


async def serve(app: FastAPI, sock: socket.socket, name: str = "") -> None:
    """Serve at a socket of either kind until cancelled; then let clients go within a second.

    Whoever comes through the Unix socket is at the box's own terminal, all others are strangers. Both have their
    connections counted on their own. name: of the box in the network, besides that of its computer.
    """
    is_terminal = sock.family == socket.AF_UNIX
    # A watcher in the network that is stuck is gone within five seconds. A terminal may be held up for longer by its
    # own people, who must not take that for the end of the daemon.
    pings_s = (20.0, 20.0) if is_terminal else (1.0, 2.5)
    served = OneForm(FromHere(app) if is_terminal else from_network(app, name))
    server = _Server(_configure(served, *pings_s))
    serving = asyncio.ensure_future(server.serve(sockets=[sock]))
    try:
        await asyncio.shield(serving)
    finally:
        server.should_exit = True
        await serving


def _configure(app: ASGIApp, ping_s: float, pong_s: float) -> uvicorn.Config:
    """ping_s: a watcher is asked so often whether he is there. pong_s: so long he may take to say so."""
    return uvicorn.Config(
        app,
        http=HttpConnection,
        ws=WatcherConnection,
        log_config=None,
        # What it says of starting and ending is nothing that happens at the table; nor is what strangers send.
        log_level="error",
        access_log=False,
        lifespan="off",
        # Who asks is told by the connection, and by no header that anybody can write.
        proxy_headers=False,
        server_header=False,
        backlog=_TAKEN_AT_ONCE,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=_IDLE_S,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        ws_max_size=_LONGEST_WORD,
        ws_ping_interval=ping_s,
        ws_ping_timeout=pong_s,
        # To press a snapshot for fifty watchers holds the loop up twenty times as long as to send it, and it is small.
        ws_per_message_deflate=False,
    )
