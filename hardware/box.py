"""The box profile: tiles, wires, servos, supply, camera and field, with the limits of pulses and driving times.

Profiles are TOML files; those of the known builds are in `boxes/`. Loading checks the whole profile: an unknown key, a
wire used twice, a missing tile or a number out of range is refused with file, line and the allowed values.
"""

from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

from pydantic import BeforeValidator, Field, model_validator

from hardware.camera import Camera
from hardware.errors import BoxProfileError
from hardware.tiles import DOMINO_SETS, TileId, dominoes_of, tiles_of
from hardware.toml_file import FileModel, FileProblem, line_of, parse_toml, read_plain_text
from hardware.wires import (
    ALL_CALL_ADDRESS,
    CURRENT_SENSOR_ADDRESSES,
    EXPANDER_ADDRESSES,
    SERVO_BOARD_ADDRESSES,
    CurrentSensorAddress,
    ExpanderPin,
    GpioPin,
    GpioWire,
    SensorWire,
    ServoChannel,
    ServoWire,
)

# All limits of the hardware are defined here; code that drives, calibrates or tests imports them from this file.
#
# The pulse range that all common micro servos accept; outside it they run against the stops in their own cases.
LEAST_US, MOST_US = 500, 2400
# How far beyond its end points a tile may be driven: 3 degrees of a common servo (1000 us for 90 degrees), which is
# the play of horn and tile. Further on, the servo presses its tile against stop or ledge and stalls.
PULSE_MARGIN_US = 33
# Here a horn points straight along the row, within a degree: hardware/column.py and the pulses of the profiles. About
# it the pulses of a servo that turns the other way are mirrored.
MOUNT_US = 1500
# End points closer together than this are a typing error: it is 27 degrees of a common servo, and the two sensors of a
# tile answer at least 50 degrees apart.
LEAST_TRAVEL_US = 300
# No servo is driven longer than this while its tile makes no progress: a stalled servo gets hot and burns itself and
# its driver board. A sound servo needs less than half of it (0.27 s + 15 % for the loaded 90 degrees, and a frame).
LONGEST_DRIVE_S = 0.8
# A tile is given up, and its servo released over the bus, this long before its driving time ends. If the loop or the
# bus hangs so that this fails, all pulses are cut a little later, still before the end. The remaining margin is for a
# busy computer: on two cores with eight busy programs, a thread and its message were up to 0.09 s late.
_GIVE_UP_BEFORE_S = 0.2
_CUT_BEFORE_S = 0.15
# The currents of a common micro servo that moves, least and most, as parts of its 0.65 A when it stalls (SG90 and MG90S
# data sheets, vendors' measurements: 0.2 to 0.4 A).
_MOVING = (0.2 / 0.65, 0.4 / 0.65)
# INA260 data sheet SBOS656C, 6.3: through its own 2 mohm. An INA219 with the usual 0.1 ohm ends at 3.2 A, and takes a
_MOST_SENSED_A = 15.0
# Less than this would leave a slow but sound servo no time: after the margins above it needs 0.33 s with the frame (0.4
# s where no sensor sees a standing tile) plus the looks. The self-test drives for 0.5 s, which ends before the cut.
LEAST_DRIVE_S = 0.7

T = TypeVar("T", int, float)

BoardKey = Annotated[str, Field(pattern=r"^0x[4-7][0-9a-f]$")]
# PCA9685 boards were measured to run at 23 to 27 MHz instead of 25: factors of 0.93 to 1.09, plus a margin.
ClockFactor = Annotated[float, Field(ge=0.9, le=1.1)]
TileKey = Annotated[TileId, BeforeValidator(lambda name: TileId.parse(name) if isinstance(name, str) else name)]


class TileWiring(FileModel):
    """The wires of one tile: its servo, its shut sensor (Hall) and, where fitted, its open sensor (switch).

    `open_us`, `rest_us` and `shut_us` (500..2400) replace the box's common pulse widths for this one tile.
    reversed: its servo turns the other way at the same pulse; it is sent the mirrored ones, and all others are told
    those of a servo that turns as the others.
    """

    servo: ServoWire
    shut: SensorWire
    open: SensorWire | None = None
    open_us: int | None = Field(default=None, ge=LEAST_US, le=MOST_US)
    rest_us: int | None = Field(default=None, ge=LEAST_US, le=MOST_US)
    shut_us: int | None = Field(default=None, ge=LEAST_US, le=MOST_US)
    reversed: bool = False


