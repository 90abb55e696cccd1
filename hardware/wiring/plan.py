"""The ends of all wires of one box: pins of the Raspberry Pi's header, channels of servo boards, legs of expanders."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from hardware.box import Box
from hardware.tiles import TileId
from hardware.wires import (
    CURRENT_SENSOR_ADDRESSES,
    EXPANDER_ADDRESSES,
    SERVO_BOARD_ADDRESSES,
    ExpanderPin,
    GpioPin,
    ServoChannel,
)

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
    """The function of a line from the start of the Pi if `interface` is switched on, with its usual signal name."""

    interface: str
    signal: str


# By line, for the interfaces that raspi-config switches, without I2C, whose two lines are the box's bus. After a reset
# every line is an input, but a used card, or an image made for a console, may switch these on before anybody can log
# in. Sources: Raspberry Pi documentation on UARTs (`enable_uart`) and device trees (`dtparam=spi`, overlay `w1-gpio`),
# and BCM2711 ARM Peripherals 5.3, table of alternative functions.
BOOT_FUNCTIONS: Mapping[str, BootFunction] = {
    "GPIO4": BootFunction("1-Wire", "DQ"),  # pulled low only, as by a sensor
    "GPIO7": BootFunction("SPI", "CE1"),
    "GPIO8": BootFunction("SPI", "CE0"),
    "GPIO9": BootFunction("SPI", "MISO"),
    "GPIO10": BootFunction("SPI", "MOSI"),
    "GPIO11": BootFunction("SPI", "SCLK"),
    "GPIO14": BootFunction("serial console", "TXD"),
    "GPIO15": BootFunction("serial console", "RXD"),
}


def pin_of(line: GpioPin) -> int:
    return _PINS[str(line)]


# Sources for both chips: PCA9685 data sheet rev. 4, 7.1 (address 1 A5 A4 A3 A2 A1 A0) and the schematic of Adafruit's
# board 815 (a bridged jumper is a 1, order of its side header); MCP23017 data sheet DS20001952, 3.3.1 (address 0 1 0 0
# A2 A1 A0) and table 1-1 (legs of the 28-pin DIP).
CHANNELS = 16
SERVO_BOARD, EXPANDER = "PCA9685", "MCP23017"

# Legs of an MCP23017 in a DIP that are not sensors; INTB follows INTA, because the program mirrors them.
EXPANDER_LEGS = {"VDD": 9, "VSS": 10, "SCL": 12, "SDA": 13, "A0": 15, "A1": 16, "A2": 17, "RESET": 18, "INTA": 20}
_FIRST_LEG = {"A": 21, "B": 1}


def jumpers_of(address: int) -> tuple[bool, ...]:
    """Return which address pins of a chip are bridged to 3.3 V: A0..A5 of a PCA9685, A0..A2 of an MCP23017."""
    addresses = SERVO_BOARD_ADDRESSES if address in SERVO_BOARD_ADDRESSES else EXPANDER_ADDRESSES
    bits = range((len(addresses) - 1).bit_length())
    return tuple(bool((address - addresses.start) >> bit & 1) for bit in bits)


# INA260 data sheet SBOS656C, table 2: what A0 and, four addresses apart, A1 is tied to.
CURRENT_SENSOR = "INA260"
_STRAPS = ("GND", "3.3 V", "SDA", "SCL")


def sensor_straps(address: int) -> str:
    """Return what the two address pins of a current sensor are tied to."""
    a1, a0 = divmod(address - CURRENT_SENSOR_ADDRESSES.start, len(_STRAPS))
    return f"A0 to {_STRAPS[a0]}, A1 to {_STRAPS[a1]}"


def expander_leg(pin: int) -> int:
    return _FIRST_LEG["AB"[pin // 8]] + pin % 8


class Role(StrEnum):
    """The purpose of a wire."""

    SERVO = "servo"
    SHUT = "shut"
    OPEN = "open"
    OUTPUT_ENABLE = "output_enable"
    INTERRUPT = "interrupt"
    PANEL = "panel"
    DATA = "i2c_data"
    CLOCK = "i2c_clock"
    LOGIC = "3v3"
    GROUND = "ground"
    SERVO_POWER = "servo_power"
    FREE = "free"


_PANEL = {
    "output_enable": (Role.OUTPUT_ENABLE, "/OE"),
    "expander_interrupt": (Role.INTERRUPT, "INT"),
    "lid": (Role.PANEL, "lid"),
    "button": (Role.PANEL, "button"),
    "led": (Role.PANEL, "LED"),
    "speaker": (Role.PANEL, "speaker"),
}
# The roles of all lines with a resistor in series: /OE is the only line of the header without one.
_IN_SERIES = (Role.SHUT, Role.OPEN, Role.INTERRUPT, Role.PANEL)
# The parts of the panel that pull their line to ground, as sensors do.
_CONTACTS = ("lid", "button")


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """One pin (1..40) of the header, its printed name, and its connection; `use` is empty on a free pin."""

    number: int
    name: str
    role: Role
    use: str

    @property
    def at_boot(self) -> BootFunction | None:
        """The function that the Pi may give this line when it starts; None for a line that it leaves alone."""
        return BOOT_FUNCTIONS.get(self.name)

    @property
    def in_series(self) -> bool:
        """True for a line with a resistor in series: whatever the Pi drives it to, a short does no harm."""
        return self.role in _IN_SERIES

    @property
    def pulled_up(self) -> bool:
        """True for a line that a contact or an open output pulls to ground."""
        return self.in_series and (self.role is not Role.PANEL or self.use in _CONTACTS)


@dataclass(frozen=True, slots=True)
class Outlet:
    """One of a chip's 16 channels or pins, by its printed name, with the tile connected to it, if any."""

    name: str
    role: Role
    tile: TileId | None

    @property
    def use(self) -> str:
        """Its purpose: `front-7` on a servo board, `front-7 open` on an expander; empty for a free one."""
        if self.tile is None:
            return ""
        return str(self.tile) if self.role is Role.SERVO else f"{self.tile} {self.role}"


