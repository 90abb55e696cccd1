"""Halts, pauses and ends amid a bus that fails: what the box says then, and how it goes on."""

import asyncio
from pathlib import Path

import pytest

from controller.game.core.commands import Abandon, Believe, GoOn, Park, ReportFault, StartGame, TryAgain
from controller.game.core.interruption import describe_fault
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.table.snapshot import Snapshot
from controller.referee.referee import Referee
from firmware.errors import BusHung, TileJammed
from firmware.tiles.bank import TileBank
from hardware.tiles import Position, TileId
from tests.support.said import said
from tests.support.tables import open_table_rig, until

ANN = (Player("Ann"),)
FRONT_8 = TileId(1, 8)
_FAULT = BusHung("i2c", expected="every transfer to end", seen="one that hangs").fault


_TOLD = said(describe_fault(_FAULT))


@pytest.fixture
def releases(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When the servos were to be let go over a bus that hangs."""
    times: list[float] = []

    async def hangs(_bank: TileBank) -> BusHung:
        times.append(asyncio.get_running_loop().time())
        return BusHung(_FAULT.part, expected=_FAULT.expected, seen=_FAULT.seen)

    monkeypatch.setattr(TileBank, "release", hangs)
    return times


async def test_a_game_is_over_though_the_bus_hangs_and_that_is_told_once(tmp_path: Path, releases: list[float]) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        releases.clear()
        await referee.ask(Abandon())
        number = (await until(referee, "ended", notice=_TOLD)).number
        await asyncio.sleep(30)
        assert (len(releases), referee.snapshot.number) == (1, number)


async def test_an_idle_box_tells_what_is_wrong_with_its_bus(tmp_path: Path, releases: list[float]) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await until(referee, "idle", notice=_TOLD)
        await asyncio.sleep(30)
        assert len(releases) == 1


@pytest.mark.usefixtures("releases")
async def test_a_pause_stays_a_pause_though_the_bus_hangs(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await referee.ask(Park())
        assert (await until(referee, "parked", notice=_TOLD)).fault is None
        await asyncio.sleep(30)
        assert referee.snapshot.phase == "parked"


@pytest.mark.usefixtures("releases")
async def test_people_are_asked_about_the_fault_that_halted_the_game(tmp_path: Path) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        jam = TileJammed("front-8", expected="SHUT", seen="OPEN").fault
        await referee.ask(ReportFault(jam))
        halted = await until(referee, "halted", notice=_TOLD)
        await asyncio.sleep(30)
        assert referee.snapshot.fault == halted.fault == jam
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")


async def test_who_frees_the_bus_and_answers_at_once_is_asked_no_more(tmp_path: Path) -> None:
    """The kernel still waits for the transfer that hung."""
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await referee.ask(TakeThrow((5, 3)))
        table.world.hang_bus()
        await referee.ask(Choose(("front-8",)))
        await until(referee, "halted")
        events = len(table.journal.entries(1))
        table.world.lift()
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")
        assert [entry.event.kind for entry in table.journal.entries(1)][events:] == ["game_resumed", "tiles_confirmed"]


async def test_an_expander_that_lost_its_registers_for_the_last_time_before_the_answer_is_looked_at_again(
    tmp_path: Path,
) -> None:
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        for _ in range(3):
            await referee.ask(Park())
            table.world.forget(0x20)
            await referee.ask(GoOn())
            assert (await until_at_rest(referee)).phase == "awaiting_throw"


async def test_after_a_restart_a_hand_at_a_tile_that_somebody_vouched_for_is_seen_from_the_first_moment(
    tmp_path: Path,
) -> None:
    wood = tmp_path / "wood.json"
    async with open_table_rig(tmp_path, store=wood) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        table.world.stick_not_shut(FRONT_8)
        await referee.ask(TakeThrow((5, 3)))
        await referee.ask(Choose((str(FRONT_8),)))
        await until(referee, "halted")
        table.world.hand_moves(FRONT_8, Position.SHUT)
        await referee.ask(Believe())
        await until(referee, "awaiting_throw")
    async with open_table_rig(tmp_path, store=wood) as table, table.referee() as referee:
        await asyncio.sleep(0.1)
        table.world.hand_moves(FRONT_8, Position.OPEN)
        fault = (await until(referee, "halted")).fault
        assert fault is not None
        assert (fault.code, fault.part, fault.seen) == ("H-303", "front-8", "OPEN")


async def until_at_rest(referee: Referee) -> Snapshot:
    """The snapshot after the tiles have moved."""
    async with asyncio.timeout(60), referee.watch() as snapshots:
        while (snapshot := await snapshots.get()).phase == "moving":
            pass
        return snapshot


async def test_a_game_is_paused_though_the_bus_hangs_as_its_tiles_are_let_go(tmp_path: Path) -> None:
    """The job that is called off fails then, and who called it off waits for its end."""
    async with open_table_rig(tmp_path) as table, table.referee() as referee:
        await referee.ask(StartGame(ANN))
        await until(referee, "awaiting_throw")
        await referee.ask(TakeThrow((5, 3)))
        await referee.ask(Choose((str(FRONT_8),)))
        await asyncio.sleep(0.1)
        table.world.hang_bus()
        async with asyncio.timeout(10):
            assert (await referee.ask(Park())).phase == "parked"
            await until(referee, "parked", notice="H-201")
        table.world.lift()
        await referee.ask(GoOn())
        await until(referee, "awaiting_throw")
        assert table.world.position(FRONT_8) is Position.SHUT