class Motion(FileModel):
    """Pulses, times and tries of driving the tiles.

    link: the push-rod between horn and tile. A `slot` leaves the tile free while the horn rests at `rest_us`, so that a
    hand tips it without turning a gear; a `rigid` one turns the gears with every hand.
    open_us, shut_us: the pulses that lift a tile to its stop and push it over; a slotted rod lets go before either end.
    timeout_s: the longest drive without progress, because a stalled servo burns.
    attempts: how often a tile is driven before it counts as jammed.
    servos: analog servos let go when their pulses end; digital ones hold on, and are refused.
    """

    link: Literal["slot", "rigid"] = "rigid"
    open_us: int = Field(default=1000, ge=LEAST_US, le=MOST_US)
    rest_us: int | None = Field(default=None, ge=LEAST_US, le=MOST_US)
    shut_us: int = Field(default=2000, ge=LEAST_US, le=MOST_US)
    timeout_s: float = Field(default=LONGEST_DRIVE_S, ge=LEAST_DRIVE_S, le=LONGEST_DRIVE_S)
    attempts: int = Field(default=3, ge=1, le=5)
    frequency_hz: int = Field(default=50, ge=40, le=100)
    servos: Literal["analog", "digital"] = "analog"

    @property
    def give_up_s(self) -> float:
        """Seconds after which a tile that has not arrived is released."""
        return self.timeout_s - _GIVE_UP_BEFORE_S

    @property
    def cut_s(self) -> float:
        """Seconds after which all pulses are cut if a servo has not been released."""
        return self.timeout_s - _CUT_BEFORE_S


class Supply(FileModel):
    """The servos' own supply: its current in ampere, the voltage in use, and the currents of one servo.

    The defaults are a 4 A supply and common micro servos. Measure your own.

    limit_a: what the supply feeds.
    volts: its voltage in use; micro servos are made for 4.8 to 6 V.
    stalled_a: the current of one stalled servo at `stalled_at_v`, the voltage for which its data sheet states it.
    idle_a: the current of one servo at rest.
    current_sensor: the address of an INA260 between V+ switch and servo boards, if there is one.
    """

    limit_a: float = Field(default=4.0, gt=0, le=40)
    volts: float = Field(default=5.0, ge=4.8, le=6.0)
    stalled_a: float = Field(default=0.65, gt=0, le=3)
    stalled_at_v: float = Field(default=5.0, ge=4.5, le=8.4)
    idle_a: float = Field(default=0.01, ge=0, le=0.1)
    current_sensor: CurrentSensorAddress | None = None

    @model_validator(mode="after")
    def _draws_more_stalled(self) -> Self:
        if self.idle_a >= self.stalling_a:
            raise ValueError(f"idle_a must be less than a stalled servo draws ({self.stalling_a:.2f} A)")
        return self

    @property
    def stalling_a(self) -> float:
        """The current of one stalled servo at `volts`: a motor that stands still is the resistance of its winding."""
        return self.stalled_a * self.volts / self.stalled_at_v

    @property
    def moving_a(self) -> tuple[float, float]:
        """The least and the most current of one moving servo."""
        least, most = _MOVING
        return least * self.stalling_a, most * self.stalling_a


class FieldLayout(FileModel):
    """The baize field and its four ArUco markers (DICT_4X4_50), in millimetres.

    The markers 0 (far left), 1 (far right), 2 (near right) and 3 (near left) lie flat, with their outer edges
    `marker_margin_mm` from the edges of the field.
    """

    width_mm: float = Field(default=280.0, ge=100, le=1000)
    depth_mm: float = Field(default=200.0, ge=100, le=1000)
    marker_mm: float = Field(default=18.0, ge=8, le=60)
    marker_margin_mm: float = Field(default=4.0, ge=0, le=60)


