"""When a house player acts: it asks for dice, chooses tiles and accepts what is lost, at the pace of people.

What it plays is decided in `controller.strategy.house`; here its decision becomes a command.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import controller.strategy
from controller.game import AcceptLoss, Choose, Game, compose
from controller.process import BackgroundThread
from controller.referee.jobs.outcomes import Done, Job, Meanwhile, Wish

if TYPE_CHECKING:
    from controller.strategy import Decision, House

Thought = TypeVar("Thought")

_PATIENCE_S = 2.0  # a house player may think so long without a word


class Opponent:
    """The house at the table.

    It thinks in a thread of its own, since the odds of a big game take their time at first, and tiles and dice are
    watched meanwhile. It is made there too, when it is first asked: with it come the odds, and NumPy, which a daemon
    that waits for a game has no need of. `odds` keeps those of big games.
    Lifetime: as the executor. Concurrency: one event loop.
    """

    def __init__(self, odds: Path | None, thinks_s: float) -> None:
        self._odds = odds
        self._thinks_s = thinks_s
        self._thread = BackgroundThread()

    async def wish(self, game: Game) -> Job:
        """Say with how many dice the player at turn wants his throw made."""
        thinking = self._think(self._choose_dice, game)
        async with aclosing(_wait_for(thinking, game)) as words:
            async for each in words:
                yield each
        yield Wish(thinking.result())

    async def choose(self, game: Game) -> Job:
        """Choose the tiles to shut, and say why."""
        await asyncio.sleep(self._thinks_s)
        thinking = self._think(self._choose_tiles, game)
        async with aclosing(_wait_for(thinking, game)) as words:
            async for each in words:
                yield each
        decision = thinking.result()
        yield Choose(decision.tiles, decision.why)

    async def accept(self) -> Job:
        """Accept a turn that is lost."""
        await asyncio.sleep(self._thinks_s)
        yield AcceptLoss()

    @cached_property
    def _house(self) -> "House":
        return controller.strategy.House(self._odds)

    def _choose_dice(self, game: Game) -> int:
        return self._house.choose_dice(game)

    def _choose_tiles(self, game: Game) -> "Decision":
        return self._house.choose(game)

    def _think(self, question: Callable[[Game], Thought], game: Game) -> asyncio.Task[Thought]:
        return asyncio.ensure_future(self._thread.run(question, game))


async def _wait_for(thinking: asyncio.Task[Thought], game: Game) -> Job:
    """Wait until the thought is there, or raise what came of it instead; say so when it takes long."""
    patience_gone = False
    try:
        await asyncio.wait([thinking], timeout=_PATIENCE_S)
        if not thinking.done():
            patience_gone = True
            yield Meanwhile(compose("house.counting", player=game.player.name))
        await thinking
    finally:
        thinking.cancel()
    if patience_gone:
        yield Done()
