"""The catalogue of faults, by the names the command line takes: their parts, and the code the self-test reports."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from hardware.box import Box
from hardware.sim.world import World
from hardware.tiles import TileId
from hardware.wires import GpioPin, parse_gpio

# The code under which vision reports each fault (vision/errors.py).
CAMERA_FAULTS = {"frozen": "V-101", "dark": "V-104", "grey": "V-103", "dead": "V-102", "upside-down": "V-106"}
# Interval at which a chip loses registers, on a loose supply wire or by a disturbance: shorter than any move (0.2 s or
# more).
_LOSES_S = 0.1


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One kind of fault.

    part: the form of the part that it takes; alternatives are separated by `|`.
    code: the code under which the self-test reports it, or one code per alternative.
    names: the part that the self-test names where it differs, or one per alternative.
    """

    name: str
    part: str
    code: str
    description: str
    parts: Callable[[Box], Iterable[str]]
    apply: Callable[[World, str], None]
    names: str = ""

    def finding(self, part: str) -> tuple[str, str]:
        """Return the code and the part that the self-test names when `part` is broken in this way."""
        codes, names = self.code.split("|"), self.names.split("|")
        place = self.part.split("|").index(part) if len(codes) > 1 or len(names) > 1 else 0
        return codes[place % len(codes)], names[place % len(names)] or part


def _seen_both_ways(box: Box) -> Iterable[str]:
    return (str(tile) for tile in box.tile_ids if box.tiles[tile].open is not None)


def _with_a_next_one(box: Box) -> Iterable[str]:
    """Return all tiles but the last of each row: their plugs can be swapped with the next tile's."""
    pairs = zip(box.tile_ids, box.tile_ids[1:], strict=False)
    return (str(tile) for tile, after in pairs if after.row == tile.row)


def _claimed(box: Box) -> Iterable[str]:
    """Return the header lines that are claimed when the box is opened."""
    panel = box.panel
    interrupt = panel.expander_interrupt if box.expanders else None
    sensors = (wire for wiring in box.tiles.values() for wire in (wiring.shut, wiring.open))
    wires = (panel.output_enable, *sensors, interrupt, panel.button, panel.lid, panel.led)
    return (str(wire) for wire in wires if isinstance(wire, GpioPin))


def _on_tile(
    name: str,
    code: str,
    act: Callable[[World, TileId], None],
    description: str,
    parts: Callable[[Box], Iterable[str]] = lambda box: map(str, box.tile_ids),
) -> FaultKind:
    return FaultKind(name, "TILE", code, description, parts, lambda world, part: act(world, TileId.parse(part)))


def _with_pins(box: Box) -> Iterable[str]:
    return (f"0x{address:02x}" for address in (*box.servo_boards, *box.expanders))


def _all_chips(box: Box) -> Iterable[str]:
    return (f"0x{address:02x}" for address in box.chips)


def _movable_chips(box: Box) -> Iterable[str]:
    """Return the chips whose kind has an address that no chip of the box has."""
    return (address for address in _all_chips(box) if box.free_addresses(int(address, 16)))


def _on_chip(
    name: str,
    code: str,
    act: Callable[[World, int], None],
    description: str,
    chips: Callable[[Box], Iterable[str]] = _with_pins,
) -> FaultKind:
    return FaultKind(name, "ADDRESS", code, description, chips, lambda world, part: act(world, int(part, 16)))


def _on_box(
    name: str, parts: tuple[str, ...], code: str, act: Callable[[World, str], None], description: str, names: str = ""
) -> FaultKind:
    return FaultKind(name, "|".join(parts), code, description, lambda _box: parts, act, names)


