"""The first look at a home after whatever befell it: a daemon is started on it, and read once it is at rest."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from controller.access.access import Access
from controller.access.state import read_state
from controller.errors import ShutboxError
from controller.game.table.snapshot import Snapshot
from controller.journal.high_water_mark import HighWaterMark
from controller.runtime.home import Home
from controller.web.client import Client
from tests.campaigns.live.box import PATIENCE_S, kill_program, last_line_of, listen_for_states, log_of, start_program

# What every good start says beside the moment of the game itself.
_ALWAYS = frozenset(("game.resumed",))
_LOST = "journal.lost"
# To root no file is closed. A daemon must meet those that are: it gives these rights up (util-linux).
_WITHOUT_RIGHTS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands: its id (0: none is on) and its last event, the board, the throw and the scores."""

    game_id: int = 0
    event: int = 0
    board: str | None = None
    throw: tuple[int, ...] = ()
    scores: tuple[tuple[str, int | None], ...] = ()

    @classmethod
    def of(cls, seen: Snapshot) -> Self:
        """How it stands in a snapshot."""
        return cls(seen.game_id, seen.event, seen.board, seen.throw, tuple(seen.scores.items()))


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What a daemon shows to whoever comes to it first, and what it tells of beside the game.

    told: the keys of messages that no start has whose journal is as it was left. said: the notice in words. problem:
    why no daemon came up, in words; empty if one did. witnessed: True if it told of nothing, but does once somebody has
    come who had watched.
    """

    standing: Standing = Standing()
    told: tuple[str, ...] = ()
    said: str = ""
    problem: str = ""
    witnessed: bool = False

    @classmethod
    def of(cls, seen: Snapshot) -> Self:
        """What a snapshot shows. Its first message is the moment of the game, which is another one at another event."""
        told = (message.key for message in seen.messages[1:])
        return cls(Standing.of(seen), tuple(key for key in told if key not in _ALWAYS), seen.notice)


async def look_at_home(data: Path, seen: HighWaterMark | None = None) -> FirstLook:
    """Start a daemon with a simulated box in this home, look, and kill it. Whatever fails is part of the look.

    seen: what a device had been shown before; it comes back where the daemon tells of nothing by itself.
    """
    with TemporaryDirectory(prefix="shutbox-") as runtime:
        home = Home(data, Path(runtime), fixed=True)
        try:
            async with run_mock(home) as client:
                look = FirstLook.of(await wait_for_rest(client))
                if look.told or seen is None:
                    return look
                return replace(look, witnessed=await _is_told_to_witness(home, seen))
        except (RuntimeError, TimeoutError, OSError, ShutboxError) as error:
            return FirstLook(problem=last_line_of(log_of(home, "run")) or f"{type(error).__name__}: {error}")


async def _is_told_to_witness(home: Home, seen: HighWaterMark) -> bool:
    """True if the daemon tells of a loss once a device has come back that had seen this event kept."""
    # The seal is the box's, whose secret lies in a file that was written long before.
    state, _ = read_state(home.access, datetime.now(UTC).date())
    sealed = Access(state=state).seal(str(seen))
    async with Client(home.socket, seen=sealed) as witness, witness.snapshots() as snapshots:
        return any(message.key == _LOST for message in (await anext(snapshots)).messages)


@asynccontextmanager
async def run_mock(home: Home) -> AsyncIterator[Client]:
    """A client of a daemon with a simulated box in this home, which is killed in the end. Raises as `start_program`."""
    with listen_for_states(home.runtime) as states:
        before = _WITHOUT_RIGHTS if os.geteuid() == 0 else ()
        daemon = await start_program(home, states, "run", "--mock", "--seed", "1", before=before)
        try:
            async with Client(home.socket) as client:
                yield client
        finally:
            await kill_program(daemon)


async def wait_for_rest(client: Client) -> Snapshot:
    """The first snapshot after the box has looked at its tiles, and moved what it had to: what is told must last so
    long, since people come later than a program. Raises `TimeoutError`, and `RuntimeError` if the daemon ends.
    """
    async with asyncio.timeout(PATIENCE_S), client.snapshots() as snapshots:
        async for snapshot in snapshots:
            if is_at_rest(snapshot):
                return snapshot
    raise RuntimeError("the daemon ended while it looked at its tiles")


def is_at_rest(seen: Snapshot) -> bool:
    """True if no tile is on its way, and the box has looked at them after its start."""
    return seen.phase not in ("moving", "turn_done", "counting") and seen.messages[0].key != "game.comparing"
