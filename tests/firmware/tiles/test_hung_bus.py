"""A bus that hangs amid a move: no servo is driven for too long, the bus is named, and then everything goes on."""

import asyncio
import math
from collections.abc import Callable

import pytest

from controller.runtime.clock import JumpingLoop
from firmware.drivers.servo_board import ServoBoard
from firmware.errors import BusHung, ChipSilent, HardwareFault, PulsesCut
from firmware.guard.in_process import InProcessGuard
from hardware.box import LONGEST_DRIVE_S
from hardware.sim.faults import apply_fault
from hardware.tiles import TileId
from tests.support.firmware_rig import OPEN, SHUT, Rig, commands_of, open_rig
from tests.support.long import long_but_every
from tests.support.true_box import longest_s, stress_of

FRONTS = [f"front-{number} SHUT" for number in range(1, 10)]
FRONT_7, BACK_3 = TileId(1, 7), TileId(2, 3)
# Whatever stands still, a servo is let go so long before its time is over.
MARGIN_S = 0.13


def assert_nothing_burns(rig: Rig) -> None:
    driven_s = longest_s(stress_of(rig.world))
    assert driven_s <= LONGEST_DRIVE_S - MARGIN_S, f"driven for {driven_s:.3f} s"


async def hang_amid_a_move(rig: Rig, after_s: float, hang: Callable[[], None]) -> HardwareFault:
    """Six tiles are jammed, and the bus hangs so long after the beginning of the move."""
    for tile in rig.box.tile_ids[:6]:
        rig.world.jam(tile)
    asyncio.get_running_loop().call_later(after_s, hang)
    with pytest.raises(HardwareFault) as caught:
        await rig.execute(*FRONTS)
    return caught.value


@pytest.mark.parametrize("hang_s", long_but_every(4, [0.6, 1.0, 5.0, math.inf]))
@pytest.mark.parametrize("after_s", [0.0, 0.1, 0.3, 0.57, 0.59])
async def test_a_bus_that_hangs_amid_a_move_of_jammed_tiles(after_s: float, hang_s: float) -> None:
    async with open_rig() as rig:
        hang = rig.world.hold_clock if math.isinf(hang_s) else lambda: rig.world.hang_bus(hang_s)
        fault = await hang_amid_a_move(rig, after_s, hang)
        assert isinstance(fault, BusHung)
        assert (fault.code, fault.fault.part) == ("H-201", "i2c")
        assert "unplug the boards one by one" in fault.cure
        assert not rig.output_enabled()
        assert_nothing_burns(rig)
        rig.world.lift()
        await asyncio.sleep(min(hang_s, 5.0))
        await rig.execute(*FRONTS)
        assert rig.world.position(FRONT_7) is SHUT
        assert_nothing_burns(rig)


@pytest.mark.parametrize("after_s", [0.1, 0.5, 0.59])
@pytest.mark.parametrize("held_s", [0.49, 3.0])
async def test_a_loop_that_is_held_up_amid_a_move_of_jammed_tiles(after_s: float, held_s: float) -> None:
    """The loop does nothing; a thread of its own cuts."""
    async with open_rig() as rig:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, JumpingLoop)
        fault = await hang_amid_a_move(rig, after_s, lambda: loop.hold_up(held_s))
        assert isinstance(fault, HardwareFault)
        assert_nothing_burns(rig)
        rig.world.lift()
        await rig.execute(*FRONTS)
        assert_nothing_burns(rig)


async def test_what_was_cut_since_it_lasted_too_long_is_blamed_on_no_tile() -> None:
    async with open_rig() as rig:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, JumpingLoop)
        fault = await hang_amid_a_move(rig, 0.3, lambda: loop.hold_up(0.49))
        assert isinstance(fault, PulsesCut)
        assert (fault.code, fault.fault.part) == ("H-222", "/OE")


