"""The box profile: tiles, wires, servos, supply, camera, field; and the limits of pulses and of driving.

Profiles are TOML files; the ones of the known builds lie in `boxes/`. A profile is checked as a whole when
it is loaded: an unknown key, a wire used twice, a missing tile or a number out of range stops the start with
file, line and what is allowed.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from hardware.errors import BoxProfileError
from hardware.tiles import DOMINO_SETS, TileId, dominoes_of, tiles_of
from hardware.toml_file import FileProblem, line_of, parse_toml
from hardware.wires import ExpanderPin, GpioPin, GpioWire, SensorWire, ServoChannel, ServoWire

# The limits of the metal have their home here: whoever drives, calibrates or tests takes them from this file.
#
# The range of pulses that all common micro servos take; further out they run against the stops in their own cases.
LEAST_US, MOST_US = 500, 2400
# How far beyond its end points a tile may be driven: 3 degrees of a common servo (1000 us for 90 degrees), which is
# the play of horn and tile. Further on, the servo presses its tile against stop or ledge and stalls.
PULSE_MARGIN_US = 33
# End points that lie closer together are a slip of the pen: these are 27 degrees of a common servo, and the two sensors
# of a tile answer 50 degrees apart or more.
LEAST_TRAVEL_US = 300
# No servo is driven longer than this while its tile makes no progress: a stalled one gets hot and burns itself and its
# driver board. A sound servo needs less than half of it (0.27 s + 15 % for the loaded 90 degrees, and a frame).
LONGEST_DRIVE_S = 0.8
# So much before a drive's time is over its tile is given up and its servo let go over the bus; where that does not come
# to pass, because loop or bus stand still, all pulses are cut so much before it. The rest is for a computer that has
# other things to do: on two cores with eight busy programs a thread, and what it tells, was seen to be late by 0.09 s.
_GIVE_UP_BEFORE_S = 0.2
_CUT_BEFORE_S = 0.15
# Less than this would leave a slow sound servo no time: 0.33 s with the frame, or 0.4 s where no sensor sees a tile
# stand, and the looks, after what is kept back. The self-test drives for 0.5 s, before the cut.
LEAST_DRIVE_S = 0.7

BoardKey = Annotated[str, Field(pattern=r"^0x[4-7][0-9a-f]$")]
# PCA9685 boards were measured to run at 23 to 27 MHz in place of 25: factors of 0.93 to 1.09, and some.
ClockFactor = Annotated[float, Field(ge=0.9, le=1.1)]
TileKey = Annotated[TileId, BeforeValidator(lambda name: TileId.parse(name) if isinstance(name, str) else name)]


class _BoxModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class TileWiring(_BoxModel):
    """The wires of one tile: its servo, its shut sensor (Hall) and, where fitted, its open sensor (switch).

    `open_us` and `shut_us` (500..2400) replace the box's common pulse widths for this one tile.
    """

    servo: ServoWire
    shut: SensorWire
    open: SensorWire | None = None
    open_us: int | None = Field(default=None, ge=LEAST_US, le=MOST_US)
    shut_us: int | None = Field(default=None, ge=LEAST_US, le=MOST_US)


class Motion(_BoxModel):
    """The drive of the tiles: pulses, time and tries. Defaults are the reference build's.

    No tile is driven for longer than `timeout_s` without progress: a stalled servo burns. `give_up_s` is how long it is
    tried, `cut_s` when everything is cut that was not let go by then.

    `servos` says what they do when their pulses end: analog ones let go, digital ones hold on. `load_box` refuses
    those, see `_check_servos`.
    """

    open_us: int = Field(default=1000, ge=LEAST_US, le=MOST_US)
    shut_us: int = Field(default=2000, ge=LEAST_US, le=MOST_US)
    timeout_s: float = Field(default=LONGEST_DRIVE_S, ge=LEAST_DRIVE_S, le=LONGEST_DRIVE_S)
    attempts: int = Field(default=3, ge=1, le=5)
    frequency_hz: int = Field(default=50, ge=40, le=100)
    servos: Literal["analog", "digital"] = "analog"

    @property
    def give_up_s(self) -> float:
        """Seconds after which a tile that has not arrived is let go."""
        return self.timeout_s - _GIVE_UP_BEFORE_S

    @property
    def cut_s(self) -> float:
        """Seconds after which all pulses are cut if a servo has not been let go."""
        return self.timeout_s - _CUT_BEFORE_S


class Supply(_BoxModel):
    """The servos' own supply and what one servo draws from it, in ampere.

    The defaults are a 4 A supply and a common micro servo (0.65 A stalled): six servos at once. Measure one of yours.
    """

    limit_a: float = Field(default=4.0, gt=0, le=40)
    stalled_a: float = Field(default=0.65, gt=0, le=3)

    @model_validator(mode="after")
    def _carries_one(self) -> Self:
        if self.limit_a < self.stalled_a:
            raise ValueError(f"limit_a must be at least stalled_a ({self.stalled_a}), or no servo may move")
        return self

    @property
    def servos_at_once(self) -> int:
        """The number of servos that may move together if every one of them stalls: the current budget."""
        return int(self.limit_a / self.stalled_a)


class SensorMode(_BoxModel):
    """A way in which a camera's sensor delivers pictures: width and height in pixels, bits of a pixel."""

    width_px: int = Field(ge=320, le=16_000)
    height_px: int = Field(ge=240, le=16_000)
    bit_depth: int = Field(ge=8, le=16)

    def __str__(self) -> str:
        return f"{self.width_px} x {self.height_px} with {self.bit_depth} bits"


