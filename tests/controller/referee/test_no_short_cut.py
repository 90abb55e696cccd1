"""No short cut: with the wire cut anywhere between game and wood, no game comes to a score."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.box import simulated
from controller.box.faults import apply_faults
from controller.cli.demo import run_demo
from controller.cli.demonstration import DemoOrder
from controller.game.core.commands import StartGame, TryAgain
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, RollDice, TakeThrow
from controller.journal.store import Journal
from controller.referee.referee import Referee, run_referee
from controller.runtime.home import Home
from controller.runtime.output import Exit
from controller.settings import Pace
from firmware.sim.i2c import Pause
from hardware.box import load_box
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.support.long import long_but_every
from tests.support.tables import PLAYERS, until

Demo = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Demo:
    """Run `shutbox demo --json`; its status and the lines it printed."""

    def run_it(*faults: str) -> tuple[int, list[dict[str, Any]]]:
        order = DemoOrder(load_box("two-level-9"), StartGame(PLAYERS, "3-down-extreme"), 1, 1, faults)
        status = run_demo(Home(tmp_path, tmp_path), order, as_json=True)
        return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run_it


def ended_in_a_named_fault(result: tuple[int, list[dict[str, Any]]]) -> dict[str, str]:
    status, lines = result
    assert status == Exit.NO
    [line] = lines
    fault: dict[str, str] = line["fault"]
    assert set(fault) == {"code", "part", "expected", "seen", "cure"}
    assert all(fault.values())
    return fault


def test_writes_that_never_reach_a_servo_board_end_in_a_named_fault(
    demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deaf_to_0x40(world: World, pause: Pause) -> object:
        bus = open_i2c(world, pause)
        write = bus.writeto

        def writeto(address: int, buffer: bytes, **ends: Any) -> None:
            if address != 0x40 or len(buffer) == 0:
                write(address, buffer, **ends)

        bus.writeto = writeto
        return bus

    open_i2c: Callable[[World, Pause], Any] = vars(simulated)["open_i2c"]
    monkeypatch.setattr(simulated, "open_i2c", deaf_to_0x40)

    assert ended_in_a_named_fault(demo())["part"] == "0x40"


def test_pins_that_are_held_end_in_a_named_fault(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    # With every sensor line held high, no magnet is ever seen.
    monkeypatch.setattr(World, "level", lambda _world, _wire: True)

    fault = ended_in_a_named_fault(demo())

    assert fault["code"].startswith("H-3")
    assert "-" in fault["part"]


@pytest.mark.long
def test_grey_frames_end_in_a_named_fault(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    camera: type[Any] = vars(simulated)["SimulatedCamera"]
    capture = camera.capture

    def grey(self: object) -> Any:
        frame = capture(self)
        return replace(frame, pixels=np.full_like(frame.pixels, 128))

    monkeypatch.setattr(camera, "capture", grey)

    assert ended_in_a_named_fault(demo())["code"] == "V-103"


@pytest.mark.parametrize(
    ("fault", "code", "part"),
    [
        ("jam:front-7", "H-301", "front-7"),
        ("silent:0x41", "H-202", "0x41"),
        ("stuck:back-3", "H-302", "back-3"),
        ("bus:hung", "H-201", "i2c"),
        ("camera:frozen", "V-101", "camera"),
        ("camera:dead", "V-102", "camera"),
        ("camera:dark", "V-104", "camera"),
    ],
)
def test_every_fault_ends_the_demonstration_by_its_name(demo: Demo, fault: str, code: str, part: str) -> None:
    found = ended_in_a_named_fault(demo(fault))

    assert (found["code"], found["part"]) == (code, part)


@pytest.mark.long
def test_without_a_fault_the_same_demonstration_comes_to_a_score(demo: Demo) -> None:
    status, [game] = demo()

    assert (status, game["misreads"], sorted(game["scores"])) == (Exit.DONE, 0, ["Ann", "House"])


@asynccontextmanager
async def game_of_ann(folder: Path) -> AsyncIterator[tuple[Referee, World]]:
    """A game on the simulated box with the real eyes, up to the first throw."""
    async with simulated.open_simulated_world(load_box("two-level-9"), seed=1) as (table, world):
        with Journal(folder / "journal.sqlite3") as journal:
            async with run_referee(table, journal, Pace()) as referee:
                await referee.ask(StartGame((Player("Ann"),)))
                await until(referee, "awaiting_throw")
                yield referee, world


async def move(referee: Referee, dice: tuple[int, int], *tiles: str) -> None:
    await referee.ask(TakeThrow(dice))
    await referee.ask(Choose(tiles))


@pytest.mark.parametrize(
    ("fault", "code"), [("silent:0x41", "H-202"), ("stuck:back-3", "H-302"), ("jam:back-3", "H-301")]
)
async def test_once_a_fault_of_the_metal_is_lifted_the_game_goes_on(tmp_path: Path, fault: str, code: str) -> None:
    async with game_of_ann(tmp_path) as (referee, world):
        await move(referee, (3, 4), "front-7")
        await until(referee, "awaiting_throw")
        apply_faults(world, [fault])
        await move(referee, (1, 2), "back-3")
        halted = await until(referee, "halted")
        assert halted.fault is not None
        assert halted.fault.code == code
        # Released: a hand can tip a tile, and put it back.
        world.hand_moves(TileId(1, 9), Position.SHUT)
        world.hand_moves(TileId(1, 9), Position.OPEN)
        world.lift()
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")
        assert world.position(TileId(2, 3)) is Position.SHUT


@pytest.mark.parametrize(
    ("fault", "code"),
    long_but_every(3, [("camera:frozen", "V-101"), ("camera:dead", "V-102"), ("camera:grey", "V-103")]),
)
async def test_once_a_fault_of_the_camera_is_lifted_the_game_goes_on(tmp_path: Path, fault: str, code: str) -> None:
    async with game_of_ann(tmp_path) as (referee, world):
        await referee.ask(RollDice())
        choosing = await until(referee, "choosing")
        await referee.ask(Choose(choosing.moves[0]))
        await until(referee, "awaiting_throw")
        apply_faults(world, [fault])
        halted = await until(referee, "halted")
        assert halted.fault is not None
        assert halted.fault.code == code
        world.lift()
        await referee.ask(TryAgain())
        await until(referee, "awaiting_throw")
        await referee.ask(RollDice())
        read = await until(referee, "choosing")
        assert read.throw == tuple(sorted(die.value for die in world.dice()))


async def test_dice_left_in_the_tray_are_no_throw_after_a_restart(tmp_path: Path) -> None:
    async with simulated.open_simulated_world(load_box("two-level-9"), seed=1) as (table, world):
        world.throw_dice(2)
        await asyncio.sleep(3)
        with Journal(tmp_path / "journal.sqlite3") as journal:
            async with run_referee(table, journal, Pace()) as referee:
                await referee.ask(StartGame((Player("Ann"),)))
                await until(referee, "awaiting_throw")
                await asyncio.sleep(20)
                assert referee.snapshot.phase == "awaiting_throw"
                world.throw_dice(2)
                await until(referee, "choosing")


async def test_dice_that_were_typed_in_are_not_counted_again_by_the_camera(tmp_path: Path) -> None:
    async with game_of_ann(tmp_path) as (referee, world):
        await asyncio.sleep(1)
        apply_faults(world, ["camera:grey"])
        world.throw_dice(2)
        await asyncio.sleep(3)
        await referee.ask(TakeThrow((5, 3)))
        world.lift()
        await referee.ask(Choose(("front-8",)))
        await until(referee, "awaiting_throw")
        await asyncio.sleep(20)
        assert referee.snapshot.phase == "awaiting_throw"
        world.throw_dice(2)
        assert (await until(referee, "choosing")).throw == tuple(sorted(die.value for die in world.dice()))


async def test_a_throw_made_before_it_is_due_counts_once_it_is(tmp_path: Path) -> None:
    async with game_of_ann(tmp_path) as (referee, world):
        await referee.ask(RollDice())
        choosing = await until(referee, "choosing")
        world.throw_dice(2)
        await asyncio.sleep(3)
        await referee.ask(Choose(choosing.moves[0]))
        assert (await until(referee, "moving")).event > choosing.event
        assert (await until(referee, "choosing")).throw == tuple(sorted(die.value for die in world.dice()))