class Wood(FileModel):
    """The measures of the box in wood that may differ from box to box, in millimetres: see `shutbox parts --files`.

    pitch_mm: from column to column; a narrower tile leaves no wall beside its magnet.
    row_distance_mm: from the front axle to the back one.
    sheet_mm, thin_mm: the sheets of walls, floor and lid, and of field, ledge and covers.
    kerf_mm: what the laser or the saw takes away; outlines in DXF files are larger by half of it.
    servo_turn: which way a longer pulse turns the servos, seen from their horns. Measure it on one of them.
    marks: of tiles that do not bear their number: one or two signs (A to Z, 0 to 9), or a picture, an SVG file.
    """

    pitch_mm: float = Field(default=23.0, ge=23, le=40)
    row_distance_mm: float = Field(default=20.0, ge=20, le=22)
    sheet_mm: float = Field(default=6.0, ge=5.5, le=9)
    thin_mm: float = Field(default=3.0, ge=2.8, le=3.2)
    kerf_mm: float = Field(default=0.2, ge=0, le=0.5)
    servo_turn: Literal["left", "right"] = "left"
    marks: Mapping[TileKey, Annotated[str, Field(pattern=r"^([A-Z0-9]{1,2}|.+\.svg)$")]] = {}


class Panel(FileModel):
    """The header lines that are not sensors. Only /OE is required."""

    output_enable: GpioWire
    lid: GpioWire | None = None
    button: GpioWire | None = None
    led: GpioWire | None = None
    speaker: GpioWire | None = None
    expander_interrupt: GpioWire | None = None


class Box(FileModel):
    """One build of the box.

    kind: numbers on the tiles, or the pips of one row of 15, 21 or 28 dominoes.
    die_mm: the edge length of its dice.
    clocks: by servo board, the factor by which its measured pulses are longer than requested (1.03: 3 % longer).
    """

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    summary: str
    kind: Literal["numbers", "dominoes"] = "numbers"
    rows: int = Field(ge=1, le=6)
    columns: int = Field(ge=1, le=28)
    die_mm: float = Field(default=16.0, ge=8, le=30)
    motion: Motion = Motion()
    supply: Supply = Supply()
    camera: Camera = Camera()
    field: FieldLayout = FieldLayout()
    wood: Wood = Wood()
    panel: Panel
    clocks: Mapping[BoardKey, ClockFactor] = {}
    tiles: Mapping[TileKey, TileWiring]

    @cached_property
    def tile_ids(self) -> tuple[TileId, ...]:
        """All tiles, front row first, each row from left to right."""
        return dominoes_of(self.columns) if self.kind == "dominoes" else tiles_of(self.rows, self.columns)

    @property
    def servos_at_once(self) -> int:
        """The current budget: how many servos may move together even if all of them stall and all others rest."""
        supply = self.supply
        spare_a = supply.limit_a - len(self.tiles) * supply.idle_a
        # Ten decimals: 3.9 A for six of 0.65 A are six, and not 5.999.
        return int(round(spare_a / (supply.stalling_a - supply.idle_a), 10))

    def in_column(self, column: int) -> tuple[TileId, ...]:
        """The tiles of one column (1..columns, from the left), front to back."""
        return self.tile_ids[column - 1 :: self.columns]

    @property
    def servo_boards(self) -> tuple[int, ...]:
        """The addresses of the PCA9685 boards, lowest first."""
        return tuple(sorted({wiring.servo.board for wiring in self.tiles.values()}))

    @property
    def expanders(self) -> tuple[int, ...]:
        """The addresses of the MCP23017 expanders, lowest first."""
        wires = (wire for wiring in self.tiles.values() for wire in (wiring.shut, wiring.open))
        return tuple(sorted({wire.expander for wire in wires if isinstance(wire, ExpanderPin)}))

    @property
    def chips(self) -> tuple[int, ...]:
        """The addresses of all chips on the bus."""
        sensor = self.supply.current_sensor
        return (*self.servo_boards, *self.expanders, *(() if sensor is None else (sensor,)))

    def free_addresses(self, chip: int) -> tuple[int, ...]:
        """Return the addresses that the chip at this one could have too, and no chip of the box has."""
        kind = EXPANDER_ADDRESSES if chip in self.expanders else SERVO_BOARD_ADDRESSES
        possible = CURRENT_SENSOR_ADDRESSES if chip == self.supply.current_sensor else kind
        return tuple(each for each in possible if each not in (*self.chips, ALL_CALL_ADDRESS))

    def pulse_us(self, tile: TileId, *, shut: bool) -> int:
        """The pulse width in microseconds that holds `tile` shut or open."""
        wiring = self.tiles[tile]
        if shut:
            return wiring.shut_us or self.motion.shut_us
        return wiring.open_us or self.motion.open_us

    def rest_us(self, tile: TileId) -> int | None:
        """The pulse width in microseconds at which a slotted rod leaves `tile` free; None for a rigid one.

        Where only the ends of a tile were measured, it lies between them as in the profile.
        """
        motion, own = self.motion, self.tiles[tile].rest_us
        if motion.rest_us is None:
            return None  # whatever was measured while the rod was another
        if own is not None:
            return own
        part = (motion.rest_us - motion.open_us) / (motion.shut_us - motion.open_us)
        opened, shut = self.pulse_us(tile, shut=False), self.pulse_us(tile, shut=True)
        return round(opened + part * (shut - opened))

    def pulse_limits_us(self, tile: TileId) -> tuple[int, int]:
        """Return the shortest and longest pulse that may be sent to `tile`.

        A tile with its own end points stays within them and `PULSE_MARGIN_US`; any other gets the range of common micro
        servos.
        """
        # The mirrored pulse of a reversed servo must be one of that range too.
        all_least = mirrored_us(MOST_US) if self.tiles[tile].reversed else LEAST_US
        own = (self.tiles[tile].open_us, self.tiles[tile].shut_us)
        if own[0] is None or own[1] is None:
            return all_least, MOST_US
        least, most = min(own[0], own[1]), max(own[0], own[1])
        return max(all_least, least - PULSE_MARGIN_US), min(MOST_US, most + PULSE_MARGIN_US)

    def clock_factor(self, board: int) -> float:
        """Return the factor by which a servo board's pulses are longer than requested; 1 if not measured."""
        return self.clocks.get(f"0x{board:02x}", 1.0)

    def wires(self) -> Iterator[tuple[tuple[str, ...], ServoChannel | GpioPin | ExpanderPin]]:
        """Yield every wire with the path of the key that names it."""
        for part, wire in self.panel:
            if wire is not None:
                yield ("panel", part), wire
        for tile, wiring in self.tiles.items():
            for part in ("servo", "shut", "open"):
                wire = getattr(wiring, part)
                if wire is not None:
                    yield ("tiles", str(tile), part), wire


