"""Registers that change by themselves: each is found by the next look, named at its chip, and never at a tile."""

import asyncio
import random
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest

from firmware.drivers.bus import Bus
from firmware.errors import ChipForgot
from firmware.sim.mcp23017 import BITS as EXPANDER_BITS
from firmware.sim.pca9685 import BITS as BOARD_BITS
from hardware.sim.faults import apply_fault
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin, ServoChannel
from tests.support.firmware_rig import OPEN, SHUT, Rig, open_rig
from tests.support.long import long_but_every

T = TypeVar("T")

BOARDS, EXPANDERS = (0x40, 0x41), (0x20, 0x21)
FRONT_7, BACK_3 = TileId(1, 7), TileId(2, 3)
# Long enough that one loss of registers is not added to the next (firmware/drivers/bus.py).
APART_S = 11.0
MODE2, INVRT = 0x01, 4
# Data sheet of the MCP23017, 3.5: registers, by their address in IOCON.BANK = 0.
IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON, GPPU, OLAT = 0x00, 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x14


def bits_of(address: int, count: int) -> Sequence[tuple[int, int]]:
    bits = BOARD_BITS if address in BOARDS else EXPANDER_BITS
    return random.Random(f"bits/{address}").sample(bits, count)


async def settled_rig(rig: Rig) -> None:
    """Some tiles lie, both boards have been driven, and every chip is set up."""
    await rig.execute("front-7 SHUT", "back-3 SHUT", "front-1 SHUT")


