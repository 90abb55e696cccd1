"""Those who look at a daemon and take times, each in a process of its own: watchers of snapshots, and a questioner.

Times are seconds of the one clock that all processes of a machine have (`time.monotonic`).
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from controller.web.client import Client, DaemonGone

_ASKS_EVERY_S = 0.05
_NOTHING = "/api"  # no address of the API: the answer takes a loop no time


@dataclass(frozen=True, slots=True)
class Arrival:
    """A snapshot that is the first of an event at one watcher: the game and the event, and when it came."""

    moment: tuple[int, int]
    at_s: float


def watch(socket: Path, count: int) -> list[Arrival]:
    """Watch the daemon by `count` connections until it ends; what came after the first snapshot of each."""

    async def watch_all() -> list[Arrival]:
        each = await asyncio.gather(*(_watch(socket) for _ in range(count)))
        return [arrival for some in each for arrival in some]

    return asyncio.run(watch_all())


async def _watch(socket: Path) -> Sequence[Arrival]:
    arrivals, last = [], None
    with suppress(DaemonGone):
        async with Client(socket) as client, client.snapshots() as snapshots:
            async for snapshot in snapshots:
                moment = (snapshot.game_id, snapshot.event)
                if last not in (None, moment):
                    arrivals.append(Arrival(moment, time.monotonic()))
                last = moment
    return arrivals


def probe(socket: Path) -> list[float]:
    """Ask the daemon for nothing twenty times a second until it ends: for how many seconds each answer was awaited."""
    return asyncio.run(_probe(socket))


async def _probe(socket: Path) -> list[float]:
    answered_s = []
    transport = httpx.AsyncHTTPTransport(uds=str(socket))
    async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
        with suppress(httpx.TransportError):
            while True:
                began_s = time.monotonic()
                await client.get(_NOTHING)
                answered_s.append(time.monotonic() - began_s)
                await asyncio.sleep(_ASKS_EVERY_S)
    return answered_s