@dataclass(frozen=True, slots=True)
class Chip:
    """A servo board or an expander: its address, its address jumpers from A0 upwards, its 16 outlets."""

    kind: str
    address: int
    jumpers: tuple[bool, ...]
    outlets: tuple[Outlet, ...]

    @property
    def used(self) -> tuple[Outlet, ...]:
        return tuple(each for each in self.outlets if each.tile is not None)

    @property
    def name(self) -> str:
        """The address as written everywhere: 0x41."""
        return f"0x{self.address:02x}"

    @property
    def bridged(self) -> str:
        """The jumpers that are set, such as `A0 A2`, or `none`."""
        return " ".join(f"A{bit}" for bit, is_set in enumerate(self.jumpers) if is_set) or "none"


@dataclass(frozen=True, slots=True)
class Plan:
    """All wires of one box."""

    box: Box
    header: tuple[HeaderPin, ...]
    boards: tuple[Chip, ...]
    expanders: tuple[Chip, ...]

    @property
    def current_sensor(self) -> str | None:
        """The address of the current sensor, as written everywhere; None without one."""
        address = self.box.supply.current_sensor
        return None if address is None else f"0x{address:02x}"

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of all chips on the bus."""
        sensor = () if self.current_sensor is None else (self.current_sensor,)
        return (*(chip.name for chip in (*self.expanders, *self.boards)), *sensor)

    @property
    def panel(self) -> Mapping[str, HeaderPin]:
        """The pins of the panel's parts that this box has, by the names of the parts in the profile."""
        lines = {part: wire for part, wire in self.box.panel if wire is not None}
        return {part: self.header[pin_of(wire) - 1] for part, wire in lines.items()}

    @property
    def pulled_up(self) -> tuple[HeaderPin | Outlet, ...]:
        """All lines with an outer pull-up: those of the header and the sensors of the expanders."""
        sensors = (outlet for chip in self.expanders for outlet in chip.used)
        return (*(pin for pin in self.header if pin.pulled_up), *sensors)

    def sensors(self, role: Role) -> int:
        roles = [pin.role for pin in self.header]
        roles += [outlet.role for chip in self.expanders for outlet in chip.outlets]
        return roles.count(role)


def plan_of(box: Box) -> Plan:
    """Follow every wire of `box` to both its ends."""
    sensors: dict[GpioPin | ExpanderPin, tuple[Role, TileId]] = {}
    for tile, wiring in box.tiles.items():
        sensors[wiring.shut] = (Role.SHUT, tile)
        if wiring.open is not None:
            sensors[wiring.open] = (Role.OPEN, tile)
    servos = {wiring.servo: tile for tile, wiring in box.tiles.items()}
    boards = []
    for address in box.servo_boards:
        channels = (ServoChannel(address, channel) for channel in range(CHANNELS))
        outlets = tuple(Outlet(str(wire.channel), Role.SERVO, servos.get(wire)) for wire in channels)
        boards.append(Chip(SERVO_BOARD, address, jumpers_of(address), outlets))
    expanders = []
    for address in box.expanders:
        pins = (ExpanderPin(address, pin) for pin in range(CHANNELS))
        free = (Role.FREE, None)
        outlets = tuple(Outlet(f"{'AB'[wire.pin // 8]}{wire.pin % 8}", *sensors.get(wire, free)) for wire in pins)
        expanders.append(Chip(EXPANDER, address, jumpers_of(address), outlets))
    return Plan(box, _header(box, sensors), tuple(boards), tuple(expanders))


def _header(box: Box, sensors: Mapping[GpioPin | ExpanderPin, tuple[Role, TileId]]) -> tuple[HeaderPin, ...]:
    # One supply pin per group of parts, so that no pin takes more than one bundle; the 5 V pins stay free.
    uses = {
        1: (Role.LOGIC, "3.3 V boards"),
        3: (Role.DATA, "I2C SDA"),
        5: (Role.CLOCK, "I2C SCL"),
        6: (Role.GROUND, "GND boards"),
        9: (Role.GROUND, "GND Hall"),
        17: (Role.LOGIC, "3.3 V Hall"),
    }
    if any(wiring.open is not None for wiring in box.tiles.values()):
        uses[14] = (Role.GROUND, "GND switches")
    if any(wire is not None for part, wire in box.panel if _PANEL[part][0] is Role.PANEL):
        uses[20] = (Role.GROUND, "GND panel")
    uses |= {pin_of(wire): _PANEL[part] for part, wire in box.panel if wire is not None}
    for wire, (role, tile) in sensors.items():
        if isinstance(wire, GpioPin):
            uses[pin_of(wire)] = (role, f"{tile} {role}")
    return tuple(HeaderPin(pin, name, *uses.get(pin, (Role.FREE, ""))) for pin, name in HEADER.items())
