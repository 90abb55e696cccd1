"""The Raspberry Pi's 40-pin header: the lines of its pins, and how the Pi may drive a line when it starts."""

from collections.abc import Mapping
from dataclasses import dataclass

from hardware.wires import GpioPin

# Source: Raspberry Pi documentation, "GPIO and the 40-pin header", the same on every board since the Model B+.
_NAMES = """
3V3 5V  GPIO2 5V  GPIO3 GND  GPIO4 GPIO14  GND GPIO15  GPIO17 GPIO18  GPIO27 GND  GPIO22 GPIO23  3V3 GPIO24  GPIO10 GND
GPIO9 GPIO25  GPIO11 GPIO8  GND GPIO7  GPIO0 GPIO1  GPIO5 GND  GPIO6 GPIO12  GPIO13 GND  GPIO19 GPIO16  GPIO26 GPIO20
GND GPIO21
"""

# Names by pin number, 1..40; odd pins are the inner column, even pins the one at the board's edge.
HEADER = dict(enumerate(_NAMES.split(), 1))

_PINS = {name: pin for pin, name in HEADER.items() if name.startswith("GPIO")}


@dataclass(frozen=True, slots=True)
class BootFunction:
    """The function of a line from the start of the Pi if `interface` is switched on, with its usual signal name.

    drives: the Pi itself puts high and low on the line, against whatever else is connected.
    """

    interface: str
    signal: str
    drives: bool


# By line, for the interfaces that raspi-config switches, without I2C, whose two lines are the box's bus. After a reset
# every line is an input, but a used card, or an image made for a console, may switch these on before anybody can log
# in. Sources: Raspberry Pi documentation on UARTs (`enable_uart`) and device trees (`dtparam=spi`, overlay `w1-gpio`),
# and BCM2711 ARM Peripherals 5.3, table of alternative functions.
BOOT_FUNCTIONS: Mapping[str, BootFunction] = {
    "GPIO4": BootFunction("1-Wire", "DQ", drives=False),  # pulled low only, as by a sensor
    "GPIO7": BootFunction("SPI", "CE1", drives=True),
    "GPIO8": BootFunction("SPI", "CE0", drives=True),
    "GPIO9": BootFunction("SPI", "MISO", drives=False),
    "GPIO10": BootFunction("SPI", "MOSI", drives=True),
    "GPIO11": BootFunction("SPI", "SCLK", drives=True),
    "GPIO14": BootFunction("serial console", "TXD", drives=True),
    "GPIO15": BootFunction("serial console", "RXD", drives=False),
}


def pin_of(line: GpioPin) -> int:
    return _PINS[str(line)]