def chips_named(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The chips that were set up again, one for each time."""
    found = (re.search(r"lost its settings.* chip=(\S+)", record.getMessage()) for record in caplog.records)
    return [match[1] for match in found if match is not None]


def truth(rig: Rig) -> dict[TileId, Position]:
    return {tile: rig.world.position(tile) for tile in rig.box.tile_ids}


@pytest.mark.parametrize("address", [*BOARDS, *EXPANDERS], ids=hex)
async def test_a_bit_that_turns_over_is_named_at_its_chip_by_the_next_look(
    caplog: pytest.LogCaptureFixture, address: int
) -> None:
    async with open_rig() as rig:
        await settled_rig(rig)
        for register, bit in bits_of(address, 30):
            caplog.clear()
            rig.world.flip(address, register, bit)
            assert await rig.firmware.bank.look() == truth(rig), f"register 0x{register:02x}, bit {bit}"
            assert chips_named(caplog) == [f"0x{address:02x}"], f"register 0x{register:02x}, bit {bit}"
            assert rig.is_quiet()
            await asyncio.sleep(APART_S)
        caplog.clear()
        await rig.execute("front-7 OPEN", "back-3 OPEN", "front-1 OPEN")
        assert rig.positions() == {OPEN}
        assert not chips_named(caplog)


@pytest.mark.parametrize("address", [*BOARDS, *EXPANDERS], ids=hex)
async def test_a_chip_whose_bits_turn_over_again_and_again_is_a_fault_of_its_own(address: int) -> None:
    async with open_rig() as rig:
        await settled_rig(rig)
        first, second, third = bits_of(address, 3)
        for each in (first, second):
            rig.world.flip(address, *each)
            assert await rig.firmware.bank.look() == truth(rig)
        rig.world.flip(address, *third)
        with pytest.raises(ChipForgot) as caught:
            await rig.firmware.bank.look()
        assert caught.value.fault.part == f"0x{address:02x}"
        assert not rig.output_enabled()
        assert await rig.firmware.bank.look() == truth(rig)


@pytest.mark.parametrize("address", [*BOARDS, *EXPANDERS], ids=hex)
@pytest.mark.parametrize("part", long_but_every(4, range(12)))
async def test_a_bit_that_turns_over_amid_a_move_is_no_tiles_fault_and_burns_nothing(address: int, part: int) -> None:
    chance = random.Random(f"amid/{address}/{part}")
    bits = BOARD_BITS if address in BOARDS else EXPANDER_BITS
    async with open_rig() as rig:
        for position in (SHUT, OPEN) * 2:
            moving = asyncio.ensure_future(rig.execute(f"front-7 {position}", f"front-1 {position}"))
            await asyncio.sleep(chance.uniform(0.02, 0.2))
            rig.world.flip(address, *chance.choice(bits))
            await moving
            assert rig.world.position(FRONT_7) is rig.world.position(TileId(1, 1)) is position
            await rig.firmware.bank.look()
            assert rig.is_quiet()
            await asyncio.sleep(APART_S)
        assert max(rig.driven_s(FRONT_7)) < 0.7


@pytest.mark.parametrize("bits", [(INVRT, MODE2), (5, 0x00), (2, MODE2)], ids=["INVRT", "auto-increment", "OUTDRV"])
async def test_a_board_that_goes_astray_amid_a_move_is_let_go_in_time(bits: tuple[int, int]) -> None:
    """Inverted, a pulse of 1.5 ms lasts 18.5; without auto-increment, a channel cannot be told to stop."""
    bit, register = bits
    async with open_rig() as rig:
        moving = asyncio.ensure_future(rig.execute("front-7 SHUT"))
        await asyncio.sleep(0.08)
        rig.world.flip(0x40, register, bit)
        await moving
        assert rig.is_quiet()
        assert rig.world.position(FRONT_7) is SHUT
        driven_s = rig.driven_s(FRONT_7)
        assert max(driven_s) < rig.box.motion.cut_s
        assert rig.firmware.servos.count_set_ups(rig.box.tiles[FRONT_7].servo) == 1


async def test_a_servo_whose_board_cannot_be_told_to_stop_is_not_forgotten() -> None:
    """Its pulses go on until the board is set up again, which the release itself begins."""
    async with open_rig() as rig:
        servos, wire = rig.firmware.servos, rig.box.tiles[FRONT_7].servo
        await servos.arm()
        await servos.drive(wire, 1500)
        rig.world.flip(wire.board, 0x00, 5)
        await servos.release(wire)
        assert rig.is_quiet()
        assert rig.output_enabled(), "the board is as it should be again"
        await servos.drive(wire, 1500)
        rig.world.flip(wire.board, 0x00, 5)
        assert await servos.stop_all() is None
        assert rig.is_quiet()


async def test_a_board_is_set_up_again_by_a_look_only_while_it_is_off(caplog: pytest.LogCaptureFixture) -> None:
    """No pulse passes while its registers are written, nor afterwards if none did before."""
    async with open_rig() as rig:
        await settled_rig(rig)
        levels: list[bool] = []
        drive = rig.world.drive

        def note(wire: ServoChannel, pulse_us: float | None, on_us: float = 0.0) -> None:
            levels.append(rig.output_enabled())
            drive(wire, pulse_us, on_us)

        rig.world.drive = note  # type: ignore[method-assign]
        other = rig.box.tiles[BACK_3].servo
        assert other.board == 0x41
        await rig.firmware.servos.drive(other, 1500)
        levels.clear()
        rig.world.flip(0x41, MODE2, INVRT)
        await rig.firmware.bank.look()
        assert levels.index(False) == 1, "the bit turns over; then the board is set up"
        assert not any(levels[1:])
        assert rig.output_enabled()
        await rig.firmware.servos.stop_all()
        await asyncio.sleep(APART_S)
        rig.world.flip(0x41, MODE2, INVRT)
        caplog.clear()
        await rig.firmware.bank.look()
        assert chips_named(caplog) == ["0x41"]
        assert not rig.output_enabled()


@pytest.mark.parametrize("address", [*BOARDS, *EXPANDERS], ids=hex)
async def test_chips_that_keep_their_registers_are_left_alone(caplog: pytest.LogCaptureFixture, address: int) -> None:
    """Moves, hands and the test of the interrupt change what a chip holds, and nobody takes it for a loss."""
    async with open_rig() as rig:
        moving = asyncio.ensure_future(rig.execute(*(f"{tile} SHUT" for tile in rig.box.tile_ids)))
        while not moving.done():
            await rig.firmware.bank.look()
            await asyncio.sleep(0.01)
        await moving
        if address in EXPANDERS:
            checking = asyncio.ensure_future(rig.firmware.sensors.check_interrupt(address))
            while not checking.done():
                await rig.firmware.bank.look()
            assert await checking == (True, False)
        rig.world.hand_moves(BACK_3, Position.BETWEEN)
        await rig.firmware.bank.look()
        assert not chips_named(caplog)


async def test_a_silent_board_keeps_nobody_from_looking() -> None:
    """The move that needs it names it."""
    async with open_rig() as rig:
        await settled_rig(rig)
        apply_fault(rig.world, "silent:0x40")
        assert (await rig.firmware.bank.look())[FRONT_7] is SHUT


async def test_a_board_that_is_set_aside_is_not_looked_at(caplog: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        await settled_rig(rig)
        rig.firmware.servos.set_aside(0x40)
        rig.world.flip(0x40, MODE2, INVRT)
        await rig.firmware.bank.look()
        assert not chips_named(caplog)
        rig.firmware.servos.take_back()
        await rig.firmware.bank.look()
        assert chips_named(caplog) == ["0x40"]


@pytest.mark.parametrize(
    ("register", "value"),
    [(IODIR, 0x00), (IPOL, 0xFF), (GPINTEN, 0x00), (DEFVAL, 0xFF), (INTCON, 0xFF), (IOCON, 0x00), (GPPU, 0), (OLAT, 1)],
)
async def test_a_register_of_an_expander_that_another_program_writes_is_put_back(
    caplog: pytest.LogCaptureFixture, register: int, value: int
) -> None:
    async with open_rig() as rig:
        await settled_rig(rig)
        for port in (0, 1):
            chip = rig.world._registers[0x20]
            chip.write(bytes((register + port, value)))  # type: ignore[attr-defined]
            caplog.clear()
            assert await rig.firmware.bank.look() == truth(rig)
            assert chips_named(caplog) == ["0x20"]
            await asyncio.sleep(APART_S)
            chip.write(bytes((register + port,)))  # type: ignore[attr-defined]
            assert chip.read(1) != bytes((value,))  # type: ignore[attr-defined]


@pytest.mark.parametrize("left", [0xA4, 0x24, 0xFF], ids=["banks apart", "one register at a time", "all"])
async def test_an_expander_that_another_program_left_in_another_mode_is_set_up(left: int) -> None:
    """With IOCON.BANK set every register is elsewhere, IOCON itself too."""
    async with open_rig() as rig:
        chip = rig.world._registers[0x20]
        chip.write(bytes((IOCON, left)))  # type: ignore[attr-defined]
        assert set((await rig.firmware.bank.look()).values()) == {OPEN}


@pytest.mark.parametrize("mode", [0x14, 0x00, 0x05, 0x06, 0x0C], ids=["INVRT", "OUTDRV", "OUTNE", "OUTNE 2", "OCH"])
async def test_a_board_that_another_program_left_in_another_mode_is_set_up(mode: int) -> None:
    async with open_rig() as rig:
        chip = rig.world._registers[0x40]
        chip.write(bytes((MODE2, mode)))  # type: ignore[attr-defined]
        await rig.execute("front-7 SHUT")
        chip.write(bytes((MODE2,)))  # type: ignore[attr-defined]
        assert chip.read(1) == b"\x04"  # type: ignore[attr-defined]
        assert len(rig.driven_s(FRONT_7)) == 1


async def test_a_chip_that_the_world_disturbs_is_named() -> None:
    async with open_rig() as rig:
        await settled_rig(rig)
        apply_fault(rig.world, "astray:0x21")
        for _ in range(2):
            await asyncio.sleep(0.1)
            await rig.firmware.bank.look()
        await asyncio.sleep(0.1)
        with pytest.raises(ChipForgot, match="H-203 0x21"):
            await rig.firmware.bank.look()
        rig.world.lift()
        await asyncio.sleep(APART_S)
        assert await rig.firmware.bank.look() == truth(rig)


@pytest.mark.parametrize("bit", [(GPINTEN, 3), (GPPU, 3), (IODIR + 1, 0), (IOCON, 2), (IOCON, 7)])
@pytest.mark.parametrize("looks", range(4))
async def test_a_register_that_changes_amid_the_test_of_the_interrupt_is_not_the_lines_fault(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, bit: tuple[int, int], looks: int
) -> None:
    """It changes after so many jobs of the test."""
    async with open_rig() as rig:
        await settled_rig(rig)
        due = [looks]
        run = Bus.run

        async def flip_before(bus: Bus, work: Callable[[], T], **patience: float) -> T:
            due[0] -= 1
            if due[0] == -1:
                rig.world.flip(0x20, *bit)
            return await run(bus, work, **patience)

        monkeypatch.setattr(Bus, "run", flip_before)
        assert await rig.firmware.sensors.check_interrupt(0x20) == (True, False)
        monkeypatch.undo()
        await rig.firmware.bank.look()
        assert set(chips_named(caplog)) == {"0x20"}


async def test_an_expander_that_was_never_set_up_has_no_part_in_the_test_of_another() -> None:
    async with open_rig() as rig:
        apply_fault(rig.world, "silent:0x21")
        assert await rig.firmware.sensors.check_interrupt(0x20) == (True, False)


def pin_of(rig: Rig, tile: TileId) -> ExpanderPin:
    wire = rig.box.tiles[tile].open
    assert isinstance(wire, ExpanderPin)
    return wire


async def test_what_a_glance_sees_anew_is_not_believed_before_all_registers_have_been_read(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with open_rig() as rig:
        await settled_rig(rig)
        wire = pin_of(rig, FRONT_7)
        assert await rig.firmware.sensors.glance(FRONT_7, SHUT) is SHUT
        rig.world.flip(wire.expander, IPOL + wire.pin // 8, wire.pin % 8)
        assert await rig.firmware.sensors.glance(FRONT_7, SHUT) is SHUT
        assert chips_named(caplog) == [f"0x{wire.expander:02x}"]


async def test_a_register_that_changes_amid_glances_is_found_before_a_tile_could_be_blamed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with open_rig() as rig:
        await settled_rig(rig)
        sensors, wire = rig.firmware.sensors, pin_of(rig, FRONT_7)
        await sensors.look([FRONT_7])
        rig.world.flip(wire.expander, GPINTEN, 0)
        await asyncio.sleep(0.04)
        await sensors.glance(FRONT_7, SHUT)
        assert not chips_named(caplog), "it showed nothing new"
        await asyncio.sleep(0.01)
        await sensors.glance(FRONT_7, SHUT)
        assert chips_named(caplog) == [f"0x{wire.expander:02x}"]


async def test_after_a_fault_of_its_expander_a_glance_reads_all_registers(caplog: pytest.LogCaptureFixture) -> None:
    async with open_rig() as rig:
        await settled_rig(rig)
        sensors, wire = rig.firmware.sensors, pin_of(rig, FRONT_7)
        for bit in range(2):
            rig.world.flip(wire.expander, GPINTEN, bit)
            await sensors.look([FRONT_7])
        rig.world.flip(wire.expander, GPINTEN, 2)
        with pytest.raises(ChipForgot):
            await sensors.look([FRONT_7])
        caplog.clear()
        await sensors.glance(FRONT_7, SHUT)
        assert chips_named(caplog) == [f"0x{wire.expander:02x}"]


async def test_after_a_failed_try_every_register_of_the_board_is_compared() -> None:
    async with open_rig() as rig:
        await settled_rig(rig)
        servos, wire = rig.firmware.servos, rig.box.tiles[FRONT_7].servo
        rig.world.flip(wire.board, 0x06 + 4 * 15, 0)
        assert not await servos.ensure_set_up(wire)
        assert await servos.ensure_set_up(wire)
