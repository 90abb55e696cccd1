"""A broken box: each fault has its name, nothing burns, and what can be mended is."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import cast

import pytest

from firmware.errors import (
    BusHung,
    ChipDeaf,
    ChipForgot,
    ChipSilent,
    DeviceMissing,
    HardwareFault,
    SensorChatters,
    SensorDoubtful,
    TileInTheWay,
    TileJammed,
)
from firmware.messages import TileCommand
from firmware.wire import I2CBus, PinFactory
from hardware.box import Supply
from hardware.sim.faults import apply_fault
from hardware.tiles import Position, TileId
from hardware.wires import GpioPin, ServoChannel
from tests.support.firmware_rig import OPEN, SHUT, Rig, commands_of, open_rig
from tests.support.small_box import rigid_box, small_box
from tests.support.true_box import dip, stress_of

FRONT_7, BACK_3 = TileId(1, 7), TileId(2, 3)
RIGID = rigid_box()


async def fault_of(rig: Rig, *commands: str) -> HardwareFault:
    with pytest.raises(HardwareFault) as caught:
        await rig.execute(*commands)
    assert rig.is_quiet() or not rig.output_enabled(), "nothing is driven any more"
    return caught.value


async def test_a_jammed_tile_is_named_and_never_driven_for_long() -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, "jam:front-7")
        fault = await fault_of(rig, "front-7 SHUT")
        assert isinstance(fault, TileJammed)
        assert (fault.code, fault.fault.part) == ("H-301", "front-7")
        assert (fault.fault.expected, fault.fault.seen) == ("SHUT", "OPEN")
        assert fault.fault.cure
        driven_s = rig.driven_s(FRONT_7)
        tries, rests = driven_s[::2], driven_s[1::2]
        assert len(tries) == rig.box.motion.attempts == len(rests)
        assert max(tries) <= 0.7, "let go over the bus long before 0.8 s are over"
        assert max(rests) <= 0.35, "the rod lets the tile go, and settles"
        # A stalled servo that is driven again at once would not have cooled at all.
        cooled_s = [pause_s for pause_s in rig.rests_s(FRONT_7) if pause_s > 0.1]
        # After the last frame of each drive, and with a look at the whole board.
        assert cooled_s == pytest.approx([0.324, 0.624, 0.324], abs=0.003)
        assert rig.is_quiet()


async def test_no_further_try_is_made_once_another_tile_is_in_the_way() -> None:
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        apply_fault(rig.world, "jam:back-3")
        asyncio.get_running_loop().call_later(0.3, rig.world.hand_moves, FRONT_7, OPEN)
        await fault_of(rig, "back-3 SHUT")
        assert len(rig.driven_s(BACK_3)) == 2, "one try, and to rest"


async def test_a_jammed_tile_on_a_rigid_rod_cools_after_it_was_moved_back_too() -> None:
    async with open_rig(RIGID) as rig:
        apply_fault(rig.world, "jam:front-7")
        await fault_of(rig, "front-7 SHUT")
        tries_and_moves_back = rig.driven_s(FRONT_7)
        assert len(tries_and_moves_back) == 5
        assert min(rig.rests_s(FRONT_7)) > 0.3


async def test_a_late_tile_on_a_rigid_rod_is_not_driven_beyond_its_time_to_come_to_rest() -> None:
    async with open_rig(RIGID) as rig:
        apply_fault(rig.world, "slow:front-7")
        await rig.execute("front-7 SHUT")
        assert max(rig.driven_s(FRONT_7)) <= rig.box.motion.give_up_s + 0.01


@pytest.mark.parametrize(("tile", "target", "other"), [("front-7", SHUT, "back-3"), ("back-3", OPEN, "front-7")])
async def test_a_tile_that_is_stuck_is_not_moved_back_against_its_neighbour(
    tile: str, target: Position, other: str
) -> None:
    """A front tile is not lifted under a back tile that lies, nor a back tile tipped on to a front one that stands.

    With a rigid rod: a slotted one only lets the tile go.
    """
    async with open_rig(RIGID) as rig:
        rig.world._cuts.runt_us = lambda *_: None  # type: ignore[method-assign]
        if target is SHUT:
            await rig.execute("front-7 SHUT", "back-3 SHUT")
        stuck = TileId.parse(tile)
        wiring = rig.box.tiles[stuck]
        line = wiring.shut if target is SHUT else wiring.open
        assert line is not None
        rig.world.hold([line], high=True)
        rig.world.pulses.clear()
        fault = await fault_of(rig, f"{tile} {target}")
        assert isinstance(fault, TileJammed)
        assert fault.fault.seen == "BETWEEN"
        assert len(rig.driven_s(stuck)) == rig.box.motion.attempts, "and never back"
        assert not rig.driven_s(TileId.parse(other))
        assert not stress_of(rig.world).pushed


async def test_a_tile_that_shows_late_is_let_go_in_time_though_its_way_may_not_be_over() -> None:
    async with open_rig() as rig:
        wiring = rig.box.tiles[FRONT_7]
        rig.world.hold([wiring.shut], high=True)
        drive, late_s = rig.world.drive, rig.box.motion.give_up_s - 0.05

        def drive_and_show_late(wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
            drive(wire, pulse_us, on_us)
            if pulse_us is not None:
                asyncio.get_running_loop().call_later(late_s, rig.world.let_go, [wiring.shut])

        rig.world.drive = drive_and_show_late  # type: ignore[method-assign]
        await rig.execute("front-7 SHUT")
        shut_s, rest_s = rig.driven_s(FRONT_7)
        assert shut_s <= rig.box.motion.give_up_s + 0.005
        assert rest_s < 0.35, "its rod comes to rest in a drive of its own"


async def test_the_jam_over_the_tile_moves_again() -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, "jam:front-7")
        await fault_of(rig, "front-7 SHUT")
        rig.world.lift()
        await rig.execute("front-7 SHUT")
        assert rig.world.position(FRONT_7) is SHUT


async def test_after_a_jam_all_others_still_move_but_those_that_wait_for_it() -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, "jam:front-1")
        fault = await fault_of(rig, *(f"{tile} SHUT" for tile in rig.box.tile_ids))
        assert fault.fault.part == "front-1"
        left = {tile for tile in rig.box.tile_ids if rig.world.position(tile) is not SHUT}
        assert left == {TileId(1, 1), TileId(2, 9)}
        assert not rig.driven_s(TileId(2, 9)), "the tile behind the jammed one never started"


async def test_when_several_jam_nothing_else_starts() -> None:
    async with open_rig() as whole:
        weak = whole.box.model_copy(update={"supply": Supply(limit_a=1.0)})
    async with open_rig(weak) as rig:
        for number in (1, 2, 3):
            apply_fault(rig.world, f"unplugged:front-{number}")
        fault = await fault_of(rig, *(f"front-{number} SHUT" for number in range(1, 10)))
        assert fault.fault.part == "front-1"
        assert not any(rig.driven_s(TileId(1, number)) for number in range(4, 10))


@pytest.mark.parametrize("seed", range(6))
async def test_a_slow_servo_arrives(seed: int) -> None:
    async with open_rig(seed=seed) as rig:
        apply_fault(rig.world, "slow:front-7")
        for position in (SHUT, OPEN):
            await rig.execute(f"front-7 {position}")
            assert rig.world.position(FRONT_7) is position


async def test_a_sensor_stuck_at_no_is_doubted_when_the_tile_left() -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, "stuck:front-7")
        fault = await fault_of(rig, "front-7 SHUT")
        assert isinstance(fault, SensorDoubtful)
        assert (fault.code, fault.fault.part) == ("H-302", "front-7")
        assert (fault.fault.expected, fault.fault.seen) == ("SHUT", "BETWEEN")


async def test_a_sensor_stuck_at_yes_contradicts_the_other() -> None:
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        apply_fault(rig.world, "stuck:front-7")
        fault = await fault_of(rig, "front-7 OPEN")
        assert isinstance(fault, SensorDoubtful)
        assert fault.fault.seen == "SHUT and OPEN at once"
        assert (await rig.firmware.bank.look())[FRONT_7] is Position.UNKNOWN


@pytest.mark.parametrize("seed", range(8))
async def test_a_chattering_sensor_is_named(seed: int) -> None:
    async with open_rig(seed=seed) as rig:
        apply_fault(rig.world, "chatter:front-7")
        fault = await fault_of(rig, "front-7 SHUT")
        assert isinstance(fault, SensorChatters)
        assert (fault.code, fault.fault.part) == ("H-304", "front-7")


async def test_a_sensor_that_chatters_at_rest_does_not_invent_a_move() -> None:
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        apply_fault(rig.world, "chatter:front-7")
        for _ in range(50):
            await asyncio.sleep(0.05)
            assert (await rig.firmware.bank.look())[FRONT_7] is SHUT


async def test_a_tile_behind_a_standing_one_is_refused_by_name() -> None:
    async with open_rig() as rig:
        fault = await fault_of(rig, "back-3 SHUT")
        assert isinstance(fault, TileInTheWay)
        assert (fault.code, fault.fault.part, fault.fault.seen) == ("H-305", "front-7", "OPEN")
        assert rig.drives() == 0


async def test_a_tile_that_cannot_be_seen_blocks_the_one_behind_it() -> None:
    async with open_rig() as rig:
        await rig.execute("front-7 SHUT")
        apply_fault(rig.world, "stuck:front-7")
        rig.world.hand_moves(FRONT_7, OPEN)
        fault = await fault_of(rig, "back-3 SHUT")
        assert isinstance(fault, SensorDoubtful)
        assert fault.fault.part == "front-7"


@pytest.mark.parametrize("chip", ["0x40", "0x41", "0x20", "0x21"])
async def test_a_silent_chip_is_named(chip: str) -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, f"silent:{chip}")
        fault = await fault_of(rig, "front-7 SHUT", "back-3 SHUT")
        assert isinstance(fault, ChipSilent)
        assert (fault.code, fault.fault.part) == ("H-202", chip)


@pytest.mark.parametrize("name", ["silent:0x40", "silent:0x20", "bus:hung"])
async def test_electronics_that_fail_in_the_middle_of_a_move_cut_all_pulses(name: str) -> None:
    async with open_rig() as rig:
        task = asyncio.ensure_future(fault_of(rig, *(f"{tile} SHUT" for tile in rig.box.tile_ids)))
        await asyncio.sleep(0.06)
        assert rig.output_enabled()
        apply_fault(rig.world, name)
        fault = await task
        assert fault.code == ("H-201" if name == "bus:hung" else "H-202")
        assert not rig.output_enabled() or rig.is_quiet()
        rig.world.lift()
        await rig.execute(*(f"{tile} SHUT" for tile in rig.box.tile_ids))
        assert rig.positions() == {SHUT}


async def test_a_hung_bus_is_no_silent_chip() -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, "bus:hung")
        fault = await fault_of(rig, "front-7 SHUT")
        assert isinstance(fault, BusHung)
        assert (fault.code, fault.fault.part) == ("H-201", "i2c")
        with pytest.raises(BusHung):
            await rig.firmware.bank.look()


@pytest.mark.parametrize("address", [0x40, 0x20])
async def test_a_chip_that_forgets_once_is_set_up_again(address: int) -> None:
    async with open_rig() as rig:
        await rig.execute("front-1 SHUT")
        task = asyncio.ensure_future(rig.execute("front-7 SHUT"))
        await asyncio.sleep(0.05)
        rig.world.forget(address)
        await task
        assert rig.world.position(FRONT_7) is SHUT
        rig.world.forget(address)
        await rig.execute("front-7 OPEN")
        assert rig.world.position(FRONT_7) is OPEN


async def test_a_try_in_which_the_board_lost_its_registers_is_not_the_tiles() -> None:
    async with open_rig() as rig:
        moving = asyncio.ensure_future(rig.firmware.bank.execute(commands_of(["front-7 SHUT"])))
        await asyncio.sleep(0.05)
        rig.world.forget(0x40)
        (report,) = await moving
        assert len(rig.driven_s(FRONT_7)) == 2
        assert report.tries == 1


@pytest.mark.parametrize("chip", ["0x40", "0x20"])
async def test_a_chip_that_keeps_forgetting_is_named(chip: str) -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, f"forgot:{chip}")
        fault = await fault_of(rig, *(f"{t} SHUT" for t in rig.box.tile_ids if t.row == 1))
        assert isinstance(fault, ChipForgot)
        assert (fault.code, fault.fault.part) == ("H-203", chip)


async def test_losing_registers_now_and_then_is_forgiven() -> None:
    async with open_rig() as rig:
        for position in (SHUT, OPEN) * 4:
            rig.world.forget(0x40)
            await rig.execute(f"front-7 {position}")
            await asyncio.sleep(20)


class Swallowing:
    """The first of it answers, but writes to `address` go nowhere once `deaf` is set."""

    def __init__(self, i2c: I2CBus, address: int) -> None:
        self._i2c = i2c
        self._address = address
        self.deaf = True

    def __getattr__(self, name: str) -> Callable[..., object]:
        method: Callable[..., object] = getattr(self._i2c, name)
        return method

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        if address == self._address and self.deaf:
            return
        self._i2c.writeto(address, buffer, start=start, end=end)


@pytest.mark.parametrize("address", [0x40, 0x20])
async def test_a_chip_that_swallows_writes_is_named_and_nothing_is_enabled(address: int) -> None:
    async with open_rig(wrap_i2c=lambda i2c: Swallowing(i2c, address)) as rig:  # type: ignore[arg-type, return-value]
        fault = await fault_of(rig, "front-7 SHUT")
        assert isinstance(fault, ChipDeaf)
        assert (fault.code, fault.fault.part) == ("H-204", f"0x{address:02x}")
        assert not rig.output_enabled()


@pytest.mark.parametrize("after_s", [None, 0.05])
async def test_a_chip_that_begins_to_swallow_writes_is_named(after_s: float | None) -> None:
    """Before the move the pulses are not taken; in the middle of it they cannot be stopped but by /OE."""

    wires: list[Swallowing] = []

    def wrap(i2c: I2CBus) -> I2CBus:
        wires.append(Swallowing(i2c, 0x40))
        wires[0].deaf = False
        return wires[0]  # type: ignore[return-value]

    async with open_rig(wrap_i2c=wrap) as rig:
        await rig.execute("front-1 SHUT")
        if after_s is None:
            wires[0].deaf = True
            fault = await fault_of(rig, "front-7 SHUT")
        else:
            task = asyncio.ensure_future(fault_of(rig, "front-7 SHUT"))
            await asyncio.sleep(after_s)
            wires[0].deaf = True
            fault = await task
        assert isinstance(fault, ChipDeaf)
        assert fault.fault.part == "0x40"
        assert not rig.output_enabled()


@pytest.mark.parametrize(("high", "command"), [(True, "SHUT"), (False, "SHUT"), (False, "OPEN")])
async def test_shut_lines_held_at_a_level_are_no_success(high: bool, command: str) -> None:
    """Every shut line shorted to its pull-up never says SHUT; shorted to ground it says nothing else."""

    async with open_rig("classic-9") as rig:
        await rig.execute("front-7 SHUT" if command == "OPEN" else "front-7 OPEN")
        rig.world.hold({wiring.shut for wiring in rig.box.tiles.values()}, high=high)
        fault = await fault_of(rig, f"front-7 {command}")
        assert isinstance(fault, SensorDoubtful)
        assert (fault.code, fault.fault.part) == ("H-302", "front-7")


async def test_a_dip_of_the_logics_supply_amid_a_move_is_survived() -> None:
    """Every chip loses its registers at once, and the box finds its way back."""

    async with open_rig() as rig:
        await rig.execute("front-1 SHUT")
        moving = asyncio.ensure_future(rig.execute("front-7 SHUT"))
        await asyncio.sleep(0.05)
        dip(rig.world)
        await moving
        assert rig.world.position(FRONT_7) is SHUT


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_dip_amid_a_move_of_many_tiles_is_a_try_of_none_of_them(seed: int) -> None:
    async with open_rig(seed=seed) as rig:
        moving = asyncio.ensure_future(
            rig.firmware.bank.execute([TileCommand(tile, SHUT) for tile in rig.box.tile_ids])
        )
        await asyncio.sleep(0.15)
        dip(rig.world)
        assert {report.tries for report in await moving} == {1}


async def test_a_tile_with_one_sensor_that_says_nothing_is_told_by_all_that_it_may_be() -> None:
    async with open_rig(small_box(1, 4, sees_open=False)) as rig:
        apply_fault(rig.world, "stuck-open:front-4")
        fault = await fault_of(rig, "front-4 SHUT")
        assert str(fault).startswith("H-301 front-4: expected SHUT, seen OPEN. ")
        assert "servo horn is tight; if the tile is where it should be, its sensor or magnet is at fault." in fault.cure


async def test_every_fault_says_who_what_and_what_to_do() -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, "jam:back-3")
        await rig.execute("front-7 SHUT")
        fault = await fault_of(rig, "back-3 SHUT")
        assert str(fault).startswith("H-301 back-3: expected SHUT, seen OPEN. ")
        assert fault.cure in str(fault)


def note_output_enable(rig: Rig) -> list[bool | None]:
    """The levels to which /OE is switched from now on."""
    levels: list[bool | None] = []
    set_line = rig.world.set_line

    def noted(wire: GpioPin, high: bool | None) -> None:
        set_line(wire, high)
        if wire == rig.box.panel.output_enable:
            levels.append(high)

    rig.world.set_line = noted  # type: ignore[method-assign]
    return levels


class Gated:
    """Wires on which a write waits from `shut` until `go_on`."""

    def __init__(self, i2c: I2CBus) -> None:
        self._i2c = i2c
        self._may_pass, self._waits = threading.Event(), threading.Event()
        self._may_pass.set()

    def __getattr__(self, name: str) -> Callable[..., object]:
        method: Callable[..., object] = getattr(self._i2c, name)
        return method

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        if not self._may_pass.is_set():
            self._waits.set()
            assert self._may_pass.wait(10)
        self._i2c.writeto(address, buffer, start=start, end=end)

    def shut(self) -> None:
        self._may_pass.clear()

    def wait_for_a_write(self) -> None:
        assert self._waits.wait(10)

    def go_on(self) -> None:
        self._may_pass.set()


@asynccontextmanager
async def gated_rig() -> AsyncIterator[tuple[Rig, Gated]]:
    """A box whose bus has a thread of its own, which a test holds up amid a write."""
    gates: list[Gated] = []

    def wrap(i2c: I2CBus) -> I2CBus:
        gates.append(Gated(i2c))
        return cast("I2CBus", gates[0])

    with ThreadPoolExecutor(1) as worker:
        async with open_rig(executor=worker, wrap_i2c=wrap) as rig:
            yield rig, gates[0]


async def test_parking_while_boards_are_being_set_up_lets_no_pulse_through_for_a_moment() -> None:
    """Each would pass until the job behind it cuts: what has been stopped meanwhile is not enabled at all."""
    async with gated_rig() as (rig, gate):
        gate.shut()
        arming = asyncio.ensure_future(rig.firmware.servos.arm())
        await asyncio.sleep(0)
        gate.wait_for_a_write()
        switched = note_output_enable(rig)
        stopping = asyncio.ensure_future(rig.firmware.servos.stop_all())
        await asyncio.sleep(0)
        gate.go_on()
        await stopping
        await arming
        assert set(switched) == {True}, "high, and not for a moment low"
        assert not rig.output_enabled()


async def test_parking_while_a_lost_board_is_set_up_again_leaves_no_pulse_through() -> None:
    """That job enables at its end what it cut at its beginning, and knows nothing of the stop."""
    async with gated_rig() as (rig, gate):
        servos, wire = rig.firmware.servos, rig.box.tiles[FRONT_7].servo
        await servos.arm()
        rig.world.forget(wire.board)
        gate.shut()
        setting_up = asyncio.ensure_future(servos.ensure_set_up(wire))
        await asyncio.sleep(0)
        gate.wait_for_a_write()
        stopping = asyncio.ensure_future(servos.stop_all())
        await asyncio.sleep(0)
        switched = note_output_enable(rig)
        gate.go_on()
        await stopping
        assert not await setting_up
        assert switched[0] is False, "it lets pulses pass at its end"
        assert not rig.output_enabled()


async def test_a_lost_board_that_is_set_up_again_while_no_pulse_passes_lets_none_through() -> None:
    async with open_rig() as rig:
        servos, wire = rig.firmware.servos, rig.box.tiles[FRONT_7].servo
        await servos.arm()
        await servos.stop_all()
        rig.world.forget(wire.board)
        assert not await servos.ensure_set_up(wire)
        assert not rig.output_enabled()


async def test_a_silent_board_does_not_keep_the_others_from_being_let_go() -> None:
    async with open_rig() as rig:
        silent, other = rig.box.servo_boards
        servos, wire = rig.firmware.servos, rig.box.tiles[BACK_3].servo
        assert wire.board == other
        await servos.arm()
        await servos.drive(wire, 2000)
        rig.world.silence(silent)
        assert isinstance(await servos.stop_all(), ChipSilent)
        assert rig.is_quiet()
        assert not rig.output_enabled()


async def test_a_line_that_something_else_holds_is_named() -> None:
    class Busy:
        """What lgpio raises: an exception of its own, a plain `Exception`."""

        def __init__(self, pins: PinFactory) -> None:
            self._pins = pins

        def __getattr__(self, name: str) -> object:
            return getattr(self._pins, name)

        def pin(self, name: object) -> object:
            raise Exception(f"'GPIO busy' {name}")

    with pytest.raises(DeviceMissing, match=r"/OE, free to use, seen 'GPIO busy'"):
        async with open_rig(wrap_pins=lambda pins: cast("PinFactory", Busy(pins))):
            pass


@pytest.mark.parametrize("seed", [42, 50])
async def test_a_tile_whose_sensor_is_dead_is_not_thrown_by_its_rod(seed: int) -> None:
    """The rod comes to rest from where it was driven to, not from where a dead sensor has the tile."""
    async with open_rig(seed=seed, faults=["stuck-open:front-7"]) as rig:
        with pytest.raises(SensorDoubtful, match="expected SHUT, seen BETWEEN"):
            await rig.execute("front-7 SHUT")
        assert rig.world.position(FRONT_7) is SHUT
