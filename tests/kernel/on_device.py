"""The firmware on a kernel's own /dev/i2c-1: `firmware.pi`, Blinka, PureIO, ServoKit, MCP23017 driver, all unmodified.

Not collected by `make test`: `make test-kernel` runs it inside the guest, in real time. A busy machine makes the guest
slow, so what is asked here is what came true, never how fast.
"""

import asyncio
import importlib
import multiprocessing
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from firmware.box_io import Firmware, open_firmware
from firmware.errors import BusHung, ChipSilent, DeviceMissing, PulsesCut
from firmware.messages import TileCommand
from firmware.pi.computer import PiComputer, open_i2c
from hardware.box import load_box
from hardware.sim.link import Link
from hardware.tiles import Position, TileId
from tests.kernel.box import BOX, DEVICE

T = TypeVar("T")

# The module of the box, and with it of its header: a mock-box's here, in `tests/pi` the kernel's own.
_BOX = importlib.import_module(os.environ.get("SHUTBOX_DEVICES", "tests.kernel.box"))
# Each box is forked from a process that has loaded all of it, since loading takes seconds in an emulated machine.
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([_BOX.__name__])
_COMES_S = 60.0

OPEN, SHUT = Position.OPEN, Position.SHUT
TILES = load_box(BOX).tile_ids
FRONT_7 = TileId.parse("front-7")
FIVE = [TileId.parse(f"front-{number}") for number in range(1, 6)]  # as many as the supply carries at once
HUNG = "bus:hung"
# No tile is driven for more than 0.8 s without progress, and a busy machine is late. Seven seconds were seen once: one
# for each servo that was to be told over the bus.
LONGEST_STALL_S = 2.0

NOBODY = 65534
ALL_CALL = 0x70  # PCA9685 data sheet, 7.3.7: after power-on every board answers to it too

_LOOK_EVERY_S = 0.02
# On a machine with five times as much to do as it has cores one command in ten was cut, and once; elsewhere a look once
# took longer than a bus may.
_MOST_TRIES = 10


class KernelBox:
    """The simulated box behind /dev/i2c-1, and the hands that reach into it."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def ask(self, do: str, **words: object) -> Mapping[str, Any]:
        with Link(self.place) as link:
            return link.ask(do, **words)[0]

    def positions(self) -> set[str]:
        """Where the tiles truly are."""
        return set(self.ask("look")["tiles"].values())

    def is_quiet(self) -> bool:
        """True if no servo gets a pulse."""
        return not self.ask("look")["pulses_us"]

    def is_hung(self) -> bool:
        """True if somebody holds the bus."""
        return HUNG in self.ask("look")["faults"]


@contextmanager
def new_box(place: Path) -> Iterator[KernelBox]:
    """A box just powered on, all tiles standing, in a process of its own."""
    is_there, says = _FORKS.Pipe()
    process = _FORKS.Process(target=_BOX.main, args=(place, says))
    process.start()
    try:
        assert is_there.poll(_COMES_S)
        yield KernelBox(place)
    finally:
        process.terminate()
        process.join()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[KernelBox]:
    with new_box(tmp_path / "box.sock") as box:
        yield box
    assert not DEVICE.exists()


@asynccontextmanager
async def open_box(box: KernelBox, *guards: Path) -> AsyncIterator[Firmware]:
    """The electronics, opened as on a Pi; in a User-Mode Linux only the header's lines come from the mock-box."""
    with _BOX.open_header(box.place) as open_pins, ThreadPoolExecutor(1, "bus") as worker:
        async with open_firmware(
            load_box(BOX), open_i2c=open_i2c, open_pins=open_pins, executor=worker, computer=PiComputer(), guards=guards
        ) as firmware:
            yield firmware


def play(box: KernelBox, story: Callable[[Firmware], Awaitable[None]], *guards: Path) -> None:
    """Play a story on the open box, in real time."""

    async def told() -> None:
        async with open_box(box, *guards) as firmware:
            await story(firmware)

    asyncio.run(told())


async def bring(box: KernelBox, firmware: Firmware, *tiles: TileId, to: Position) -> None:
    """Have tiles brought there."""
    commands = [TileCommand(tile, to) for tile in tiles]
    reports = await in_time(box, lambda: firmware.bank.execute(commands))
    assert {report.position for report in reports} == {to}


async def in_time(box: KernelBox, ask: Callable[[], Awaitable[T]]) -> T:
    """What it answers; a guest that is late has its pulses cut or finds the bus hung, as it must, and asks again."""
    for _ in range(_MOST_TRIES):
        try:
            return await ask()
        except PulsesCut:
            continue
        except BusHung:
            if box.is_hung():
                raise
    pytest.fail(f"late {_MOST_TRIES} times")


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    until_s = time.monotonic() + _COMES_S
    while not holds():
        assert time.monotonic() < until_s
        time.sleep(_LOOK_EVERY_S)


def test_a_scan_finds_the_chips_of_the_box(box: KernelBox) -> None:
    i2c = open_i2c()
    assert i2c.try_lock()
    addresses = i2c.scan()
    i2c.unlock()
    i2c.deinit()

    chips = load_box(BOX)
    assert addresses == sorted([*chips.expanders, *chips.servo_boards, ALL_CALL])


