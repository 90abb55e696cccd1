"""The busio.I2C methods, answered by register-level chips on the simulated world's wires."""

import errno
import math
import os
import random
import threading
from collections.abc import Callable, Mapping
from typing import NoReturn, Protocol, Self

from firmware.sim.ina260 import INA260
from firmware.sim.mcp23017 import MCP23017, PINS
from firmware.sim.pca9685 import CHANNELS, PCA9685
from hardware.sim.fault_injection import Registers
from hardware.sim.world import World
from hardware.wires import ExpanderPin, ServoChannel

_GENERAL_CALL = 0x00
_BIT_S = 1 / 400_000  # fast mode, the reference build's (I2C specification UM10204, table 2)
_BREAKS = 0.02  # fraction of transfers that end half done on a loose wire: one or two per move
LOOKS_S = 0.02  # interval at which a held transfer checks whether it may continue
_SCANNED = range(0x08, 0x78)  # the addresses that Linux scans; the others are reserved


Pause = Callable[[float], object]
"""Lets this many seconds pass on the world's clock."""


class Chip(Registers, Protocol):
    """A chip on the bus; `write` and `read` are whole transactions."""

    address: int

    def answers(self, address: int) -> bool:
        """Return True if a write to `address` is acknowledged."""

    def general_call(self, data: bytes) -> None:
        """Receive a write to address 0x00."""

    def write(self, data: bytes) -> None: ...

    def read(self, count: int) -> bytes: ...


class Wires(Protocol):
    """The two wires of a bus with all its chips."""

    def scan(self) -> list[int]:
        """Return the addresses that acknowledge. Raises `OSError`."""

    def transfer(self, address: int, data: bytes | None, count: int) -> bytes:
        """Make one transaction: write `data` (None: no write), then read `count` bytes. Raises `OSError`."""


class ChipWires:
    """The wires of a simulated box. An unused address does not acknowledge (`OSError`, ENXIO).

    A transfer takes the time of its bits: `pause(seconds)` lets it pass. On a hanging bus it takes as long as on a
    Raspberry Pi, then raises `OSError` (ETIMEDOUT); on a bus held forever it continues when the bus is released. A
    transfer that ends half done raises `OSError` (EIO); the bytes before have reached the chip.
    """

    def __init__(self, world: World, chips: Mapping[int, Chip], pause: Pause) -> None:
        self._world = world
        self._chips = dict(chips)
        self._pause = pause
        self._chance = random.Random(f"{world.seed}/bus")

    def scan(self) -> list[int]:
        self._hang()
        return [address for address in _SCANNED if self._listeners(address)]

    def transfer(self, address: int, data: bytes | None, count: int) -> bytes:
        """Write, then read; an empty write only checks for an acknowledge."""
        self._hang()
        self._pause(transfer_s(None if data is None else len(data), count))
        if self._world.bus_breaks and self._chance.random() < _BREAKS:
            self._write(address, (data or b"")[: self._chance.randint(0, len(data or b""))])
            _fail(errno.EIO)
        heard = [] if data is None else self._write(address, data)
        if data is not None and not count:
            return b""
        # The chip that received the write answers, since nothing else has happened in between.
        return (heard or self._acknowledged(address))[0].read(count)

    def _write(self, address: int, data: bytes) -> list[Chip]:
        """Write to all listening chips, and return them; none for a general call, which nobody answers."""
        if address == _GENERAL_CALL:
            for chip in self._chips.values():
                if not self._world.is_silent(chip.address):
                    chip.general_call(data)
            return []
        listeners = self._acknowledged(address)
        for chip in listeners:
            chip.write(data)
        return listeners

    def _hang(self) -> None:
        hang_s = self._world.bus_hang_s
        if hang_s is not None and math.isfinite(hang_s):
            self._pause(hang_s)
            _fail(errno.ETIMEDOUT)
        while self._world.bus_hang_s is not None:
            self._pause(LOOKS_S)

    def _listeners(self, address: int) -> list[Chip]:
        proper = self._world.chip_answering(address)
        if proper is None:
            return []
        owner = self._chips.get(proper)
        asked = [] if owner is None else [owner]
        asked += [chip for chip in self._chips.values() if chip is not owner and chip.answers(proper)]
        return [chip for chip in asked if not self._world.is_silent(chip.address)]

    def _acknowledged(self, address: int) -> list[Chip]:
        listeners = self._listeners(address)
        if not listeners:
            _fail(errno.ENXIO)
        return listeners


