"""Tables for tests: the simulated box with its real libraries, and eyes that need no pictures."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from controller.box.simulated import open_simulated_world
from controller.box.table import Table
from controller.game.core.phases import PhaseName
from controller.game.core.players import default_players
from controller.game.table.snapshot import Snapshot
from controller.journal.store import Journal
from controller.referee.referee import Referee, run_referee
from controller.settings import Pace
from hardware.box import load_box
from hardware.sim.world import World
from vision.reading import DieReading, Reading, read

if TYPE_CHECKING:
    from vision.watching.throw_watcher import Watcher


PLAYERS = default_players("2", "steady")


class FakeEyes:
    """Knows what the simulated dice show; `refusals` are given first."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._seen: object = ()
        self.refusals: list[Reading] = []

    async def next_throw(self, _allowed: frozenset[int]) -> Reading:
        before = None
        while self._world.dice() in (self._seen, ()) or self._world.dice() != before:
            before = self._world.dice()
            await asyncio.sleep(0.1)
        self._seen = before
        if self.refusals:
            return self.refusals.pop()
        return read(tuple(DieReading(die.value, (die.x_mm, die.y_mm), 1.0, "white") for die in self._world.dice()))

    look_now = next_throw

    async def look_again(self, _count: int) -> Reading:
        if self.refusals:
            return self.refusals.pop()
        return read(tuple(DieReading(die.value, (die.x_mm, die.y_mm), 1.0, "white") for die in self._world.dice()))

    def tell_motion(self, tell: object) -> None:
        """They see no motion."""

    def keep_evidence(self, keep: object) -> None:
        """They need no pictures, and have none."""

    def places_mm(self) -> tuple[tuple[float, float], ...]:
        return tuple(sorted((die.x_mm, die.y_mm) for die in self._world.dice()))

    def account_for(self) -> None:
        self._seen = self._world.dice()

    def accept(self) -> None:
        """These eyes know what they have seen."""

    def correct(self, values: tuple[int, ...]) -> None:
        """They have no pictures to keep."""

    async def note_lying(self) -> None:
        """They need not look."""


class TableRig:
    """One table with its world, its eyes, its journal and, inside `referee`, its referee."""

    def __init__(self, table: Table, world: World, eyes: FakeEyes, journal: Journal) -> None:
        self.table = table
        self.world = world
        self.eyes = eyes
        self.journal = journal

    def truth(self) -> tuple[int, ...]:
        return tuple(sorted(die.value for die in self.world.dice()))

    @asynccontextmanager
    async def referee(self) -> AsyncIterator[Referee]:
        async with run_referee(self.table, self.journal, Pace()) as referee:
            yield referee


@asynccontextmanager
async def open_table_rig(
    folder: Path, *, box: str = "two-level-9", store: Path | None = None
) -> AsyncIterator[TableRig]:
    """A simulated table with eyes that need no pictures, and a journal in `folder`."""
    with Journal(folder / "journal.sqlite3") as journal:
        async with open_simulated_world(load_box(box), seed=1, store=store) as (table, world):
            eyes = FakeEyes(world)
            yield TableRig(replace(table, watcher=cast("Watcher", eyes)), world, eyes, journal)


async def until(referee: Referee, phase: PhaseName, *, notice: str = "") -> Snapshot:
    """The first snapshot in `phase` (with that notice); a minute at the box is too long for anything."""
    async with asyncio.timeout(60), referee.watch() as snapshots:
        while True:
            snapshot = await snapshots.get()
            if snapshot.phase == phase and notice in snapshot.notice:
                return snapshot