class CameraModule(NamedTuple):
    """A camera module: its sensor as libcamera names it, and the modes in which all of the sensor is seen."""

    sensor: str
    modes: tuple[SensorMode, ...]


def _modes(*sizes: tuple[int, int], bit_depth: int) -> tuple[SensorMode, ...]:
    return tuple(SensorMode(width_px=width, height_px=height, bit_depth=bit_depth) for width, height in sizes)


ModuleName = Literal["camera-module-1", "camera-module-2", "camera-module-3", "high-quality-camera"]
# The modes of the whole sensor, least first. Source: Raspberry Pi documentation, camera software, what
# `rpicam-hello --list-cameras` prints: these are the modes whose crop begins at (0, 0) and is the sensor's size.
CAMERA_MODULES: Mapping[ModuleName, CameraModule] = {
    "camera-module-1": CameraModule("ov5647", _modes((1296, 972), (2592, 1944), bit_depth=10)),
    "camera-module-2": CameraModule("imx219", _modes((1640, 1232), (3280, 2464), bit_depth=10)),
    "camera-module-3": CameraModule("imx708", _modes((2304, 1296), (4608, 2592), bit_depth=10)),
    "high-quality-camera": CameraModule("imx477", _modes((2028, 1520), (4056, 3040), bit_depth=12)),
}


class Camera(_BoxModel):
    """The overhead camera: picture size in pixels, height over the baize in mm, locked exposure.

    `exposure_us`, `gain`, `colour_gains` (red, blue) and `focus_dioptres` (1 / distance in m) stay locked so
    that two frames of the same dice are the same picture.

    `module` names the Raspberry Pi camera module, whatever its lens; `sensor` is a mode of the whole sensor for any
    other module and goes before it. Where the picture is wider for its height than the sensor, it is cut out of the
    middle of what the sensor sees: 1280 x 720 of a 4 : 3 sensor lacks an eighth of the height far and an eighth near.
    """

    width_px: int = Field(default=1280, ge=320, le=4608)
    height_px: int = Field(default=720, ge=240, le=2592)
    height_mm: float = Field(default=400.0, ge=150, le=1500)
    exposure_us: int = Field(default=8000, ge=50, le=200_000)
    gain: float = Field(default=2.0, ge=1, le=16)
    colour_gains: tuple[float, float] = (2.2, 1.8)
    focus_dioptres: float = Field(default=2.5, ge=0, le=15)
    module: ModuleName = "camera-module-3"
    sensor: SensorMode | None = None

    @model_validator(mode="after")
    def _fits_the_sensor(self) -> Self:
        largest = self._whole_sensor_modes[-1]
        if self.width_px > largest.width_px or self.height_px > largest.height_px:
            asked = f"{self.width_px} x {self.height_px}"
            raise ValueError(f"width_px x height_px ({asked}) is more than the sensor has ({largest})")
        return self

    @property
    def sensor_mode(self) -> SensorMode:
        """The least mode of the whole sensor that has the pixels of the picture: the less it has, the faster it is."""
        enough = (
            mode
            for mode in self._whole_sensor_modes
            if mode.width_px >= self.width_px and mode.height_px >= self.height_px
        )
        return next(enough)

    @property
    def _whole_sensor_modes(self) -> tuple[SensorMode, ...]:
        return CAMERA_MODULES[self.module].modes if self.sensor is None else (self.sensor,)


