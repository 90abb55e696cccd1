"""Dice that people lay on the baize of a race: whose they are, what is said of them, and which are no new throw."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from controller.box.dice import ClaimDice
from controller.game.core.commands import StartGame
from controller.game.fleet.commands import Shout, ThrowOwnDice
from controller.referee.referee import Referee
from controller.rules.fleet.dice import FACES
from hardware.sim.world import World
from tests.support.race_tables import ANN, BOB, begin, kinds, seen, view
from tests.support.tables import FakeEyes, TableRig, open_table_rig, until
from vision.errors import CameraDead
from vision.reading import DieReading, Reading, Reason, read, refused

if TYPE_CHECKING:
    from vision.watching.throw_watcher import Watcher

TWOS = (2,) * 6
LEANS = "One die leans on the wall. Lay it flat."
Laid = tuple[int, ...]


class Baize(FakeEyes):
    """Sees the sets that lie there, by their colours; as the true watcher it reads what it has not read before."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.sets: dict[str, tuple[DieReading, ...]] = {}
        self.leans = False
        self.reads = 0
        self._read_last: object = None

    def lay(self, colour: str, faces: Laid, *, at_px: float = 100.0) -> None:
        """Lay dice in a row, which begins so far from the left."""
        dice = [DieReading(face, (at_px + 40 * place, 300.0), 1.0, colour) for place, face in enumerate(faces)]
        self.sets[colour] = tuple(dice)

    def lift(self, colour: str) -> None:
        del self.sets[colour]

    async def next_claim(self, *, afresh: bool = False) -> Reading:
        if afresh:
            self._read_last = None
        while not self.sets or self.sets == self._read_last:  # noqa: ASYNC110  the clock jumps
            await asyncio.sleep(0.1)
        # A refusal has to stand for a second.
        await asyncio.sleep(1.3 if self.leans else 0.3)
        self._read_last, self.reads = dict(self.sets), self.reads + 1
        if self.leans:
            return refused(Reason.COCKED, LEANS)
        return read(tuple(die for dice in self.sets.values() for die in dice))


@asynccontextmanager
async def open_baize(folder: Path) -> AsyncIterator[tuple[TableRig, Baize, Referee]]:
    """A table at which people throw themselves, and whose camera knows the dice of two of them."""
    async with open_table_rig(folder) as table:
        baize = Baize(table.world)
        dice = ClaimDice(("red", "blue"), {face: face for face in FACES})
        table.table = replace(table.table, watcher=cast("Watcher", baize), claims=dice, hands=None)
        async with table.referee() as referee:
            yield table, baize, referee


async def test_who_has_shouted_himself_does_not_answer_for_the_button(tmp_path: Path) -> None:
    async with open_baize(tmp_path) as (table, baize, referee):
        await begin(referee, ANN, BOB)
        await referee.ask(Shout())
        await referee.ask(Shout(None, "Bob"))
        baize.lay("blue", TWOS)
        await asyncio.sleep(5)
        assert kinds(table)[-1] == "claim_held"
        baize.lay("red", TWOS)
        assert (await until(referee, "ready")).standing == {"Ann": 2, "Bob": 1}


async def test_of_two_sets_that_lie_there_the_button_was_pressed_for_who_has_not_shouted(tmp_path: Path) -> None:
    async with open_baize(tmp_path) as (_, baize, referee):
        await begin(referee, ANN, BOB)
        await referee.ask(Shout())
        await referee.ask(Shout(None, "Bob"))
        baize.lay("blue", TWOS)
        baize.lay("red", TWOS)
        assert (await until(referee, "ready")).standing == {"Ann": 2, "Bob": 1}


async def test_two_sets_of_which_nobody_knows_who_pressed_the_button_are_told(tmp_path: Path) -> None:
    async with open_baize(tmp_path) as (_, baize, referee):
        await begin(referee, ANN, BOB)
        baize.lay("blue", TWOS)
        baize.lay("red", TWOS)
        await referee.ask(Shout())
        await seen(referee, lambda snapshot: "There are dice of more than one player" in snapshot.notice)
        baize.lift("red")
        assert (await until(referee, "ready")).standing == {"Ann": 1, "Bob": 2}


async def test_after_the_button_only_those_are_told_something_whose_dice_lie_there(tmp_path: Path) -> None:
    async with open_baize(tmp_path) as (_, baize, referee):
        await begin(referee, ANN, BOB)
        await referee.ask(Shout())
        baize.lay("blue", TWOS[:4])
        snapshot = await seen(referee, lambda snapshot: snapshot.notice != "")
        assert snapshot.notice == "Bob: only 4 of your dice are there. Lay all six on the baize, the ones in blue."
        assert baize.reads == 1


async def test_after_a_tie_for_who_names_first_dice_that_lie_on_are_no_new_throw(tmp_path: Path) -> None:
    async with open_baize(tmp_path) as (table, baize, referee):
        await referee.ask(StartGame((ANN, BOB), "fleet", {"challenge": "in_turn", "first": "highest"}))
        await until(referee, "rolling_off")
        baize.lay("red", (4,) * 6, at_px=100)
        await asyncio.sleep(3)
        baize.lay("blue", (4,) * 6, at_px=600)
        await asyncio.sleep(3)
        assert kinds(table).count("race_rolled") == 2
        baize.lift("red")
        await asyncio.sleep(3)
        baize.lay("red", (3,) * 6, at_px=100)
        await asyncio.sleep(3)
        assert kinds(table).count("race_rolled") == 3
        assert referee.snapshot.phase == "rolling_off"
        # The same numbers once more are a throw, where they lie elsewhere.
        baize.lay("blue", (4,) * 6, at_px=660)
        assert "Bob names" in (await until(referee, "naming")).news


async def test_why_dice_cannot_be_read_is_told_while_the_time_of_the_last_runs(tmp_path: Path) -> None:
    async with open_baize(tmp_path) as (_, baize, referee):
        await begin(referee, ANN, BOB, timer=30)
        await referee.ask(Shout(None, "Ann"))
        baize.lay("red", TWOS)
        await seen(referee, lambda snapshot: snapshot.race is not None and snapshot.race.left_s == 28)
        baize.lift("red")
        baize.leans = True
        await referee.ask(Shout(None, "Bob"))
        baize.lay("blue", TWOS)
        await seen(referee, lambda snapshot: "One die is leaning" in snapshot.notice)
        left_s = view(referee).left_s
        assert left_s is not None
        assert left_s > 24
        baize.leans = False
        baize.lay("blue", TWOS, at_px=200)
        assert (await until(referee, "ready")).standing == {"Ann": 2, "Bob": 1}


async def test_a_simulated_box_throws_for_who_names_first_also_where_its_camera_has_failed(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table:

        async def fail(*, afresh: bool = False) -> Reading:
            raise CameraDead("camera", expected="a picture", seen=f"none, afresh or not ({afresh})")

        vars(table.eyes)["next_claim"] = fail
        dice = ClaimDice(("red", "blue"), {face: face for face in FACES})
        table.table = replace(table.table, claims=dice)
        async with table.referee() as referee:
            await referee.ask(StartGame((ANN, BOB), "fleet", {"challenge": "in_turn"}))
            await until(referee, "halted")
            await referee.ask(ThrowOwnDice((), "Ann"))
            assert kinds(table).count("race_rolled") == 1
