"""From what each channel moves to the wiring of the box as it is, and to what is wrong with it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from firmware.calibration.bringup.chips import Chips, tiles_on
from firmware.calibration.bringup.discovery import Discovery
from firmware.calibration.bringup.findings import Finding
from firmware.calibration.bringup.responses import Lines, Response
from firmware.tiles.sensors import SensorLine
from hardware.box import Box
from hardware.tiles import Position, TileId
from hardware.wires import ExpanderPin, GpioPin, ServoChannel
from hardware.wiring.changes import Change, change_box

Key = TypeVar("Key")
Wire = TypeVar("Wire")

_SWAP = "Put the plug where it belongs, or let the profile say where it is."
_TURN = "Nothing need be done to it if the profile says so (reversed = true); or mount the servo of another make."
_SILENT = "Plug its servo in and free the tile; look at its horn, at both of its sensors, and at their wires."
_SENSOR = "Look at this sensor: the magnet or the switch, the gap, the plug and its wire."
_SUPPLY = "Switch the servos' supply on; look at its fuse, and at the wire of /OE."
_EXCHANGE = "Exchange their address jumpers, or let the profile say which is which."
_BOTH = "Look for two servos in one channel, or for two servo boards with the same address."
_PART = {Position.SHUT: "shut", Position.OPEN: "open"}


@dataclass(frozen=True, slots=True)
class Wiring:
    """The wiring of a box as it is: by tile its servo channel and way, and the wires of its sensors by their ends."""

    servo: Mapping[TileId, ServoChannel]
    reversed: Mapping[TileId, bool]
    sensors: Mapping[SensorLine, GpioPin | ExpanderPin]
    findings: tuple[Finding, ...] = ()
    wrong: frozenset[TileId] = frozenset()
    silent: frozenset[TileId] = field(default=frozenset())


def move_chips(box: Box, chips: Chips) -> tuple[Change, ...]:
    """Return the changes of the profile for chips that answer at other addresses."""
    changes: list[Change] = []
    names = {chip: f"the {chips.kinds[chip]} 0x{chip:02x} answers at 0x{at:02x}" for chip, at in chips.moved.items()}
    for path, wire in box.wires():
        chip = _chip_of(wire)
        if chip in chips.moved:
            changes.append(Change(path, str(wire), str(_at(wire, chips.moved[chip])), names[chip]))
    for chip, at in chips.moved.items():
        if chip == box.supply.current_sensor:
            changes.append(Change(("supply", "current_sensor"), f"0x{chip:02x}", f"0x{at:02x}", names[chip]))
        if (clock := box.clocks.get(f"0x{chip:02x}")) is not None:
            changes.append(Change(("clocks", f"0x{chip:02x}"), clock, None, names[chip]))
            changes.append(Change(("clocks", f"0x{at:02x}"), None, clock, names[chip]))
    return tuple(changes)


def chip_findings(box: Box, chips: Chips) -> Iterator[Finding]:
    """Yield a finding for each chip that is not where the profile has it, and for those that nobody expects."""
    for chip, at in chips.moved.items():
        yield Finding(
            "chip",
            f"0x{chip:02x}",
            f"the {chips.kinds[chip]} {_of_tiles(box, chip)}at 0x{chip:02x}",
            f"it answers at 0x{at:02x}",
            "Set its address jumpers as the wiring plan says, or let the profile say where it is.",
            mended=True,
        )
    for chip in chips.missing:
        yield Finding(
            "chip",
            f"0x{chip:02x}",
            f"the {chips.kinds[chip]} {_of_tiles(box, chip)}at 0x{chip:02x}",
            "no answer at any address",
            "Look at its power, its plug, and whether its address jumpers are those of another chip.",
        )
    for address in chips.strangers:
        cure = "Take it off the bus if it belongs to no tile; else look at its address jumpers."
        yield Finding("chip", f"0x{address:02x}", "no chip at this address", "an answer", cure)


def deduce(box: Box, found: Discovery, directed: Box) -> Wiring:
    """Return the wiring as it is, by what each channel of `box` moves.

    A wire of which nothing is known stays, unless another tile was found at it: then the free ones are dealt out.
    directed: the box whose pulses say which way each servo turns: calibrated, if it was.
    """
    channels = {moved: tile for tile, moved in found.moved.items()}
    servo = _deal(
        {tile: wiring.servo for tile, wiring in box.tiles.items()},
        {tile: box.tiles[channel].servo for tile, channel in channels.items()},
    )
    own = dict(_sensor_wires(box))
    answering = {tile: response for tile, channel in channels.items() if (response := found.responses[channel])}
    ends = [
        (SensorLine(tile, end), line)
        for tile, response in answering.items()
        for end, seen in ((Position.SHUT, response.at_down), (Position.OPEN, response.at_up))
        if (line := _line_of(SensorLine(tile, end), channels[tile], seen)) and SensorLine(tile, end) in own
    ]
    sensors = _deal(own, {name: own[line] for name, line in ends})
    turned = {
        tile: _is_reversed(box, directed, tile, channels[tile], answering[tile])
        if tile in answering
        else box.tiles[tile].reversed
        for tile in box.tile_ids
    }
    owners = {wiring.servo: tile for tile, wiring in box.tiles.items()}
    silent = frozenset(
        tile for tile in box.tile_ids if tile not in channels and found.responses.get(owners[servo[tile]], tile) is None
    )
    listed = tuple(_findings(box, found, Wiring(servo, turned, sensors, silent=silent), own))
    wrong = frozenset(tile for tile in box.tile_ids if any(each.part == str(tile) for each in listed)) - silent
    return Wiring(servo, turned, sensors, listed, wrong, silent)


def changes_to(box: Box, wiring: Wiring, moved: tuple[Change, ...]) -> tuple[Change, ...]:
    """Return the changes by which the profile says what the wiring is. moved: those for chips at other addresses."""
    at = change_box(box, moved)
    changes = {change.key: change for change in moved}
    for tile in box.tile_ids:
        row, now = box.tiles[tile], at.tiles[tile]
        wanted: list[tuple[str, object, object, str]] = [
            ("servo", now.servo, wiring.servo[tile], f"{wiring.servo[tile]} moves {tile}")
        ]
        for end, part in _PART.items():
            line = SensorLine(tile, end)
            if line in wiring.sensors:
                wire = wiring.sensors[line]
                wanted.append((part, getattr(now, part), wire, f"{wire} sees {tile} {part}"))
        for part, before, after, why in wanted:
            if before != after:
                key = ("tiles", str(tile), part)
                changes.pop(key, None)
                if getattr(row, part) != after:
                    changes[key] = Change(key, str(getattr(row, part)), str(after), why)
        if wiring.reversed[tile] != row.reversed:
            why = f"the servo of {tile} turns the {'other' if wiring.reversed[tile] else 'usual'} way"
            key = ("tiles", str(tile), "reversed")
            changes[key] = Change(key, row.reversed, wiring.reversed[tile], why)
    return tuple(changes.values())


def _findings(
    box: Box, found: Discovery, wiring: Wiring, own: Mapping[SensorLine, GpioPin | ExpanderPin]
) -> Iterator[Finding]:
    if found.responses and not any(found.responses.values()):
        yield Finding("supply", "V+", "servos that move their tiles", "no tile answers to any channel", _SUPPLY)
        return
    channels = {moved: tile for tile, moved in found.moved.items()}
    places = {wire: line for line, wire in own.items()}
    owners = {wiring.servo: tile for tile, wiring in box.tiles.items()}
    servos = {tile: each.servo for tile, each in box.tiles.items()}
    exchanged = {**_exchanged(servos, wiring.servo), **_exchanged(own, wiring.sensors)}
    for one, other in exchanged.items():
        if one < other:
            sees = " and ".join(_of_tiles(box, chip).strip() for chip in (one, other))
            seen = "each at the other's address"
            yield Finding("chip", f"0x{one:02x} and 0x{other:02x}", f"the chips {sees}", seen, _EXCHANGE, mended=True)
    for tile in box.tile_ids:
        name, row = str(tile), box.tiles[tile]
        if tile in wiring.silent:
            yield Finding("silent", name, f"a tile that moves by {row.servo}", "no sensor answers to it", _SILENT)
        if wiring.servo[tile] != row.servo and row.servo.board not in exchanged:
            wire = wiring.servo[tile]
            seen = f"it at {wire}, the place of {owners[wire]}"
            yield Finding("servo", name, f"its servo at {row.servo}", seen, _SWAP, mended=True)
        for end, part in _PART.items():
            line = SensorLine(tile, end)
            if line in own and wiring.sensors[line] != own[line] and _chip_of(own[line]) not in exchanged:
                place = places[wiring.sensors[line]]
                seen = f"it at {own[place]}, the place of {place.tile}'s {_PART[place.end]} sensor"
                yield Finding("sensor", name, f"its {part} sensor at {own[line]}", seen, _SWAP, mended=True)
        if wiring.reversed[tile] != row.reversed:
            expected = "a servo that turns as the profile says"
            yield Finding("direction", name, expected, "it turns the other way at the same pulse", _TURN, mended=True)
        response = found.responses.get(channels[tile]) if tile in channels else None
        if response is not None:
            yield from _sensor_findings(tile, response, found.flickering, own)
    for tile, response in found.responses.items():
        if response is not None and tile not in found.moved:
            seen = f"what moves is named differently by {', '.join(sorted(_named(response.lines)))}"
            cure = "Look which tile moves: begin again, and answer when you are asked."
            yield Finding("sensor", str(tile), f"one tile that moves by {box.tiles[tile].servo}", seen, cure)


def _exchanged(
    own: Mapping[Key, ServoChannel] | Mapping[Key, GpioPin | ExpanderPin],
    now: Mapping[Key, ServoChannel] | Mapping[Key, GpioPin | ExpanderPin],
) -> dict[int, int]:
    """Return the pairs of chips that have each other's wires, pin by pin."""
    places: dict[int, set[int]] = {}
    for key, wire in own.items():
        at = now[key]
        same = _at(wire, _chip_of(at)) == at
        places.setdefault(_chip_of(wire), set()).add(_chip_of(at) if same else 0)
    went = {chip: at.pop() for chip, at in places.items() if len(at) == 1}
    return {chip: at for chip, at in went.items() if chip and at != chip and went.get(at) == chip}


