"""When a house player acts: it asks for dice, chooses tiles and accepts what is lost, at the pace of people.

What it plays is decided in `controller.strategy.house`; here its decision becomes a command.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import TypeVar

from controller.game import AcceptLoss, Choose, Game, compose
from controller.process import BackgroundThread
from controller.referee.jobs.outcomes import Done, Job, Meanwhile, Wish
from controller.strategy import House

Thought = TypeVar("Thought")

_PATIENCE_S = 2.0  # a house player may think so long without a word


class Opponent:
    """The house at the table.

    It thinks in a thread of its own, since the odds of a big game take their time at first, and tiles and dice are
    watched meanwhile. Lifetime: as the executor. Concurrency: one event loop.
    """

    def __init__(self, house: House, thinks_s: float) -> None:
        self._house = house
        self._thinks_s = thinks_s
        self._thread = BackgroundThread()

    async def wish(self, game: Game) -> Job:
        """Say with how many dice the player at turn wants his throw made."""
        thinking = self._think(self._house.choose_dice, game)
        async with aclosing(_wait_for(thinking, game)) as words:
            async for each in words:
                yield each
        yield Wish(thinking.result())

    async def choose(self, game: Game) -> Job:
        """Choose the tiles to shut, and say why."""
        await asyncio.sleep(self._thinks_s)
        thinking = self._think(self._house.choose, game)
        async with aclosing(_wait_for(thinking, game)) as words:
            async for each in words:
                yield each
        decision = thinking.result()
        yield Choose(decision.tiles, decision.why)

    async def accept(self) -> Job:
        """Accept a turn that is lost."""
        await asyncio.sleep(self._thinks_s)
        yield AcceptLoss()

    def _think(self, question: Callable[[Game], Thought], game: Game) -> asyncio.Task[Thought]:
        return asyncio.ensure_future(self._thread.run(question, game))


async def _wait_for(thinking: asyncio.Task[Thought], game: Game) -> Job:
    """Wait until the thought is there, or raise what came of it instead; say so when it takes long."""
    patience_gone = False
    try:
        await asyncio.wait([thinking], timeout=_PATIENCE_S)
        if not thinking.done():
            patience_gone = True
            name = game.player.name
            text = f"{name} works out the odds; the first time takes a while."
            yield Meanwhile(compose("house.counting", text, player=name))
        await thinking
    finally:
        thinking.cancel()
    if patience_gone:
        yield Done()
