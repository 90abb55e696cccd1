"""Strangers in the network: the API on a port of this computer, and whatever bytes they send there."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, cast

from fastapi import FastAPI

from controller.access.access import Access
from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot
from controller.runtime.machine import open_port
from controller.runtime.threads import run_in_background
from controller.settings import Web
from controller.web.app import make_app
from controller.web.security.rates import Limits, Rate
from controller.web.server import serve_network

if TYPE_CHECKING:
    from controller.referee.referee import Referee


class Chairs:
    """A seating that knows nobody."""

    def caller(self, _token: object) -> Caller:
        return Caller()


class Ears:
    """A referee that keeps what it is asked, of anybody."""

    def __init__(self) -> None:
        self.seating = Chairs()
        self.heard: list[object] = []
        self.snapshot = Snapshot(1, "two-level-9", "")

    async def ask(self, command: object, _caller: object) -> Snapshot:
        self.heard.append(command)
        return self.snapshot


_ENDLESS = Rate(1e9, 1e9)


class OwnDoor:
    """Accepts whatever comes to a port, without a process of its own."""

    limits = Limits(_ENDLESS, _ENDLESS, _ENDLESS)

    def __init__(self, ports: Sequence[socket.socket]) -> None:
        [self._port] = ports
        self.known = set[str]()
        self._port.setblocking(False)
        self._port.listen(1024)

    async def connections(self) -> AsyncIterator[socket.socket]:
        """Each connection as it comes."""
        while True:
            yield (await asyncio.get_running_loop().sock_accept(self._port))[0]

    def know(self, address: str) -> None:
        """Keep who is known."""
        self.known.add(address)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes
    rest: bytes = b""


@dataclass(frozen=True)
class Door:
    """The port, and what the referee behind it has heard."""

    port: int
    ears: Ears

    async def say(self, raw: bytes) -> list[Answer]:
        """Send these bytes, in which PORT stands for the port's number; all answers until the box hangs up."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(raw.replace(b"PORT", str(self.port).encode()))
        said = await reader.read()
        writer.close()
        return [*answers_in(said)]


def answers_in(said: bytes) -> list[Answer]:
    found = []
    while said:
        head, _, said = said.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        length = int(headers.get("content-length", 0))
        found.append(Answer(int(first.split()[1]), headers, said[:length]))
        said = said[length:]
    return found


@cache
def _make_app_once() -> FastAPI:
    """The API of nobody: to describe all its routes takes longer than all that a test does with it."""
    return make_app(cast("Referee", Ears()))


@asynccontextmanager
async def open_door(
    referee: "Referee | None" = None, known: Iterable[str] = (), web: Web | None = None
) -> AsyncIterator[Door]:
    """The API as the network has it, on a port that nobody else has; `known`: where players are."""
    ears = Ears()
    with open_port("127.0.0.1", 0) as sock:
        port = sock.getsockname()[1]
        app = _make_app_once()
        app.state.referee = referee or ears
        app.state.access = Access()  # whoever waits on it does so on the loop of his test
        own = OwnDoor([sock])
        own.known.update(known)
        async with run_in_background(serve_network(app, own, web or Web(name="the-box.example"))):
            yield Door(port, ears)