class FieldLayout(_BoxModel):
    """The baize field and its four ArUco markers (DICT_4X4_50), in millimetres.

    The markers 0 far left, 1 far right, 2 near right and 3 near left lie flat with their outer edges
    `marker_margin_mm` from the field's edges.
    """

    width_mm: float = Field(default=280.0, ge=100, le=1000)
    depth_mm: float = Field(default=200.0, ge=100, le=1000)
    marker_mm: float = Field(default=18.0, ge=8, le=60)
    marker_margin_mm: float = Field(default=4.0, ge=0, le=60)


class Panel(_BoxModel):
    """The lines of the header that are not sensors. Only /OE is a must."""

    output_enable: GpioWire
    lid: GpioWire | None = None
    button: GpioWire | None = None
    led: GpioWire | None = None
    speaker: GpioWire | None = None
    expander_interrupt: GpioWire | None = None


class Box(_BoxModel):
    """One build of the box. Immutable; made by `load_box`.

    `kind` says what stands on the tiles: numbers, or the pips of one row of 15, 21 or 28 dominoes.
    `die_mm` is the edge length of the dice that belong to it. `clocks` has, for servo boards of which a pulse was
    measured, by how much it was longer than asked for (1.03: 3 % longer).
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
    panel: Panel
    clocks: Mapping[BoardKey, ClockFactor] = {}
    tiles: Mapping[TileKey, TileWiring]

    @cached_property
    def tile_ids(self) -> tuple[TileId, ...]:
        """All tiles, front row first, each row from left to right."""
        return dominoes_of(self.columns) if self.kind == "dominoes" else tiles_of(self.rows, self.columns)

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

    def pulse_us(self, tile: TileId, *, shut: bool) -> int:
        """The pulse width in microseconds that holds `tile` shut or open."""
        wiring = self.tiles[tile]
        if shut:
            return wiring.shut_us or self.motion.shut_us
        return wiring.open_us or self.motion.open_us

    def pulse_limits_us(self, tile: TileId) -> tuple[int, int]:
        """The least and the most pulse width that may be sent to `tile`.

        A tile with end points of its own stays within them and `PULSE_MARGIN_US`; of another nobody knows better
        than what common micro servos take.
        """
        own = (self.tiles[tile].open_us, self.tiles[tile].shut_us)
        if own[0] is None or own[1] is None:
            return LEAST_US, MOST_US
        least, most = min(own[0], own[1]), max(own[0], own[1])
        return max(LEAST_US, least - PULSE_MARGIN_US), min(MOST_US, most + PULSE_MARGIN_US)

    def clock_factor(self, board: int) -> float:
        """The factor by which a servo board's pulses are longer than asked for; 1 where that was not measured."""
        return self.clocks.get(f"0x{board:02x}", 1.0)

    def wires(self) -> Iterator[tuple[tuple[str, ...], ServoChannel | GpioPin | ExpanderPin]]:
        """Every wire with the path of the key that names it."""
        for part, wire in self.panel:
            if wire is not None:
                yield ("panel", part), wire
        for tile, wiring in self.tiles.items():
            for part in ("servo", "shut", "open"):
                wire = getattr(wiring, part)
                if wire is not None:
                    yield ("tiles", str(tile), part), wire


