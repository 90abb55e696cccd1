"""The way from a tile to its pulse: ServoKit, its Servo, and an output of the chip with a slot of its own."""

import importlib
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from adafruit_motor.servo import Servo
from adafruit_servokit import ServoKit

from firmware.drivers.servo_board import CHANNELS, ServoBoard
from firmware.sim.i2c import open_i2c
from firmware.wire import I2CBus
from hardware.box import load_box
from hardware.sim.world import World
from tests.support.firmware_rig import OPEN, SHUT, open_rig
from tests.support.hand_clock import HandClock
from tests.support.true_box import fail_at_once

BOX = load_box("two-level-9")
ADDRESS = BOX.servo_boards[0]


class Recorded:
    """Wires that remember every transfer: what was written, and how many bytes were read."""

    def __init__(self, i2c: I2CBus) -> None:
        self._i2c = i2c
        self.transfers: list[tuple[bytes, int]] = []

    def __getattr__(self, name: str) -> object:
        return getattr(self._i2c, name)

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        self.transfers.append((bytes(memoryview(buffer)[start:end]), 0))
        self._i2c.writeto(address, buffer, start=start, end=end)

    def writeto_then_readfrom(self, address: int, out: bytes, into: bytearray, **places: int) -> None:
        read = len(memoryview(into)[places.get("in_start", 0) : places.get("in_end")])
        self.transfers.append((bytes(memoryview(out)[places.get("out_start", 0) : places.get("out_end")]), read))
        self._i2c.writeto_then_readfrom(address, out, into, **places)


def servo_board(i2c: I2CBus, frequency_hz: int = 50, clock_factor: float = 1.0) -> ServoBoard:
    return ServoBoard(i2c, ADDRESS, frequency_hz, clock_factor)


@pytest.fixture
def wires() -> Recorded:
    return Recorded(open_i2c(World(BOX, HandClock(), 1), fail_at_once))


async def test_every_pulse_of_every_tile_is_made_by_servokit_and_its_servo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time a servo begins or ends, ServoKit has been asked for it and its Servo has made the duty cycle."""
    calls: list[str] = []

    def noted(name: str, call: Callable[..., Any], *given: object) -> Any:
        calls.append(name)
        return call(*given)

    for kind, name in ((ServoKit, "servo"), (Servo, "fraction")):
        theirs = getattr(kind, name)
        gets, sets = (partial(noted, f"{kind.__name__}.{name}", call) for call in (theirs.fget, theirs.fset))
        monkeypatch.setattr(kind, name, property(gets, sets))
    async with open_rig() as rig:
        await rig.firmware.servos.arm()
        for position in (SHUT, OPEN):
            for tile in rig.box.tile_ids if position is SHUT else reversed(rig.box.tile_ids):
                rig.world.pulses.clear()
                calls.clear()
                await rig.execute(f"{tile} {position}")
                changes = [(wire, pulse_us is not None) for _, wire, pulse_us in rig.world.pulses]
                wire = rig.box.tiles[tile].servo
                # To its end, to rest, none from the next frame on, and off.
                assert changes == [(wire, True), (wire, True), (wire, False), (wire, False)]
                assert calls == ["ServoKit.servo", "Servo.fraction"] * len(changes)


@pytest.mark.parametrize(("frequency_hz", "clock_factor"), [(50, 1.0), (50, 0.93), (52, 1.09), (100, 1.0), (40, 0.97)])
def test_the_transfers_of_a_pulse_are_its_two_counts_at_once_and_one_look_whether_they_are_kept(
    wires: Recorded, frequency_hz: int, clock_factor: float
) -> None:
    """By the data sheet alone (rev. 4, 7.3.3 and 7.3.5), without the driver or a library."""
    clock_hz = round(25e6 / clock_factor)
    prescale = round(clock_hz / (4096 * frequency_hz)) - 1
    count_us = (prescale + 1) / clock_hz * 1e6
    board = servo_board(wires, frequency_hz, clock_factor)  # type: ignore[arg-type]
    board.set_up()
    chance = random.Random(f"{frequency_hz}/{clock_factor}")
    for _ in range(200):
        channel, slot, pulse_us = chance.randrange(CHANNELS), chance.randrange(board.slots), chance.uniform(500, 2400)
        register = 0x06 + 4 * channel
        begins = slot * (4096 // board.slots)
        ends = begins + round(pulse_us / count_us)
        wires.transfers.clear()
        board.drive(channel, pulse_us, slot)
        pulse = bytes((register, begins & 0xFF, begins >> 8, ends & 0xFF, ends >> 8))
        assert wires.transfers == [(pulse, 0), (bytes((register,)), 4)]
        wires.transfers.clear()
        assert board.end_pulses(channel)
        none = bytes((register, ends & 0xFF, ends >> 8, ends & 0xFF, ends >> 8))
        assert wires.transfers == [(none, 0), (bytes((register,)), 4)]
        wires.transfers.clear()
        board.release(channel)
        assert wires.transfers == [(bytes((register, 0, 0, 0, 0x10)), 0), (bytes((register,)), 4)]
        wires.transfers.clear()
        assert not board.end_pulses(channel), "it is off already"
        assert wires.transfers == []


def test_each_width_of_a_pulse_reaches_the_chip_to_the_count(wires: Recorded) -> None:
    """A `Servo` rounds down, so that each of them would be a count short."""
    board = servo_board(wires)  # type: ignore[arg-type]
    board.set_up()
    for counts in range(100, 500):
        board.drive(3, counts * 4.88)
        assert int.from_bytes(wires.transfers[-2][0][3:5], "little") == counts


def test_the_one_private_name_of_the_library_is_still_there(wires: Recorded) -> None:
    chip = getattr(ServoKit(channels=CHANNELS, i2c=wires), "_pca", None)
    assert chip is not None, "ServoKit has no `_pca` any more: give firmware/drivers/servo_board.py another way to it"
    source = Path(sys.modules[ServoBoard.__module__].__file__ or "").read_text("utf-8")
    assert source.count("._pca") == 1


@pytest.mark.parametrize("hidden", ["board", "pwmio"])
def test_servokit_loads_where_blinka_knows_no_board_and_leaves_that_as_it_was(
    monkeypatch: pytest.MonkeyPatch, hidden: str
) -> None:
    """A simulated box runs on a computer that Blinka does not know, and a real one says itself what is missing."""
    for name in ("adafruit_servokit", "adafruit_motor.servo"):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, hidden, None)
    board = servo_board(open_i2c(World(BOX, HandClock(), 1), fail_at_once))
    board.set_up()
    board.drive(3, 1500)
    with pytest.raises(ImportError):
        importlib.import_module(hidden)
