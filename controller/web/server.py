"""The Unix socket of the daemon, and the API server at it and in the network, inside the daemon's own event loop."""

import asyncio
import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Scope

from controller.errors import SettingsError
from controller.runtime.threads import run_in_background
from controller.settings import Web
from controller.web.door import Door
from controller.web.refusals import LONGEST_HEAD
from controller.web.security.connections import HttpConnection, WatcherConnection
from controller.web.security.guards import PEER, BehindProxy, NormalForm, OwnHosts, OwnPages, PageHeaders
from controller.web.security.principal import LocalApp, requester_of
from controller.web.security.throttle import Throttle

# Connections accepted per iteration of the loop, so that a flood of them leaves time for others; and the backlog.
_TAKEN_AT_ONCE, _WAITING = 8, 128
_IDLE_S = 5
_ONE_PACKET = 1400  # bytes; an answer that fits comes no sooner if it is compressed
# Answers with tokens stay as they are: the length of a compressed one tells who listens how much of a guess was right.
# A page has no token; the code on one may be guessed there by nobody, for foreign pages may not ask for it.
_UNCOMPRESSED = (*DEFAULT_EXCLUDED_CONTENT_TYPES, "application/json")
_LONGEST_WORD = 1024  # bytes; for messages of watchers, who have nothing to say
_CURES = {
    errno.EROFS: "the disk can only be read; a worn memory card does that: put in a new one",
    errno.ENOSPC: "the disk is full; make room on it",
}


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals to the daemon, which must also bring the box to rest."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for each in sockets or []:
            # asyncio uses one number for connections per iteration and for the backlog, which would be too short.
            each.listen(_WAITING)


@contextmanager
def listen(path: Path) -> Iterator[socket.socket]:
    """Open a Unix socket at `path` for this user and group, and remove it at the end. Raises `SettingsError`.

    A socket left behind by a killed daemon is replaced: the caller holds the daemon's lock.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
        try:
            path.unlink(missing_ok=True)
            server.bind(str(path))
            # From now on clients wait in the backlog instead of being turned away.
            server.listen()
        except OSError as error:
            cure = _CURES.get(error.errno or 0, "set SHUTBOX_HOME to a shorter path")
            raise SettingsError(f"socket {path} cannot be made ({error.strerror or error}); {cure}") from error
        # For the owner and, if the folder lets them in, members of the group.
        path.chmod(0o660)
        try:
            yield server
        finally:
            path.unlink(missing_ok=True)


async def serve_terminal(app: FastAPI, sock: socket.socket) -> None:
    """Serve the box's own terminal on a Unix socket until cancelled; then give it a second to finish."""
    # It may be held up by its own user, and must not take that for the end of the daemon.
    await _run(_Server(_configure(NormalForm(LocalApp(app)), 20.0, 20.0, deflate=False)), [sock])


async def serve_network(app: FastAPI, door: Door, network: Web) -> None:
    """Serve the connections that come through `door`, which are strangers', until cancelled; then as above.

    The box's name in the settings is accepted in addition to the computer's. What a proxy that they name says of its
    clients' addresses and of https is believed; it opens as many connections as all strangers.
    """
    # A socket for both families writes an IPv4 address as IPv6.
    proxies = {*network.proxies, *(f"::ffff:{each}" for each in network.proxies if "." in each)}
    for each in proxies:
        door.know(each)

    def known_as(scope: Scope) -> str | None:
        if not any(header in (b"authorization", b"cookie") for header, _ in scope["headers"]):
            return None
        requester = requester_of(HTTPConnection({**scope, "app": app}))
        if requester.is_guest:
            return None
        # Who comes through a proxy opens no connections here.
        door.know(scope[PEER])
        return requester.name

    packed = GZipMiddleware(app, _ONE_PACKET, 6, exclude_content_types=_UNCOMPRESSED)
    served = Throttle(PageHeaders(OwnHosts(OwnPages(packed), network.name)), door.limits, known_as)
    # A stuck watcher in the network is dropped within five seconds.
    server = _Server(_configure(NormalForm(BehindProxy(served, proxies)), 1.0, 2.5, deflate=True))

    async def take() -> None:
        loop = asyncio.get_running_loop()
        make = partial(HttpConnection, server.config, server.server_state, {}, known=door.known, proxies=proxies)
        async for connection in door.connections():
            # Its peer may have gone already.
            with suppress(OSError):
                await loop.connect_accepted_socket(make, connection)

    async with run_in_background(take()):
        await _run(server, [])


def _configure(app: ASGIApp, ping_s: float, pong_s: float, *, deflate: bool) -> uvicorn.Config:
    config = uvicorn.Config(
        app,
        http=HttpConnection,
        ws=WatcherConnection,
        log_config=None,
        # uvicorn's messages about starting and ending, and about what strangers send, do not belong in our log.
        log_level="error",
        access_log=False,
        lifespan="off",
        # A client is identified by its connection, not by a header that anybody can write.
        proxy_headers=False,
        server_header=False,
        backlog=_TAKEN_AT_ONCE,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=_IDLE_S,
        h11_max_incomplete_event_size=LONGEST_HEAD,
        ws_max_size=_LONGEST_WORD,
        ws_ping_interval=ping_s,
        ws_ping_timeout=pong_s,
        # A quarter of the bytes, for 0.02 ms a message and 27 kB a watcher; inside a computer none need be saved.
        ws_per_message_deflate=deflate,
    )
    config.load()
    return config


async def _run(server: _Server, sockets: list[socket.socket]) -> None:
    serving = asyncio.ensure_future(server.serve(sockets=sockets))
    try:
        await asyncio.shield(serving)
    finally:
        server.should_exit = True
        await serving
