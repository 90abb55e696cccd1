"""Moves under a guard that stops pulses on its own: noticed before the next pulse, and begun anew by looking."""

import asyncio

import pytest

from firmware import box_io
from firmware.box_io import open_firmware
from firmware.errors import BusFault, GuardGone, PulsesCut
from firmware.guard.in_process import InProcessGuard
from firmware.guard.line import OutputEnableLine
from firmware.messages import TileCommand
from firmware.sim.i2c import open_i2c
from firmware.sim.pins import open_pin_factory
from firmware.sim.remote import SimulatedComputer
from firmware.sim.worker import SimulatedWorker, WorldAlarm
from firmware.wire import OpenAlarm
from hardware.box import load_box
from hardware.tiles import Position
from tests.support.firmware_rig import open_over
from tests.support.true_box import fail_at_once
from tests.support.watched_world import WatchedWorld

BOX = load_box("two-level-9")
FRONTS, BACKS = BOX.servo_boards
ALL_SHUT = [TileCommand(tile, Position.SHUT) for tile in BOX.tile_ids]


class Watchful(InProcessGuard):
    """A guard that a test makes cut by itself."""

    def __init__(self, line: OutputEnableLine, open_alarm: OpenAlarm) -> None:
        super().__init__(line, open_alarm)
        self.passing = asyncio.Event()
        self.trouble: BusFault | None = None

    def enable(self) -> None:
        self.trouble = None
        self.passing.set()
        super().enable()

    def strike(self, trouble: BusFault) -> None:
        self.passing.clear()
        self.cut()
        self.trouble = trouble

    def check(self) -> None:
        if self.trouble is not None:
            raise self.trouble


def fault(kind: type[BusFault]) -> BusFault:
    return kind("guard", expected="life", seen="none")


@pytest.mark.parametrize("kind", [PulsesCut, GuardGone])
@pytest.mark.parametrize("after_s", [0.03, 0.2, 0.4])
async def test_pulses_that_the_guard_cut_are_blamed_on_no_tile_and_nothing_goes_on_blindly(
    monkeypatch: pytest.MonkeyPatch, kind: type[BusFault], after_s: float
) -> None:
    world = WatchedWorld(BOX, asyncio.get_running_loop().time, 1)
    pins = open_pin_factory(world)
    guard = Watchful(OutputEnableLine(BOX.panel.output_enable, pins), lambda ring: WorldAlarm(world, ring))
    monkeypatch.setattr(box_io, "join_guard", lambda _places: guard)
    async with open_firmware(
        BOX,
        open_i2c=lambda: open_i2c(world, fail_at_once),
        open_pins=lambda: pins,
        executor=SimulatedWorker(lambda: False),
        computer=SimulatedComputer(world),
    ) as firmware:
        moving = asyncio.ensure_future(firmware.bank.execute(ALL_SHUT))
        await asyncio.sleep(after_s)
        assert world.pulses
        guard.strike(fault(kind))
        assert not world.pulses
        with pytest.raises(kind):
            await moving
        struck = len(world.moments)
        await firmware.bank.execute(ALL_SHUT)
        assert all(world.position(tile) is Position.SHUT for tile in BOX.tile_ids)
        after = [moment.what for moment in list(world.moments)[struck:]]
    assert after[0] == "look"
    assert "drive" not in after[: after.index("enable")]


async def test_no_pulse_passes_while_a_board_that_lost_its_registers_is_set_up_again() -> None:
    """Amid the move of a tile of another board: what the lost one sends meanwhile nobody knows."""
    world = WatchedWorld(BOX, asyncio.get_running_loop().time, 1)
    async with open_over(world, BOX) as firmware:
        moving = asyncio.ensure_future(firmware.bank.execute(ALL_SHUT))
        await asyncio.sleep(0.05)
        assert {wire.board for wire in world.pulses} == {FRONTS}, "no tile of the other board moves yet"
        world.forget(BACKS)
        lost = len(world.moments)
        await moving
        after = list(world.moments)[lost:]
    first_drive = next(
        number for number, each in enumerate(after) if each.what == "drive" and each.wire.startswith(f"0x{BACKS:02x}/")
    )
    switched = [moment.what for moment in after[:first_drive] if moment.what in ("cut", "enable")]
    assert switched == ["cut", "enable"]