async def test_who_stops_all_servos_has_them_cut_at_once_whatever_the_bus_is_doing() -> None:
    async with open_rig() as rig:
        await rig.firmware.servos.arm()
        await rig.firmware.servos.drive(rig.box.tiles[FRONT_7].servo, 2000)
        rig.world.hold_clock()
        looking = asyncio.ensure_future(rig.firmware.bank.look())
        await asyncio.sleep(0.01)
        assert rig.output_enabled(), "the look hangs, and nobody knows it yet"
        stopping = asyncio.ensure_future(rig.firmware.servos.stop_all())
        await asyncio.sleep(0)
        assert not rig.output_enabled()
        assert isinstance(await stopping, BusHung)
        with pytest.raises(BusHung):
            await looking
        assert_nothing_burns(rig)


async def test_the_first_look_over_a_bus_that_is_back_tells_servos_to_stop_that_could_not_be_told() -> None:
    """Until then /OE alone keeps them still: were it shorted to ground now, they would stall on."""
    async with open_rig() as rig:
        fault = await hang_amid_a_move(rig, 0.05, rig.world.hold_clock)
        assert isinstance(fault, BusHung)
        assert not rig.is_quiet(), "nobody could tell them"
        rig.world.lift()
        await asyncio.sleep(1.5)
        await rig.firmware.bank.look()
        assert rig.is_quiet()
        assert not rig.output_enabled()


async def test_a_drive_that_comes_back_late_drives_nothing() -> None:
    """The clock is held as a servo is to be driven, and let go when nobody waits for it any more."""
    async with open_rig() as rig:
        await rig.firmware.servos.arm()
        rig.world.hold_clock()
        with pytest.raises(BusHung):
            await rig.firmware.servos.drive(rig.box.tiles[FRONT_7].servo, 2000)
        drives = rig.drives()
        await asyncio.sleep(3.0)
        rig.world.lift()
        await asyncio.sleep(0.1)
        assert rig.drives() == drives
        assert not rig.output_enabled()


async def test_an_arming_that_comes_back_late_lets_no_pulse_pass() -> None:
    async with open_rig() as rig:
        rig.world.hold_clock()
        with pytest.raises(BusHung):
            await rig.firmware.servos.arm()
        rig.world.lift()
        await asyncio.sleep(0.1)
        assert not rig.output_enabled()


async def test_a_servo_that_is_driven_still_keeps_pulses_off_until_its_board_has_heard() -> None:
    async with open_rig() as rig:
        wire = rig.box.tiles[FRONT_7].servo
        await rig.firmware.servos.arm()
        await rig.firmware.servos.drive(wire, 2000)
        rig.world.hang_bus()
        with pytest.raises(BusHung):
            await rig.firmware.servos.release(wire)
        rig.world.lift()
        await asyncio.sleep(1.0)
        await rig.firmware.servos.arm()
        assert rig.is_quiet()
        assert rig.output_enabled()
        await asyncio.sleep(2.0)
        assert rig.output_enabled(), "what has ended is not cut off"


async def test_a_board_that_is_done_without_keeps_pulses_off_while_it_may_still_send_some() -> None:
    async with open_rig() as rig:
        servos, wire = rig.firmware.servos, rig.box.tiles[BACK_3].servo
        await servos.arm()
        await servos.drive(wire, 1500)
        rig.world.silence(wire.board)
        with pytest.raises(ChipSilent):
            await servos.release(wire)
        servos.set_aside(wire.board)
        with pytest.raises(ChipSilent):
            await servos.arm()
        assert not rig.output_enabled()
        rig.world.lift()
        await servos.arm()
        assert rig.output_enabled()
        assert rig.is_quiet()


async def test_a_servo_that_is_driven_anew_without_a_pause_is_cut_when_its_first_drive_has_lasted_too_long() -> None:
    async with open_rig() as rig:
        servos, wire = rig.firmware.servos, rig.box.tiles[FRONT_7].servo
        rig.world.jam(FRONT_7)
        await servos.arm()
        for pulse_us in (2000, 1990, 2000):
            await servos.drive(wire, pulse_us)
            await asyncio.sleep(0.3)
        assert not rig.output_enabled()
        assert_nothing_burns(rig)


