"""Games under a guard that stops pulses, and what a start does first: it looks, and only then it moves."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path

import pytest

from controller.game.core.commands import Park, StartGame, TryAgain
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.referee.referee import Referee
from firmware import box_io
from firmware.errors import BusFault, GuardGone, PulsesCut
from firmware.guard.line import OutputEnableLine
from firmware.wire import OpenAlarm
from hardware.tiles import Position, TileId
from tests.firmware.guard.test_guarded_moves import Watchful, fault
from tests.support.tables import TableRig, open_table_rig, until
from tests.support.watched_world import WatchedWorld

ANN = (Player("Ann"),)
FRONT_8 = TileId(1, 8)


@pytest.fixture
def guards(monkeypatch: pytest.MonkeyPatch) -> list[Watchful]:
    """The guards of the boxes that are opened, the last one last."""
    made: list[Watchful] = []

    def guard_here(line: OutputEnableLine, open_alarm: OpenAlarm) -> Watchful:
        made.append(Watchful(line, open_alarm))
        return made[-1]

    monkeypatch.setattr(box_io, "InProcessGuard", guard_here)
    return made


async def a_reset(table: TableRig, referee: Referee) -> None:
    """All tiles lie, and a game begins."""
    for tile in table.world.box.tile_ids:
        table.world.hand_moves(tile, Position.SHUT)
    await referee.ask(StartGame(ANN))


async def strike(guard: Watchful, kind: type[BusFault]) -> None:
    """Once pulses have been passing for a moment."""
    await guard.passing.wait()
    await asyncio.sleep(0.2)
    guard.strike(fault(kind))


async def test_a_move_that_stood_still_is_begun_again_by_itself(tmp_path: Path, guards: list[Watchful]) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await a_reset(table, referee)
        await strike(guards[-1], PulsesCut)
        await strike(guards[-1], PulsesCut)
        await until(referee, "awaiting_throw")
        assert {table.world.position(tile) for tile in table.world.box.tile_ids} == {Position.OPEN}
        assert not [each for each in table.journal.entries(1) if "Fault" in type(each.event).__name__]


@pytest.mark.parametrize(("kind", "code", "strikes"), [(PulsesCut, "H-222", 3), (GuardGone, "H-221", 1)])
async def test_a_guard_that_cuts_again_and_again_or_is_gone_halts_the_game_with_its_name(
    tmp_path: Path, guards: list[Watchful], kind: type[BusFault], code: str, strikes: int
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await a_reset(table, referee)
        for _ in range(strikes):
            await strike(guards[-1], kind)
        halted = await until(referee, "halted")
        assert halted.fault is not None
        assert (halted.fault.code, halted.fault.part) == (code, "guard")
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")


async def _moving(referee: Referee) -> None:
    await referee.ask(TakeThrow((5, 3)))
    await referee.ask(Choose(("front-8",)))
    await asyncio.sleep(0.1)


async def _choosing(referee: Referee) -> None:
    await referee.ask(TakeThrow((5, 3)))


async def _parked(referee: Referee) -> None:
    await referee.ask(Park())


async def _awaiting(_referee: Referee) -> None:
    """Nothing more is to be done."""


@pytest.mark.parametrize(
    ("story_before", "moves"), [(_moving, True), (_choosing, False), (_parked, False), (_awaiting, False)]
)
async def test_a_start_begins_by_looking_never_by_moving(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    story_before: Callable[[Referee], Coroutine[None, None, None]],
    moves: bool,
) -> None:
    monkeypatch.setattr("controller.box.simulated.World", WatchedWorld)
    store = tmp_path / "tiles.json"

    async with open_table_rig(tmp_path, store=store) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await story_before(referee)
    async with open_table_rig(tmp_path, store=store) as table, table.referee() as referee:
        await asyncio.sleep(3)
        assert isinstance(table.world, WatchedWorld)
        moments = [moment.what for moment in table.world.moments]
        firsts = {what: moments.index(what) for what in ("look", "enable", "drive") if what in moments}
        assert ("drive" in firsts) == moves
        if moves:
            assert firsts["look"] < firsts["enable"] < firsts["drive"]
            assert table.world.position(FRONT_8) is Position.SHUT
