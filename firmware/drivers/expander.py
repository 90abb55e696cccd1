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
# DS20001952C, 3.5.6: both ports on INTA as an open drain, so that all expanders share one line.
_MIRROR_OPEN_DRAIN = 0x44


class Expander:
    """16 inputs with pull-ups; a change of any pulls INTA low until `levels` is called.

    Lifetime: nothing is sent before `set_up`. Concurrency: only the bus worker.
    Raises from every method: `ChipSilent`, `BusHung`.
    """

    def __init__(self, i2c: I2CBus, address: int) -> None:
        self.address = address
        self._i2c = i2c
        self._device = I2CDevice(i2c, address, probe=False)
        # Late: on a Raspberry Pi that lacks a package of Blinka it raises, and opening the bus first names the cure.
        from adafruit_mcp230xx.mcp23017 import MCP23017

        self._new_chip = MCP23017
        self._chip: Any = None

    @property
    def is_set_up(self) -> bool:
        return self._chip is not None

    def set_up(self) -> None:
        """Make all pins inputs with pull-ups. Raises `ChipDeaf` if the chip does not keep these settings."""
        part = chip_name(self.address)
        with translate_errors(self.address):
            # The library's own probe cannot tell a hung bus from a silent chip; a plain read can.
            self.ping()
            try:
                self._chip = self._new_chip(self._i2c, self.address)
            except ValueError as error:
                raise ChipSilent(part, expected="an MCP23017 expander", seen=str(error)) from error
            self._chip.gppu = _PULL_UPS
            self._chip.io_control = _MIRROR_OPEN_DRAIN
            self._chip.interrupt_configuration = 0
            self._chip.interrupt_enable = _ALL
            kept = self._chip.gppu == _PULL_UPS and self._chip.iodir == _INPUTS
        if not kept:
            self._chip = None
            raise ChipDeaf(part, expected="16 inputs with pull-ups", seen="registers that did not take it")

    def levels(self) -> int | None:
        """Return the levels of all pins, A0 in bit 0; None if the chip has lost its registers since `set_up`."""
        if self._chip is None:
            return None
        with translate_errors(self.address):
            levels = int(self._chip.gpio)
            # The pull-ups are read after the levels: if they are on now, they were on then.
            return levels if self._chip.gppu == _PULL_UPS else None

    def pull_interrupt(self) -> None:
        """Pull INTA low until `release_interrupt`, whatever the inputs do, by defaults that differ from them."""
        if self._chip is not None:
            with translate_errors(self.address):
                self._chip.default_value = ~int(self._chip.gpio) & _ALL
                self._chip.interrupt_configuration = _ALL

    def release_interrupt(self) -> None:
        """Release INTA; the next change pulls it low again."""
        if self._chip is not None:
            with translate_errors(self.address):
                self._chip.interrupt_configuration = 0
                self.levels()

    def ping(self) -> None:
        with translate_errors(self.address), self._device as device:
            device.readinto(bytearray(1))
