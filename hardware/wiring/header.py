"""The Raspberry Pi's 40-pin header: which pin carries which line.

Source: Raspberry Pi documentation, "GPIO and the 40-pin header", the same on every board since the Model B+.
"""

from hardware.wires import GpioPin

_NAMES = """
3V3 5V  GPIO2 5V  GPIO3 GND  GPIO4 GPIO14  GND GPIO15  GPIO17 GPIO18  GPIO27 GND  GPIO22 GPIO23  3V3 GPIO24  GPIO10 GND
GPIO9 GPIO25  GPIO11 GPIO8  GND GPIO7  GPIO0 GPIO1  GPIO5 GND  GPIO6 GPIO12  GPIO13 GND  GPIO19 GPIO16  GPIO26 GPIO20
GND GPIO21
"""

# Names by pin number, 1..40; odd pins are the inner column, even pins the one at the board's edge.
HEADER = dict(enumerate(_NAMES.split(), 1))

_PINS = {name: pin for pin, name in HEADER.items() if name.startswith("GPIO")}


def pin_of(line: GpioPin) -> int:
    """The header pin (1..40) of a GPIO line."""
    return _PINS[str(line)]
