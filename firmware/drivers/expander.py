"""One MCP23017 port expander with 16 sensor inputs, through its library.

Runs in the bus worker: every method blocks for the time of its transfers.
"""

from typing import Any

from adafruit_bus_device.i2c_device import I2CDevice

from firmware.drivers.bus import chip_name, translate_errors
from firmware.errors import ChipDeaf, ChipSilent
from firmware.wire import I2CBus

# One bit per pin, A0 lowest (DS20001952C, 3.5): pull-up on, pin is an input, all pins of a mask.
_PULL_UPS = 0xFFFF
_INPUTS = 0xFFFF
_ALL = 0xFFFF
# DS20001952C, 3.5.6: both ports on INTA as an open drain, so that all expanders share one line; banks mixed.
_MIRROR_OPEN_DRAIN = 0x44
# Where IOCON is while IOCON.BANK is set, which puts all registers elsewhere; otherwise that is GPINTENB (table 3-1).
_IOCON_IF_BANKED = 0x05
# The two registers of each kind, in the order of table 3-1. A sequential read that begins with GPIO goes on with OLAT
# and then from the first register on (3.2.1), so that the settings are read after the levels: if they hold now, they
# held then. It ends before INTF and INTCAP, which the chip itself writes and the read of GPIO clears.
_GPIO = 0x12


def _settings(compared: int, defaults: int) -> bytes:
    """Return what is read after the levels: OLAT, IODIR, IPOL, GPINTEN, DEFVAL, INTCON, IOCON and GPPU.

    compared: the pins that interrupt while they differ from `defaults`; the others do so when they change.
    """
    pairs = (0, _INPUTS, 0, _ALL, defaults, compared, _MIRROR_OPEN_DRAIN * 0x101, _PULL_UPS)
    return b"".join(pair.to_bytes(2, "little") for pair in pairs)


class Expander:
    """16 inputs with pull-ups; a change of any pulls INTA low until `levels` is called.

    Lifetime: nothing is sent before `set_up`. Concurrency: only the bus worker.
    Raises from every method: `ChipSilent`, `BusHung`.
    """

    def __init__(self, i2c: I2CBus, address: int) -> None:
        # Late: on a Raspberry Pi that lacks a package of Blinka it raises, and opening the bus first names the cure.
        from adafruit_mcp230xx.mcp23017 import MCP23017

        self.address = address
        self._i2c = i2c
        self._device = I2CDevice(i2c, address, probe=False)
        self._new_chip = MCP23017
        self._chip: Any = None
        self._settings = b""

    @property
    def is_set_up(self) -> bool:
        return self._chip is not None

    def set_up(self) -> None:
        """Make all pins inputs with pull-ups. Raises `ChipDeaf` if the chip does not keep these settings."""
        part = chip_name(self.address)
        with translate_errors(self.address):
            # The library's own probe cannot tell a hung bus from a silent chip; a plain read can.
            self.ping()
            with self._device as device:
                device.write(bytes((_IOCON_IF_BANKED, 0)))
            try:
                self._chip = self._new_chip(self._i2c, self.address)
            except ValueError as error:
                raise ChipSilent(part, expected="an MCP23017 expander", seen=str(error)) from error
            self._chip.gppu = _PULL_UPS
            self._chip.io_control = _MIRROR_OPEN_DRAIN
            self._chip.gpio = 0  # the latches of outputs
            self._compare(0, 0)
            self._chip.interrupt_enable = _ALL
        if self.levels() is None:
            self._chip = None
            raise ChipDeaf(part, expected="16 inputs with pull-ups", seen="registers that did not take it")

    def levels(self) -> int | None:
        """Return the levels of all pins, A0 in bit 0; None if any setting has changed since `set_up`."""
        if self._chip is None:
            return None
        got = bytearray(2 + len(self._settings))
        with translate_errors(self.address), self._device as device:
            device.write_then_readinto(bytes((_GPIO,)), got)
        return int.from_bytes(got[:2], "little") if got[2:] == self._settings else None

    def glance(self) -> int:
        """Return the levels in a quarter of the time of `levels`, after it, without a look at the settings."""
        with translate_errors(self.address):
            return int(self._chip.gpio)

    def pull_interrupt(self) -> None:
        """Pull INTA low until `release_interrupt`, whatever the inputs do, by defaults that differ from them."""
        if self._chip is not None:
            with translate_errors(self.address):
                self._compare(_ALL, ~int(self._chip.gpio) & _ALL)

    def release_interrupt(self) -> None:
        """Release INTA; the next change pulls it low again."""
        if self._chip is not None:
            with translate_errors(self.address):
                self._compare(0, 0)
                self.levels()

    def ping(self) -> None:
        with translate_errors(self.address), self._device as device:
            device.readinto(bytearray(1))

    def _compare(self, pins: int, defaults: int) -> None:
        """Let `pins` interrupt while they differ from `defaults`, and the others when they change."""
        self._chip.default_value = defaults
        self._chip.interrupt_configuration = pins
        self._settings = _settings(pins, defaults)
