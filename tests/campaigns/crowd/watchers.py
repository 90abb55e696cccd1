"""Those who watch over the network, in a process of their own: when each of them saw each event first."""

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import dataclass

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

PER_ADDRESS = 10  # watchers, as if of one household
_LATER_S = 1.0


@dataclass(frozen=True, slots=True)
class Sighting:
    """A game, the number of its event, and when a watcher saw it first, by the clock on the wall in seconds."""

    game_id: int
    event: int
    at_s: float


@dataclass(frozen=True, slots=True)
class Watched:
    """What all watchers saw after their first snapshots, and how often one was dropped while the daemon lived."""

    sightings: list[Sighting]
    dropped: int


def watch(port: int, count: int) -> Watched:
    """Watch by `count` connections until the daemon ends; whoever is dropped comes back."""

    async def watch_all() -> Watched:
        each = await asyncio.gather(*(_watch(port, f"127.0.0.{10 + number // PER_ADDRESS}") for number in range(count)))
        # Whoever came once saw the end of the daemon itself.
        return Watched([one for some, _ in each for one in some], sum(max(0, times - 1) for _, times in each))

    return asyncio.run(watch_all())


async def _watch(port: int, address: str) -> tuple[list[Sighting], int]:
    seen: list[Sighting] = []
    times = 0
    with suppress(OSError):
        while True:
            with suppress(ConnectionClosed, InvalidHandshake):
                async with connect(f"ws://127.0.0.1:{port}/api/snapshots", local_addr=(address, 0)) as snapshots:
                    times += 1
                    last = _moment(await snapshots.recv())
                    async for text in snapshots:
                        at_s, moment = time.time(), _moment(text)
                        if moment != last:
                            seen.append(Sighting(*moment, at_s))
                        last = moment
            await asyncio.sleep(_LATER_S)
    return seen, times


def _moment(text: str | bytes) -> tuple[int, int]:
    snapshot = json.loads(text)
    return snapshot["game_id"], snapshot["event"]
