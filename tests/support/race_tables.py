"""Races on the simulated box, for tests: dice that are loaded, and rounds that are begun."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from controller.game.core.commands import StartGame
from controller.game.core.players import Player
from controller.game.fleet.commands import CallGo
from controller.game.fleet.engine import RaceView
from controller.game.table.snapshot import Snapshot
from controller.referee.referee import Referee
from tests.support.tables import TableRig, until

ANN, BOB, HOUSE = Player("Ann"), Player("Bob"), Player("House", house=True, strength="perfect")


class Loaded(random.Random):
    """Dice that fall as they are told, then by chance."""

    def __init__(self, *faces: int) -> None:
        super().__init__(1)
        self._faces = [*faces]

    def choice(self, seq: Any) -> Any:
        return self._faces.pop(0) if self._faces else super().choice(seq)


def load(table: TableRig, *faces: int) -> None:
    """Load the dice of a table, before its referee is there."""
    table.table = replace(table.table, luck=Loaded(*faces))


async def begin(referee: Referee, *players: Player, **options: Any) -> Snapshot:
    """A race in the order of the sheet, whose first round is on."""
    await referee.ask(StartGame(players, "fleet", {"challenge": "in_order", **options}))
    return await go(referee)


async def go(referee: Referee) -> Snapshot:
    """Begin a round."""
    await until(referee, "ready")
    await referee.ask(CallGo())
    return await until(referee, "racing")


def view(referee: Referee) -> RaceView:
    """The race as everybody sees it."""
    race = referee.snapshot.race
    assert race is not None
    return race


async def seen(referee: Referee, is_there: Callable[[Snapshot], bool], wait_s: float = 600) -> Snapshot:
    """The first snapshot of which this is true."""
    async with asyncio.timeout(wait_s), referee.watch() as snapshots:
        while True:
            snapshot = await snapshots.get()
            if is_there(snapshot):
                return snapshot


def kinds(table: TableRig) -> Sequence[str]:
    """The kinds of all events of the last game."""
    return [entry.event.kind for entry in table.journal.entries(table.journal.game_ids()[-1])]
