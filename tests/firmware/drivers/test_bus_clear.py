"""Nine clocks against a chip that holds the data line, bit by bit, and what a box makes of them amid a move."""

import asyncio
import logging

import pytest

from firmware.drivers.bus_clear import clear_bus
from firmware.errors import BusHung, PulsesCut
from firmware.sim.i2c import WorldBusLines
from hardware.box import LONGEST_DRIVE_S, load_box
from hardware.sim.world import World
from hardware.tiles import TileId
from tests.support.firmware_rig import OPEN, SHUT, open_rig
from tests.support.hand_clock import HandClock
from tests.support.true_box import longest_s, stress_of

FRONT_7 = TileId(1, 7)


def new_world() -> World:
    return World(load_box("two-level-9"), HandClock(), 1)


@pytest.mark.parametrize("clocks", range(1, 10))
def test_a_chip_lets_go_once_it_has_sent_its_byte(clocks: int) -> None:
    world = new_world()
    world.stick_bus(clocks)
    with WorldBusLines(world) as lines:
        assert clear_bus(lines)
    assert world.faults == ()


def test_nine_clocks_and_that_of_the_stop_are_given_and_no_more() -> None:
    world = new_world()
    world.stick_bus(11)
    with WorldBusLines(world) as lines:
        assert not clear_bus(lines)
    assert world.faults == ("bus:stuck",)


def test_a_bus_that_nobody_holds_gets_no_clock() -> None:
    world = new_world()
    with WorldBusLines(world) as lines:
        lines.hold_clock = lambda *, low: pytest.fail(f"clock low={low}")  # type: ignore[method-assign]
        assert not clear_bus(lines)


@pytest.mark.parametrize("fault", ["bus:hung", "clock:held"])
def test_what_is_held_for_good_stays_so(fault: str) -> None:
    world = new_world()
    world.hang_bus() if fault == "bus:hung" else world.hold_clock()
    with WorldBusLines(world) as lines:
        assert not clear_bus(lines)
    assert world.faults == (fault,)


def test_a_stop_follows_the_last_clock() -> None:
    """Data rises while the clock is high, and both are free afterwards."""

    class Noted(WorldBusLines):
        def hold_data(self, *, low: bool) -> None:
            edges.append(("data", low, self.clock_is_high()))
            super().hold_data(low=low)

    edges: list[tuple[str, bool, bool]] = []
    world = new_world()
    world.stick_bus(3)
    with Noted(world) as lines:
        assert clear_bus(lines)
        assert lines.clock_is_high()
    assert edges == [("data", True, False), ("data", False, True)]


async def test_a_look_over_a_bus_that_is_stuck_is_made_again_and_nobody_hears_of_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with open_rig() as rig:
        rig.world.stick_bus()
        with caplog.at_level(logging.WARNING):
            seen = await rig.firmware.bank.look()
        assert set(seen.values()) == {OPEN}
        assert rig.firmware.bus.cleared == 1
        assert "bus was stuck and is free again after nine clocks times=1" in caplog.text


@pytest.mark.parametrize("after_s", [0.05, 0.3, 0.55])
async def test_amid_a_move_pulses_are_cut_and_every_board_is_set_up_again_before_they_pass(after_s: float) -> None:
    async with open_rig() as rig:
        rig.world.jam(FRONT_7)
        asyncio.get_running_loop().call_later(after_s, rig.world.stick_bus)
        with pytest.raises(PulsesCut):
            await rig.execute("front-7 SHUT")
        assert rig.firmware.bus.cleared == 1
        assert not rig.output_enabled()
        assert longest_s(stress_of(rig.world)) <= LONGEST_DRIVE_S
        rig.world.lift()
        await rig.execute("front-7 SHUT")
        assert rig.world.position(FRONT_7) is SHUT


async def test_a_bus_that_is_stuck_again_and_again_is_named() -> None:
    async with open_rig() as rig:
        for _ in range(2):
            rig.world.stick_bus()
            await rig.firmware.bank.look()
        rig.world.stick_bus()
        with pytest.raises(BusHung) as caught:
            await rig.firmware.bank.look()
        assert "unplug the boards one by one" in caught.value.cure


async def test_a_bus_that_nine_clocks_do_not_free_is_named_after_they_were_tried() -> None:
    async with open_rig() as rig:
        rig.world.stick_bus(11)
        with pytest.raises(BusHung):
            await rig.firmware.bank.look()
        assert asyncio.get_running_loop().time() == pytest.approx(1.0, abs=0.05)
        assert rig.firmware.bus.cleared == 0