def mirrored_us(pulse_us: T) -> T:
    """Return the pulse that turns a reversed servo to where `pulse_us` turns the others."""
    return 2 * MOUNT_US - pulse_us


@cache
def box_names() -> tuple[str, ...]:
    found = (entry.name for entry in files("hardware").joinpath("boxes").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def load_box(name_or_file: str) -> Box:
    """Load a profile by the name of a known build, or from a file (anything with a slash or `.toml`).

    Raises `BoxProfileError` with file, line and the allowed values.
    """
    if "/" not in name_or_file and not name_or_file.endswith(".toml"):
        return _load_shipped(name_or_file)
    return parse_box(profile_text(name_or_file), name_or_file)


@cache
def _load_shipped(name: str) -> Box:
    return parse_box(profile_text(name), f"{name}.toml")


def profile_text(name_or_file: str) -> str:
    """Return the text of a profile, by the name of a known build or from a file. Raises `BoxProfileError`."""
    if "/" in name_or_file or name_or_file.endswith(".toml"):
        try:
            return read_plain_text(Path(name_or_file))
        except (OSError, ValueError) as error:  # ValueError: a null character in its name
            reason = getattr(error, "strerror", None) or "no name of a file"
            raise BoxProfileError(name_or_file, 0, f"cannot be read: {reason}") from error
    if name_or_file not in box_names():
        known = ", ".join(box_names())
        raise BoxProfileError(name_or_file, 0, f"no such box; the known ones are {known}, or give a file")
    return files("hardware").joinpath("boxes", f"{name_or_file}.toml").read_text("utf-8")


def parse_box(text: str, file: str) -> Box:
    """Parse and check a profile's text; `file` is the name used in error messages. Raises `BoxProfileError`."""
    try:
        box = parse_toml(text, Box)
    except FileProblem as problem:
        raise BoxProfileError(file, problem.line, str(problem)) from problem
    for path, mistake in _mistakes(box):
        raise BoxProfileError(file, line_of(text, path), mistake)
    return box


def _mistakes(box: Box) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield mistakes that fields alone do not show: the path of a key and a sentence. Checks rely on those before."""
    # The only protection of servos and fingers is to end the pulses, so a servo must let go when they end.
    if box.motion.servos == "digital":
        yield (
            ("motion", "servos"),
            "motion.servos: digital servos hold on when their pulses end, so that nothing stops one that stalls "
            "and no hand can move its tile; build the box with analog ones",
        )
    yield from _rest_mistakes(box)
    for tile in box.wood.marks:
        if tile not in box.tiles:
            yield ("wood", "marks", str(tile)), f"wood.marks: the box has no tile {tile}"
    if box.servos_at_once < 1:
        resting, supply = len(box.tiles) - 1, box.supply
        least_a = supply.stalling_a + resting * supply.idle_a
        yield (
            ("supply", "limit_a"),
            f"supply.limit_a: no servo may move; one that stalls ({supply.stalling_a:.2f} A) and {resting} at rest "
            f"({supply.idle_a:g} A each) draw {least_a:.2f} A",
        )
    sensor = box.supply.current_sensor
    if sensor in box.servo_boards:
        yield (
            ("supply", "current_sensor"),
            f"supply.current_sensor: 0x{sensor:02x} is a servo board; set the sensor to another address, 0x40 to 0x4f",
        )
    if sensor is not None and box.supply.limit_a > _MOST_SENSED_A:
        yield (
            ("supply", "limit_a"),
            f"supply.limit_a: the current sensor measures up to {_MOST_SENSED_A:g} A; leave out current_sensor",
        )
    boards = [f"0x{address:02x}" for address in box.servo_boards]
    for board in box.clocks:
        if board not in boards:
            has = ", ".join(boards)
            yield ("clocks", board), f"clocks.{board}: this box has no such servo board; it has {has}"
    if box.kind == "dominoes" and (box.rows != 1 or box.columns not in DOMINO_SETS):
        allowed = ", ".join(map(str, DOMINO_SETS))
        yield ("kind",), f"kind: dominoes are one row (rows = 1) with columns = one of {allowed}"
    ids = box.tile_ids
    for tile in box.tiles:
        if tile not in ids:
            rows = (ids[start : start + box.columns] for start in range(0, len(ids), box.columns))
            ranges = map(str, ids) if box.kind == "dominoes" else (f"{row[0]} to {row[-1]}" for row in rows)
            allowed = ", ".join(ranges)
            yield ("tiles", str(tile)), f"tiles.{tile}: this box has no such tile; allowed are {allowed}"
    for tile in ids:
        if tile not in box.tiles:
            size = f"{box.rows} x {box.columns}"
            yield ("tiles",), f"tiles: {tile} is missing; all {len(ids)} tiles of {size} need a line"
    for tile in ids:
        if abs(box.pulse_us(tile, shut=True) - box.pulse_us(tile, shut=False)) < LEAST_TRAVEL_US:
            yield (
                ("tiles", str(tile)),
                f"tiles.{tile}: open_us and shut_us lie less than {LEAST_TRAVEL_US} us apart, which is no travel",
            )
    taken: dict[ServoChannel | GpioPin | ExpanderPin, tuple[str, ...]] = {}
    for path, wire in box.wires():
        if wire in taken:
            names, others = ".".join(path), ".".join(taken[wire])
            yield path, f"{names}: {wire} is used already by {others}; each wire goes once"
        taken[wire] = path


def _rest_mistakes(box: Box) -> Iterator[tuple[tuple[str, ...], str]]:
    motion = box.motion
    if motion.link == "rigid":
        if motion.rest_us is not None:
            yield ("motion", "rest_us"), 'motion.rest_us: a rigid rod has no rest; say link = "slot", or leave it out'
        for tile, wiring in box.tiles.items():
            if wiring.rest_us is not None:
                yield ("tiles", str(tile)), f"tiles.{tile}: rest_us: a rigid rod has no rest"
    elif motion.rest_us is None:
        yield ("motion", "link"), "motion.rest_us: a slotted rod needs the pulse at which its tile is free"
    elif not _is_between(motion.rest_us, motion.open_us, motion.shut_us):
        yield ("motion", "rest_us"), "motion.rest_us: must lie between open_us and shut_us"
    else:
        for tile in box.tile_ids:
            rest_us = box.rest_us(tile) or 0
            if not _is_between(rest_us, box.pulse_us(tile, shut=False), box.pulse_us(tile, shut=True)):
                yield ("tiles", str(tile)), f"tiles.{tile}: rest_us must lie between open_us and shut_us"


def _is_between(pulse_us: int, one_us: int, other_us: int) -> bool:
    return min(one_us, other_us) < pulse_us < max(one_us, other_us)