_KINDS = (
    _on_tile("jam", "H-301", World.jam, "The tile does not move, whatever pulls at it."),
    _on_tile("jam-up", "H-301", World.jam_up, "The tile goes down and does not come up."),
    _on_tile("jam-down", "H-301", World.jam_down, "The tile comes up and does not go down."),
    _on_tile("held", "H-301", World.hold_tile, "A hand holds the tile."),
    _on_tile("unplugged", "H-301", World.unplug, "The tile's servo is not plugged in."),
    _on_tile("half-way", "H-302", World.stop_half_way, "The tile comes half way and no farther."),
    _on_tile("die", "H-302", World.lay_die_under, "A die lies where the tile comes down."),
    _on_tile("slow", "H-306", World.slow, "The tile's servo has a third of its speed."),
    _on_tile(
        "holds", "H-308", World.hold_without_pulses, "The tile's servo goes on when its pulses end.", _seen_both_ways
    ),
    _on_tile(
        "swapped", "H-307", World.swap_servos, "The tile's servo and the next one's are swapped.", _with_a_next_one
    ),
    _on_tile(
        "swapped-sensor",
        "H-307",
        World.swap_sensors,
        "The tile's shut sensor and the next one's are swapped.",
        _with_a_next_one,
    ),
    _on_tile("reversed", "H-301", World.turn_round, "The tile's servo turns the other way."),
    _on_tile("stuck", "H-302", World.stick, "The tile's shut sensor keeps its present level."),
    _on_tile("stuck-shut", "H-302", World.stick_shut, "The tile's shut sensor always says that the tile lies."),
    _on_tile("stuck-open", "H-302", World.stick_not_shut, "The tile's shut sensor never says that the tile lies."),
    _on_tile("contradiction", "H-302", World.contradict, "Both sensors of the tile say yes.", _seen_both_ways),
    _on_tile("chatter", "H-304", World.chatter, "The tile's shut sensor flickers while the magnet is near."),
    _on_chip("silent", "H-202", World.silence, "The chip at that address does not answer.", _all_chips),
    _on_chip("moved", "H-202", World.move_chip, "The chip at that address answers at another one.", _movable_chips),
    _on_chip(
        "forgot",
        "H-203",
        lambda world, address: world.forget(address, _LOSES_S),
        "The chip at that address loses its registers again and again.",
    ),
    _on_chip(
        "astray",
        "H-203",
        lambda world, address: world.disturb(address, _LOSES_S),
        "The chip at that address changes its registers by itself, one bit after the other.",
    ),
    _on_box(
        "bus",
        ("hung", "stuck"),
        "H-201",
        lambda world, how: world.stick_bus() if how == "stuck" else world.hang_bus(),
        "The I2C bus is held down, for good or until a chip has got nine clocks.",
        "i2c",
    ),
    _on_box(
        "clock",
        ("held",),
        "H-201",
        lambda world, _: world.hold_clock(),
        "The clock of the I2C bus is held: a transfer waits for ever.",
        "i2c",
    ),
    _on_box(
        "contact",
        ("loose",),
        "H-201",
        lambda world, _: world.break_transfers(),
        "The I2C bus has a loose contact: now and then a transfer ends half done.",
        "i2c",
    ),
    _on_box(
        "oe",
        ("high", "low"),
        "H-209",
        World.hold_output_enable,
        "The /OE line is shorted: no pulse passes, or all do.",
        "/OE",
    ),
    FaultKind(
        "interrupt",
        "high|low",
        "H-211",
        "The wire of the expanders' interrupt is broken, or shorted to ground.",
        lambda box: ("high", "low") if box.panel.expander_interrupt is not None and box.expanders else (),
        World.hold_interrupt,
        "INT",
    ),
    FaultKind(
        "busy",
        "LINE",
        "H-207",
        "Another program has that line of the header.",
        _claimed,
        lambda world, part: world.occupy(parse_gpio(part)),
    ),
    _on_box(
        "header",
        ("forbidden", "edgeless"),
        "H-207|H-213",
        World.restrict_header,
        "The header is forbidden to this user, or its lines do not report their changes.",
        "header",
    ),
    FaultKind(
        "short",
        "V+",
        "H-214",
        "A lead or servo draws 2 A of V+ all the time; only a box with a current sensor knows of it.",
        lambda box: ("V+",) if box.supply.current_sensor is not None else (),
        lambda world, _: world.short_supply(),
    ),
    _on_box("sag", ("supply",), "H-208", lambda world, _: world.sag(), "The computer's supply sags."),
    _on_box("hot", ("computer",), "H-212", lambda world, _: world.heat(), "The computer gets no air."),
    FaultKind(
        "lid",
        "closed",
        "H-210",
        "The lid is down.",
        lambda box: ("closed",) if box.panel.lid is not None else (),
        lambda world, _: world.keep_lid_closed(),
        "lid",
    ),
    _on_box(
        "calibration",
        ("missing", "damaged", "foreign"),
        "C-103|C-102|C-102",
        World.spoil_calibration,
        "The calibration is not there, cannot be read, or is another box's.",
        "calibration",
    ),
    _on_box(
        "camera",
        tuple(CAMERA_FAULTS),
        "|".join(CAMERA_FAULTS.values()),
        World.break_camera,
        "The camera's picture stands still, is dark, is grey, does not come, or is upside down.",
        "camera|camera|markers|camera|camera",
    ),
)

FAULTS: Mapping[str, FaultKind] = {kind.name: kind for kind in _KINDS}


def apply_fault(world: World, text: str) -> None:
    """Break `world` as `text` says, e.g. `jam:front-7` or `silent:0x41`; a single possible part may be omitted.

    Raises `ValueError` that lists the allowed values.
    """
    name, colon, part = text.partition(":")
    kind = FAULTS.get(name)
    if kind is None:
        forms = ", ".join(f"{each.name}:{each.part}" for each in FAULTS.values())
        raise ValueError(f"no such fault {text!r}; allowed are {forms}")
    parts = tuple(kind.parts(world.box))
    if not colon and len(parts) == 1:
        part = parts[0]
    elif not colon:
        raise ValueError(f"{name} needs a part: {name}:{kind.part}; allowed are {', '.join(parts)}")
    if part not in parts:
        listed = ", ".join(parts) or "none"
        raise ValueError(f"{world.box.name} has no such part for {name}: {part!r}; allowed are {listed}")
    kind.apply(world, part)