class SimulatedI2C:
    """busio's I2C bus on simulated wires, here or in another process. Raises their `OSError`.

    A transfer without the lock, or from a thread that does not hold it, raises `RuntimeError`.

    Lifetime: `deinit` exists for busio's sake and closes nothing.
    Concurrency: one owner; a second thread does not get the lock, and is refused without it.
    """

    def __init__(self, wires: Wires) -> None:
        self._wires = wires
        self._owner: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.deinit()

    def deinit(self) -> None:
        self._owner = None

    def try_lock(self) -> bool:
        if self._owner is not None:
            return False
        self._owner = threading.get_ident()
        return True

    def unlock(self) -> None:
        self._owner = None

    def scan(self) -> list[int]:
        self._check()
        return self._wires.scan()

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        self._check()
        self._wires.transfer(address, bytes(memoryview(buffer)[start:end]), 0)

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        self._check()
        view = memoryview(buffer)[start:end]
        view[:] = self._wires.transfer(address, None, len(view))

    def writeto_then_readfrom(
        self,
        address: int,
        out_buffer: bytes,
        in_buffer: bytearray,
        *,
        out_start: int = 0,
        out_end: int | None = None,
        in_start: int = 0,
        in_end: int | None = None,
    ) -> None:
        self._check()
        view = memoryview(in_buffer)[in_start:in_end]
        view[:] = self._wires.transfer(address, bytes(memoryview(out_buffer)[out_start:out_end]), len(view))

    def _check(self) -> None:
        if self._owner is None:
            raise RuntimeError("the I2C bus is used without its lock: call try_lock first")
        if self._owner != threading.get_ident():
            raise RuntimeError("the I2C bus is used by two threads at once")


def transfer_s(written: int | None, read: int) -> float:
    """Return the seconds of a transfer of this many bytes on the wire; `written` None: it only reads.

    Each byte takes 9 bits, and so does the address before the first byte of each direction; START, its repetition and
    STOP take one bit each (I2C specification UM10204, 3.1): 56 for address, register and four bytes of one servo.
    """
    write_bits = 0 if written is None else 1 + 9 * (1 + written)
    read_bits = 1 + 9 * (1 + read) if read else 0
    return (write_bits + read_bits + 1) * _BIT_S


def open_i2c(world: World, pause: Pause) -> SimulatedI2C:
    """Return the bus of `world` with all chips of its box, just powered on."""
    return SimulatedI2C(chips_on(world, pause))


def chips_on(world: World, pause: Pause) -> ChipWires:
    """Return the wires of `world`'s bus with all chips of its box, just powered on."""
    boards = [_servo_board(world, address) for address in world.box.servo_boards]
    expanders = [_expander(world, address) for address in world.box.expanders]
    chips: list[Chip] = [*boards, *expanders]
    supply = world.box.supply
    if supply.current_sensor is not None:
        chips.append(INA260(supply.current_sensor, lambda: world.current_a, supply.volts, world.now))
    for chip in chips:
        world.attach(chip.address, chip)
    return ChipWires(world, {chip.address: chip for chip in chips}, pause)


class WorldBusLines:
    """Both wires of a world's bus, taken from the controller: each rising edge of the clock is one for its chips.

    Lifetime: a context manager, which gives them back.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._clock_low = self._data_low = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._clock_low = self._data_low = False

    def data_is_high(self) -> bool:
        return not (self._data_low or self._world.data_is_held)

    def clock_is_high(self) -> bool:
        return not (self._clock_low or self._world.clock_is_held)

    def hold_data(self, *, low: bool) -> None:
        self._data_low = low

    def hold_clock(self, *, low: bool) -> None:
        rises = self._clock_low and not low
        self._clock_low = low
        if rises:
            self._world.clock_bus()


def _fail(number: int) -> NoReturn:
    raise OSError(number, os.strerror(number))


def oscillator_mhz(world: World, address: int) -> float:
    """Return the clock of a servo board: 25 MHz by the data sheet, and by the tolerances of this box."""
    spread = world.tolerances.clock
    return 25.0 * random.Random(f"{world.seed}/oscillator/{address}").uniform(1 - spread, 1 + spread)


def _servo_board(world: World, address: int) -> PCA9685:
    def output(channel: int, pulse_us: float | None, on_us: float) -> None:
        world.drive(ServoChannel(address, channel), pulse_us, on_us)

    # A powered-on board sends nothing, whatever was on these wires before.
    for channel in range(CHANNELS):
        output(channel, None, 0.0)
    return PCA9685(address, oscillator_mhz(world, address), output)


def _expander(world: World, address: int) -> MCP23017:
    wire = world.box.panel.expander_interrupt

    def interrupt(low: bool) -> None:
        if wire is not None:
            world.pull_line(wire, address, low)

    pins = [ExpanderPin(address, pin) for pin in range(PINS)]
    chip = MCP23017(address, lambda pin: world.level(pins[pin]), interrupt)
    world.watch_inputs(address, chip.inputs_changed)
    return chip