def test_all_tiles_go_down_and_come_up_again(box: KernelBox) -> None:
    async def story(firmware: Firmware) -> None:
        assert set((await in_time(box, firmware.bank.look)).values()) == {OPEN}
        await bring(box, firmware, *TILES, to=SHUT)
        assert box.positions() == {SHUT}
        await bring(box, firmware, *TILES, to=OPEN)
        assert box.positions() == {OPEN}
        assert box.is_quiet()

    play(box, story)
    assert not box.ask("look")["enabled"]


def test_a_servo_board_that_resets_amid_a_move_is_set_up_again(box: KernelBox) -> None:
    async def story(firmware: Firmware) -> None:
        move = asyncio.create_task(bring(box, firmware, FRONT_7, to=SHUT))
        await until_driven(box, FRONT_7, move)
        box.ask("reset", address=0x40)
        assert box.is_quiet()
        let_go(box, FRONT_7)
        await move

    hold(box, FRONT_7)
    play(box, story)
    assert box.ask("look")["tiles"]["front-7"] == SHUT


def test_a_bus_that_hangs_while_servos_stall_is_told_and_cuts_every_pulse(box: KernelBox) -> None:
    async def story(firmware: Firmware) -> None:
        move = asyncio.create_task(bring(box, firmware, *FIVE, to=SHUT))
        await until_driven(box, FIVE[-1], move)
        box.ask("break", fault=HUNG)
        hung_s = box.ask("look")["now_s"]
        with pytest.raises(BusHung) as caught:
            await move
        assert caught.value.code == "H-201"
        assert box.is_quiet()
        assert box.ask("look")["quiet_since_s"] - hung_s < LONGEST_STALL_S

        box.ask("lift", fault=HUNG)
        let_go(box, *FIVE)
        await bring(box, firmware, *FIVE, to=SHUT)

    hold(box, *FIVE)
    play(box, story)
    tiles = box.ask("look")["tiles"]
    assert {tiles[str(tile)] for tile in FIVE} == {SHUT}


def test_the_loop_lives_on_while_the_bus_hangs(box: KernelBox) -> None:
    async def story(firmware: Firmware) -> None:
        box.ask("break", fault=HUNG)
        asked = asyncio.create_task(firmware.servos.ping(0x40))
        beats = 0
        while not asked.done():
            beats += 1
            await asyncio.wait((asked,), timeout=_LOOK_EVERY_S)
        with pytest.raises(BusHung):
            await asked
        assert beats > 2

        box.ask("lift", fault=HUNG)
        await in_time(box, lambda: firmware.servos.ping(0x40))

    play(box, story)


def test_a_transfer_on_a_hung_bus_holds_its_caller_for_a_second(box: KernelBox) -> None:
    i2c = open_i2c()
    assert i2c.try_lock()
    box.ask("break", fault=HUNG)
    began_s = time.monotonic()
    with pytest.raises(TimeoutError):
        i2c.writeto(0x40, b"\0")
    assert time.monotonic() - began_s >= 1.0

    box.ask("lift", fault=HUNG)
    i2c.writeto(0x40, b"\0")
    i2c.deinit()


def hold(box: KernelBox, *tiles: TileId) -> None:
    """Keep tiles with a hand: on a busy machine a free one would have arrived before anything happens to its move."""
    for tile in tiles:
        box.ask("break", fault=f"held:{tile}")


def let_go(box: KernelBox, *tiles: TileId) -> None:
    for tile in tiles:
        box.ask("lift", fault=f"held:{tile}")


async def until_driven(box: KernelBox, tile: TileId, move: asyncio.Task[None]) -> None:
    """Wait until a tile is driven by a move that has not ended."""
    while str(tile) not in box.ask("look")["pulses_us"]:
        ended, _ = await asyncio.wait((move,), timeout=_LOOK_EVERY_S)
        assert not ended


def test_a_servo_board_that_is_not_there_is_named_and_no_pulse_passes(box: KernelBox) -> None:
    box.ask("break", fault="silent:0x41")

    async def story(firmware: Firmware) -> None:
        with pytest.raises(ChipSilent) as caught:
            await bring(box, firmware, *TILES, to=SHUT)
        assert (caught.value.code, caught.value.fault.part) == ("H-202", "0x41")
        assert not box.ask("look")["enabled"]

    play(box, story)


def test_an_expander_that_is_not_there_is_named(box: KernelBox) -> None:
    box.ask("break", fault="silent:0x21")

    async def story(firmware: Firmware) -> None:
        with pytest.raises(ChipSilent) as caught:
            await in_time(box, firmware.bank.look)
        assert (caught.value.code, caught.value.fault.part) == ("H-202", "0x21")

    play(box, story)


def test_a_user_who_may_not_open_the_device_hears_of_the_group(box: KernelBox) -> None:
    open_i2c().deinit()  # all that Python loads for it lies in folders that may be closed to others too
    os.seteuid(NOBODY)
    try:
        with pytest.raises(DeviceMissing) as caught:
            open_i2c()
    finally:
        os.seteuid(0)

    assert "Permission denied" in caught.value.fault.seen
    assert "group" in caught.value.cure


def test_a_computer_without_the_device_says_what_to_switch_on() -> None:
    with pytest.raises(DeviceMissing) as caught:
        open_i2c()

    assert (caught.value.code, caught.value.fault.part) == ("H-207", "i2c")
    assert "raspi-config" in caught.value.cure