def _sensor_findings(
    tile: TileId, response: Response, flickering: Lines, own: Mapping[SensorLine, GpioPin | ExpanderPin]
) -> Iterator[Finding]:
    """Yield what the sensors of a tile that moves do wrong."""
    for end, seen in ((Position.SHUT, response.at_down), (Position.OPEN, response.at_up)):
        line, part = SensorLine(tile, end), _PART[end]
        if line not in own:
            continue
        if line in flickering:
            yield Finding("stuck", f"{tile}", f"a {part} sensor that settles", "it flickers", _SENSOR)
        elif not seen:
            always = "yes" if line in response.down.seen & response.up.seen else "no"
            expected = f"a {part} sensor that tells where the tile is"
            yield Finding("stuck", f"{tile}", expected, f"it says {always} all the time", _SENSOR)
        elif len(seen) > 1:
            others = ", ".join(sorted(_named(seen)))
            yield Finding("both", f"{tile}", "one tile that moves at a time", f"sensors that change at {others}", _BOTH)


def _named(lines: Lines) -> Iterator[str]:
    return (f"{line.tile}'s {_PART[line.end]} sensor" for line in lines)


def _line_of(name: SensorLine, channel: TileId, seen: Lines) -> SensorLine | None:
    """Return the one of the sensors that is the tile's: if more than one changed, its own first."""
    return min(seen, key=lambda line: (line.tile != name.tile, line.tile != channel, line), default=None)


