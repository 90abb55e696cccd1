"""One MCP23017 port expander with 16 sensor inputs, through its library.

Runs in the bus worker: everything here blocks for the time of its transfers.
"""

from adafruit_bus_device.i2c_device import I2CDevice
from adafruit_mcp230xx.mcp23017 import MCP23017

from firmware.drivers.bus import chip_name, translate_errors
from firmware.errors import ChipDeaf, ChipSilent
from firmware.wire import I2CBus

# One bit a pin, A0 lowest (DS20001952C, 3.5): pull-up on, pin is an input, and all pins of a mask.
_PULL_UPS = 0xFFFF
_INPUTS = 0xFFFF
_ALL = 0xFFFF
# DS20001952C, 3.5.6: both ports on INTA, which is an open drain, so that all expanders share one line.
_MIRROR_OPEN_DRAIN = 0x44


class Expander:
    """16 inputs with their pull-ups on; a change of any pulls INTA low until `levels` is asked.

    Lifetime: nothing is sent before `set_up`. Concurrency: the bus worker alone.
    Raises from every method: `ChipSilent`, `BusHung`.
    """

    def __init__(self, i2c: I2CBus, address: int) -> None:
        self.address = address
        self._i2c = i2c
        self._device = I2CDevice(i2c, address, probe=False)
        self._chip: MCP23017 | None = None

    @property
    def is_set_up(self) -> bool:
        """True once `set_up` was done."""
        return self._chip is not None

    def set_up(self) -> None:
        """All pins inputs with pull-ups. Raises `ChipDeaf` if the chip does not keep that."""
        with translate_errors(self.address):
            # The library's own probe cannot tell a hung bus from a silent chip; a plain read can.
            self.ping()
            self._chip = self._new_chip()
            self._chip.gppu = _PULL_UPS
            self._chip.io_control = _MIRROR_OPEN_DRAIN
            self._chip.interrupt_configuration = 0
            self._chip.interrupt_enable = _ALL
            kept = self._chip.gppu == _PULL_UPS and self._chip.iodir == _INPUTS
        if not kept:
            self._chip = None
            part = chip_name(self.address)
            raise ChipDeaf(part, expected="16 inputs with pull-ups", seen="registers that did not take it")

    def levels(self) -> int | None:
        """The levels of all pins, A0 in bit 0; None if the chip has lost its registers since `set_up`."""
        if self._chip is None:
            return None
        with translate_errors(self.address):
            levels = int(self._chip.gpio)
            # Read afterwards: pull-ups that are there now were there a moment ago.
            return levels if self._chip.gppu == _PULL_UPS else None

    def pull_interrupt(self) -> None:
        """Pull INTA low until `release_interrupt`, whatever the inputs do: their defaults are made to differ."""
        if self._chip is not None:
            with translate_errors(self.address):
                self._chip.default_value = ~int(self._chip.gpio) & _ALL
                self._chip.interrupt_configuration = _ALL

    def release_interrupt(self) -> None:
        """Let INTA go, to be pulled low by the next change."""
        if self._chip is not None:
            with translate_errors(self.address):
                self._chip.interrupt_configuration = 0
                self.levels()

    def ping(self) -> None:
        """Ask the chip for anything at all."""
        with translate_errors(self.address), self._device as device:
            device.readinto(bytearray(1))

    def _new_chip(self) -> MCP23017:
        try:
            return MCP23017(self._i2c, self.address)
        except ValueError as error:
            part = chip_name(self.address)
            raise ChipSilent(part, expected="an MCP23017 expander", seen=str(error)) from error
