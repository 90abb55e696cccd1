"""A referee on any table, for a program that plays games itself: demonstrations, campaigns, tests.

The daemon starts its referee with sockets, lamp and systemd around it; here there is nothing but the game.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from controller.box import Table
from controller.journal import Journal
from controller.process import run_in_background
from controller.referee.referee import Referee
from controller.referee.subscribers import Subscriber, make_subscribers
from controller.settings import Pace


@asynccontextmanager
async def run_referee(
    table: Table,
    journal: Journal,
    pace: Pace,
    odds: Path | None = None,
    listeners: Sequence[Subscriber] = (),
) -> AsyncIterator[Referee]:
    """A referee that works on `table` as long as the block lasts, without a socket to the outside.

    listeners: who hears of its actions besides those of every table.

    Entries of the journal bear the time of the loop in seconds, not that of a clock on the wall: on a jumping loop the
    same seed then writes the same journal. What fails in the referee cancels the block and comes out as an
    `ExceptionGroup`.
    """
    loop = asyncio.get_running_loop()
    subscribers = (*make_subscribers(table, journal), *listeners)
    referee = Referee(
        table, journal, pace=pace, wall_clock=lambda: f"{loop.time():.3f}", subscribers=subscribers, odds=odds
    )
    async with run_in_background(referee.run()):
        yield referee