def box_names() -> tuple[str, ...]:
    """The names of the profiles that come with the program."""
    found = (entry.name for entry in files("hardware").joinpath("boxes").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


def load_box(name_or_file: str) -> Box:
    """Load a profile by the name of a known build, or from a file (anything with a slash or `.toml`).

    Raises `BoxProfileError` with file, line and what is allowed.
    """
    if "/" not in name_or_file and not name_or_file.endswith(".toml"):
        if name_or_file not in box_names():
            allowed = ", ".join(box_names())
            raise BoxProfileError(name_or_file, 0, f"no such box; the known ones are {allowed}, or give a file")
        shipped = files("hardware").joinpath("boxes", f"{name_or_file}.toml")
        return parse_box(shipped.read_text("utf-8"), f"{name_or_file}.toml")
    path = Path(name_or_file)
    if path.exists() and not path.is_file():
        # To read a device might never end.
        raise BoxProfileError(name_or_file, 0, "cannot be read: not a file")
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:  # ValueError: no text, or a zero in its name
        reason = getattr(error, "strerror", None) or "not a text file"
        raise BoxProfileError(name_or_file, 0, f"cannot be read: {reason}") from error
    return parse_box(text, name_or_file)


def parse_box(text: str, file: str) -> Box:
    """Check a profile's text; `file` is the name used in complaints. Raises `BoxProfileError`."""
    try:
        box = parse_toml(text, Box)
    except FileProblem as problem:
        raise BoxProfileError(file, problem.line, str(problem)) from problem
    _check_servos(box, text, file)
    _check_clocks(box, text, file)
    _check_dominoes(box, text, file)
    _check_tiles(box, text, file)
    _check_wires(box, text, file)
    return box


def _check_servos(box: Box, text: str, file: str) -> None:
    """All that keeps metal and fingers safe is to end the pulses: a servo must let go then."""
    if box.motion.servos == "digital":
        problem = (
            "motion.servos: digital servos hold on when their pulses end, so that nothing stops one that stalls "
            "and no hand can move its tile; build the box with analog ones"
        )
        raise BoxProfileError(file, line_of(text, ("motion", "servos")), problem)


def _check_clocks(box: Box, text: str, file: str) -> None:
    boards = [f"0x{address:02x}" for address in box.servo_boards]
    for board in box.clocks:
        if board not in boards:
            problem = f"clocks.{board}: this box has no such servo board; it has {', '.join(boards)}"
            raise BoxProfileError(file, line_of(text, ("clocks", board)), problem)


def _check_dominoes(box: Box, text: str, file: str) -> None:
    if box.kind == "dominoes" and (box.rows != 1 or box.columns not in DOMINO_SETS):
        allowed = ", ".join(map(str, DOMINO_SETS))
        problem = f"kind: dominoes are one row (rows = 1) with columns = one of {allowed}"
        raise BoxProfileError(file, line_of(text, ("kind",)), problem)


def _check_tiles(box: Box, text: str, file: str) -> None:
    known = set(box.tile_ids)
    for tile in box.tiles:
        if tile not in known:
            problem = f"tiles.{tile}: this box has no such tile; allowed are {_names_in(box)}"
            raise BoxProfileError(file, line_of(text, ("tiles", str(tile))), problem)
    for tile in box.tile_ids:
        if tile not in box.tiles:
            raise BoxProfileError(
                file,
                line_of(text, ("tiles",)),
                f"tiles: {tile} is missing; all {len(known)} tiles of {box.rows} x {box.columns} need a line",
            )
    for tile in box.tile_ids:
        if abs(box.pulse_us(tile, shut=True) - box.pulse_us(tile, shut=False)) < LEAST_TRAVEL_US:
            raise BoxProfileError(
                file,
                line_of(text, ("tiles", str(tile))),
                f"tiles.{tile}: open_us and shut_us lie less than {LEAST_TRAVEL_US} us apart, which is no travel",
            )


def _names_in(box: Box) -> str:
    if box.kind == "dominoes":
        return ", ".join(map(str, box.tile_ids))
    rows = (box.tile_ids[start : start + box.columns] for start in range(0, len(box.tile_ids), box.columns))
    return ", ".join(f"{row[0]} to {row[-1]}" for row in rows)


def _check_wires(box: Box, text: str, file: str) -> None:
    taken: dict[ServoChannel | GpioPin | ExpanderPin, tuple[str, ...]] = {}
    for path, wire in box.wires():
        if wire in taken:
            problem = f"{'.'.join(path)}: {wire} is used already by {'.'.join(taken[wire])}; each wire goes once"
            raise BoxProfileError(file, line_of(text, path), problem)
        taken[wire] = path
