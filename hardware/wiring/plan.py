"""The wires of one box by where they end: on which pin of the header, which channel, which leg."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from hardware.box import Box
from hardware.tiles import TileId
from hardware.wires import ExpanderPin, GpioPin, ServoChannel
from hardware.wiring import chips
from hardware.wiring.header import BOOT_FUNCTIONS, HEADER, BootFunction, pin_of


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
# What pulls its line to ground with nothing between; LED and speaker have a resistor of their own.
_PULLS = (Role.SHUT, Role.OPEN, Role.INTERRUPT)
_PANEL_PULLS = ("lid", "button")


@dataclass(frozen=True, slots=True)
class HeaderPin:
    """One pin (1..40) of the header, its printed name, and what hangs on it; `use` is empty on a free one."""

    number: int
    name: str
    role: Role
    use: str

    @property
    def at_boot(self) -> BootFunction | None:
        """What the Pi may do with this line when it starts; None for a line that it leaves alone."""
        return BOOT_FUNCTIONS.get(self.name)

    @property
    def needs_resistor(self) -> bool:
        """True if the Pi may drive this line when it starts while a contact pulls it to ground."""
        pulls = self.role in _PULLS or (self.role is Role.PANEL and self.use in _PANEL_PULLS)
        return pulls and self.at_boot is not None and self.at_boot.drives


@dataclass(frozen=True, slots=True)
class Outlet:
    """One of a chip's 16 channels or pins, by its printed name, with the tile that hangs on it, if any."""

    name: str
    role: Role
    tile: TileId | None

    @property
    def use(self) -> str:
        """The use of it: `front-7` on a servo board, `front-7 open` on an expander; empty for a free one."""
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
        """The outlets with a tile."""
        return tuple(each for each in self.outlets if each.tile is not None)

    @property
    def name(self) -> str:
        """The address as it is written everywhere: 0x41."""
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
    def panel(self) -> Mapping[str, HeaderPin]:
        """The panel's parts that this box has, by their name in the profile, with their pins."""
        lines = {part: wire for part, wire in self.box.panel if wire is not None}
        return {part: self.header[pin_of(wire) - 1] for part, wire in lines.items()}

    @property
    def in_series(self) -> tuple[HeaderPin, ...]:
        """The pins with a resistor between them and their line, by the number of the line."""
        found = (pin for pin in self.header if pin.needs_resistor)
        return tuple(sorted(found, key=lambda pin: int(pin.name.removeprefix("GPIO"))))

    def sensors(self, role: Role) -> int:
        """The number of shut or open sensors."""
        roles = [pin.role for pin in self.header]
        roles += [outlet.role for chip in self.expanders for outlet in chip.outlets]
        return roles.count(role)


def plan_of(box: Box) -> Plan:
    """Follow every wire of `box` to both its ends."""
    sensors = _sensors(box)
    return Plan(
        box,
        _header(box, sensors),
        tuple(_servo_board(box, address) for address in box.servo_boards),
        tuple(_expander(sensors, address) for address in box.expanders),
    )


_Sensors = Mapping[GpioPin | ExpanderPin, tuple[Role, TileId]]


def _sensors(box: Box) -> _Sensors:
    found: dict[GpioPin | ExpanderPin, tuple[Role, TileId]] = {}
    for tile, wiring in box.tiles.items():
        found[wiring.shut] = (Role.SHUT, tile)
        if wiring.open is not None:
            found[wiring.open] = (Role.OPEN, tile)
    return found


def _header(box: Box, sensors: _Sensors) -> tuple[HeaderPin, ...]:
    uses = _supply_pins(box)
    uses |= {pin_of(wire): _PANEL[part] for part, wire in box.panel if wire is not None}
    for wire, (role, tile) in sensors.items():
        if isinstance(wire, GpioPin):
            uses[pin_of(wire)] = (role, f"{tile} {role}")
    return tuple(HeaderPin(pin, name, *uses.get(pin, (Role.FREE, ""))) for pin, name in HEADER.items())


def _supply_pins(box: Box) -> dict[int, tuple[Role, str]]:
    """One pin a group of parts, so that no pin has to take more than one bundle; the 5 V pins stay free."""
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
    return uses


def _servo_board(box: Box, address: int) -> Chip:
    tiles = {wiring.servo: tile for tile, wiring in box.tiles.items()}
    channels = (ServoChannel(address, channel) for channel in range(chips.CHANNELS))
    outlets = tuple(Outlet(str(wire.channel), Role.SERVO, tiles.get(wire)) for wire in channels)
    return Chip(chips.SERVO_BOARD, address, chips.servo_board_jumpers(address), outlets)


def _expander(sensors: _Sensors, address: int) -> Chip:
    pins = (ExpanderPin(address, pin) for pin in range(chips.CHANNELS))
    outlets = tuple(Outlet(chips.expander_pin_name(wire.pin), *sensors.get(wire, (Role.FREE, None))) for wire in pins)
    return Chip(chips.EXPANDER, address, chips.expander_jumpers(address), outlets)