def _is_reversed(box: Box, directed: Box, tile: TileId, channel: TileId, response: Response) -> bool:
    if tile == channel:
        lays = directed.pulse_us(tile, shut=True) > directed.pulse_us(tile, shut=False)
        return box.tiles[tile].reversed == (lays == (response.sign > 0))
    # Its pulses were those of the other tile, mirrored if that is a reversed one.
    lays = box.motion.shut_us > box.motion.open_us
    return (lays == (response.sign > 0)) == box.tiles[channel].reversed


def _deal(own: Mapping[Key, Wire], found: Mapping[Key, Wire]) -> dict[Key, Wire]:
    """Return everybody's wire: the one that was found, else their own, else one that is left over; each goes once."""
    dealt: dict[Key, Wire] = {}
    for key, wire in found.items():
        if wire not in dealt.values():
            dealt[key] = wire
    for key, wire in own.items():
        if key not in dealt and wire not in dealt.values():
            dealt[key] = wire
    left = iter([wire for wire in own.values() if wire not in dealt.values()])
    return {key: dealt[key] if key in dealt else next(left) for key in own}


def _sensor_wires(box: Box) -> Iterator[tuple[SensorLine, GpioPin | ExpanderPin]]:
    for tile, wiring in box.tiles.items():
        yield SensorLine(tile, Position.SHUT), wiring.shut
        if wiring.open is not None:
            yield SensorLine(tile, Position.OPEN), wiring.open


def _chip_of(wire: ServoChannel | GpioPin | ExpanderPin) -> int:
    """Return the address of the chip that a wire leads to; 0, which no chip has, for one of the header."""
    if isinstance(wire, ServoChannel):
        return wire.board
    return wire.expander if isinstance(wire, ExpanderPin) else 0


def _at(wire: ServoChannel | GpioPin | ExpanderPin, chip: int) -> ServoChannel | GpioPin | ExpanderPin:
    """Return the same wire of a chip at another address."""
    if isinstance(wire, ServoChannel):
        return ServoChannel(chip, wire.channel)
    return ExpanderPin(chip, wire.pin) if isinstance(wire, ExpanderPin) else wire


def _of_tiles(box: Box, chip: int) -> str:
    tiles = tiles_on(box, chip)
    return f"of {tiles[0]} to {tiles[-1]} " if tiles else ""