async def test_of_several_drives_the_one_that_has_to_end_first_is_cut_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    told_s: list[float] = []
    monkeypatch.setattr(InProcessGuard, "allow_until", lambda _guard, at_s: told_s.append(at_s))
    async with open_rig() as rig:
        servos, first, second = rig.firmware.servos, rig.box.tiles[FRONT_7].servo, rig.box.tiles[BACK_3].servo
        cut_s = rig.box.motion.cut_s
        await servos.arm()
        told_s.clear()
        begun_s = asyncio.get_running_loop().time()
        await servos.drive(first, 2000)
        await asyncio.sleep(0.3)
        await servos.drive(second, 2000)
        await servos.release(first)
        await servos.release(second)
        due_s = [begun_s + cut_s, begun_s + cut_s, begun_s + 0.3 + cut_s]
        assert told_s == [*(pytest.approx(at_s, abs=0.002) for at_s in due_s), math.inf]


@pytest.mark.parametrize("keeps", [True, False])
async def test_the_guard_hears_of_a_drive_before_the_servo_does_and_of_its_end_after_it(
    monkeypatch: pytest.MonkeyPatch, keeps: bool
) -> None:
    """Whatever then hangs, and wherever, the drive ends in time.

    keeps: whether the board takes that its pulse ends where it begins.
    """
    if not keeps:
        monkeypatch.setattr(ServoBoard, "end_pulses", lambda *_: False)
    told: list[tuple[float, bool]] = []
    allow_until = InProcessGuard.allow_until

    async with open_rig() as rig:

        def noted(guard: InProcessGuard, at_s: float) -> None:
            told.append((at_s, rig.is_quiet()))
            allow_until(guard, at_s)

        servos, wire = rig.firmware.servos, rig.box.tiles[FRONT_7].servo
        await servos.arm()
        monkeypatch.setattr(InProcessGuard, "allow_until", noted)
        begun_s = asyncio.get_running_loop().time()
        await servos.drive(wire, 2000)
        await servos.release(wire)
        assert told == [(pytest.approx(begun_s + rig.box.motion.cut_s, abs=0.001), True), (math.inf, True)]


@pytest.mark.parametrize("after_s", [number / 100 for number in range(1, 40, 4)])
async def test_a_cancelled_move_ends_when_every_board_has_heard_the_last_release(after_s: float) -> None:
    async with open_rig() as rig:
        moving = asyncio.ensure_future(rig.firmware.bank.execute(commands_of(FRONTS)))
        await asyncio.sleep(after_s)
        moving.cancel()
        await asyncio.sleep(0)
        moving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await moving
        assert rig.is_quiet()


async def test_who_is_cancelled_again_while_a_servo_is_let_go_still_waits_until_its_board_has_heard() -> None:
    async with open_rig() as rig:
        servos, wire = rig.firmware.servos, rig.box.tiles[FRONT_7].servo
        await servos.arm()
        driving = asyncio.ensure_future(servos.pulse_for(wire, 2000, 0.5))
        await asyncio.sleep(0.1)
        looking = asyncio.ensure_future(rig.firmware.bank.look())
        await asyncio.sleep(0)
        for _ in range(2):
            driving.cancel()
            await asyncio.sleep(0)
        assert not rig.is_quiet(), "the bus is busy with the look"
        with pytest.raises(asyncio.CancelledError):
            await driving
        assert rig.is_quiet()
        await looking


async def test_a_loose_contact_is_named_and_burns_nothing() -> None:
    async with open_rig(seed=3) as rig:
        apply_fault(rig.world, "contact:loose")
        codes = set()
        for _ in range(10):
            for command in ("SHUT", "OPEN"):
                try:
                    await rig.execute(f"front-7 {command}")
                except HardwareFault as fault:
                    codes.add(fault.code)
                    assert not rig.output_enabled()
        assert codes == {"H-201"}
        rig.world.lift()
        await rig.execute("front-7 SHUT")
        await rig.execute("front-7 OPEN")
        assert rig.world.position(FRONT_7) is OPEN
        assert_nothing_burns(rig)
