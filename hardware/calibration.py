"""The calibration of one box: `calibration.toml` in its home folder, one section for each kind of part.

A power cut during a write leaves the old file or the new one, never half of one. Every replaced version is kept in the
same folder, named by the time at which it was replaced.
"""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, Self

import tomlkit
from pydantic import AwareDatetime, BaseModel, BeforeValidator, Field, model_validator

from hardware.box import LEAST_TRAVEL_US, LEAST_US, MOST_US, BoardKey, Box, ClockFactor, TileKey, mirrored_us
from hardware.camera import Camera
from hardware.errors import CalibrationError
from hardware.tiles import TileId
from hardware.toml_file import FileModel, FileProblem, parse_toml, read_plain_text

Verdict = Literal["good", "fair", "poor"]


class Measured(FileModel):
    """When a part was calibrated, and by whom (login name)."""

    date: AwareDatetime
    author: str


class ServoTile(Measured):
    """The end points of one tile: the pulse widths in microseconds at which it stands and lies.

    rest_us: with a slotted rod, the one at which it is free.
    shut_s, open_s: seconds from the first pulse to the sensor's answer, down and up; None where no sensor sees it.
    repeat_s: how much its moves differed, in seconds.
    """

    open_us: int = Field(ge=LEAST_US, le=MOST_US)
    rest_us: int | None = Field(default=None, ge=LEAST_US, le=MOST_US)
    shut_us: int = Field(ge=LEAST_US, le=MOST_US)
    shut_s: float | None = Field(default=None, ge=0, le=10)
    open_s: float | None = Field(default=None, ge=0, le=10)
    repeat_s: float = Field(default=0.0, ge=0, le=10)
    verdict: Verdict
    reason: str

    @model_validator(mode="after")
    def _travels(self) -> Self:
        if abs(self.shut_us - self.open_us) < LEAST_TRAVEL_US:
            raise ValueError(f"open_us and shut_us lie less than {LEAST_TRAVEL_US} us apart, which is no travel")
        return self

    @property
    def pulses_us(self) -> dict[str, int | None]:
        """The measured pulses by the names of their fields."""
        return {"open_us": self.open_us, "rest_us": self.rest_us, "shut_us": self.shut_us}


class ServoCalibration(Measured):
    """All calibrated tiles of a box, each with its own date and author; here are those of the last calibration.

    clocks: the boards' clocks for which the pulses hold, see `Box.clocks`.
    simulated_seed: seed of the simulated box it was made on; None for a real box. One is worthless for the other.
    """

    simulated_seed: int | None = Field(default=None, ge=0)
    clocks: Mapping[BoardKey, ClockFactor] = {}
    tiles: Mapping[TileKey, ServoTile] = {}

    def apply_to(self, box: Box) -> Box:
        """Return the box with the measured pulses in place of the profile's; other tiles keep theirs.

        A clock added to the profile since then changes the requested pulse, not the one that the tile really gets.
        """
        since = {board: factor for board, factor in box.clocks.items() if board not in self.clocks}
        held = self.with_clocks(since, box).tiles if since else self.tiles
        measured = {
            tile: wiring.model_copy(update=found.pulses_us) if (found := held.get(tile)) else wiring
            for tile, wiring in box.tiles.items()
        }
        return box.model_copy(update={"tiles": measured, "clocks": {**box.clocks, **self.clocks}})

    def with_clocks(self, clocks: Mapping[str, float], box: Box) -> "ServoCalibration":
        """Return a copy with these boards' clocks, in which each tile keeps the pulse that it really gets.

        A board whose clock factor grows shortens its pulses, so the requested pulses grow by the same factor.
        """
        tiles = {}
        for tile, found in self.tiles.items():
            board = f"0x{box.tiles[tile].servo.board:02x}"
            before = self.clocks.get(board, 1.0)
            factor = clocks.get(board, before) / before
            longer_us = partial(_longer_us, factor=factor, turned=box.tiles[tile].reversed)
            pulses = {name: us and _clamp(longer_us(us)) for name, us in found.pulses_us.items()}
            tiles[tile] = found.model_copy(update=pulses)
        return self.model_copy(update={"clocks": {**self.clocks, **clocks}, "tiles": tiles})

    def unknown_tiles(self, box: Box) -> tuple[TileId, ...]:
        return tuple(tile for tile in self.tiles if tile not in box.tiles)


def without_end_points(box: Box, known: ServoCalibration | None, clocks: Mapping[str, float]) -> Box:
    """Return the box for a new calibration: known clocks of the boards, no end points of single tiles."""
    tiles = {
        tile: wiring.model_copy(update=dict.fromkeys(("open_us", "rest_us", "shut_us")))
        for tile, wiring in box.tiles.items()
    }
    measured = {**box.clocks, **(known.clocks if known is not None else {}), **clocks}
    return box.model_copy(update={"tiles": tiles, "clocks": measured})


def _longer_us(pulse_us: float, *, factor: float, turned: bool) -> float:
    """Return the pulse for which the servo is sent one that is `factor` times as long; turned: it is reversed."""
    return mirrored_us(mirrored_us(pulse_us) * factor) if turned else pulse_us * factor


def _clamp(pulse_us: float) -> int:
    return max(LEAST_US, min(MOST_US, round(pulse_us)))


FILE_NAME = "calibration.toml"
_KEPT = re.compile(r"calibration-(\d{4}-\d\d-\d\dT\d{6})(?:-(\d+))?\.toml")
_HEAD = "What was measured on this box. Written by `shutbox calibrate`; earlier versions lie beside it."

Pair = tuple[float, float]
Triple = tuple[float, float, float]
MarkerKey = Annotated[int, BeforeValidator(lambda key: int(key) if str(key).isdigit() else key), Field(ge=0, le=49)]


class CameraCalibration(Measured):
    """The camera over this box.

    The lens follows OpenCV's model with square pixels, for pictures of `width_px` x `height_px`.

    focal_px, centre_px: focal length and optical centre in pixels.
    radial, tangential: k1 and k2; p1 and p2.
    error_px: root mean square distance between the seen and computed corners of the sheet, over `views` views.
    exposure_us, gain, colour_gains: replace the profile's.
    camera_mm: the pinhole (x, y, height over the baize).
    turn: 3 rows, from field axes (right, near, down) to the camera's axes.
    inset_mm: distance of the markers from the edges.
    markers: the corners of each marker in pixels.
    background: the picture of the empty field, a file in the same folder.
    simulated_seed: seed of the simulated box it was made on; None for a real box. One is worthless for the other.
    """

    width_px: int = Field(ge=320, le=10_000)
    height_px: int = Field(ge=240, le=10_000)
    focal_px: float = Field(gt=0, le=100_000)
    centre_px: Pair
    radial: tuple[Annotated[float, Field(ge=-2, le=2)], Annotated[float, Field(ge=-4, le=4)]]
    tangential: tuple[Annotated[float, Field(ge=-0.2, le=0.2)], Annotated[float, Field(ge=-0.2, le=0.2)]]
    error_px: float = Field(ge=0)
    views: int = Field(ge=0)
    verdict: Verdict
    exposure_us: int = Field(ge=50, le=200_000)
    gain: float = Field(ge=1, le=16)
    colour_gains: Pair
    camera_mm: Triple
    turn: tuple[Triple, Triple, Triple]
    inset_mm: float = Field(ge=-60, le=120)
    markers: Mapping[MarkerKey, tuple[Pair, Pair, Pair, Pair]]
    background: str = Field(pattern=r"^[A-Za-z0-9._-]+$")
    simulated_seed: int | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _is_a_camera_above(self) -> Self:
        if self.camera_mm[2] <= 0:
            raise ValueError("camera_mm: the camera hangs above the baize, its third number is more than 0")
        return self

    def apply_to(self, camera: Camera) -> Camera:
        """Return the profile's camera with the measured exposure and gains."""
        measured = {"exposure_us": self.exposure_us, "gain": self.gain, "colour_gains": self.colour_gains}
        return camera.model_copy(update=measured)


class Calibration(FileModel):
    """All measurements of the box `box`; None for a part that was not calibrated."""

    box: str
    camera: CameraCalibration | None = None
    servos: ServoCalibration | None = None


def load_calibration(folder: Path, box: str) -> Calibration:
    """Load the calibration of `box` from a home folder; an empty one if there is no file.

    Raises `CalibrationError` with file and line for an invalid file or one of another box.
    """
    calibration = read_calibration(folder) or Calibration(box=box)
    if calibration.box != box:
        problem = f"this is the calibration of the box {calibration.box}, not of {box}"
        raise CalibrationError(f"{folder / FILE_NAME}: {problem}; calibrate {box}, or move the file away")
    return calibration


def read_calibration(folder: Path) -> Calibration | None:
    """Read the calibration in a home folder, whichever box it belongs to; None if there is no file.

    Raises `CalibrationError` with file and line for an invalid file.
    """
    path = folder / FILE_NAME
    text = _text_of(path)
    return _parse(text, path) if text is not None else None


def earlier_calibrations(folder: Path) -> Iterator[Calibration]:
    """Yield the kept versions, newest first, without those that can no longer be read."""
    named = ((_KEPT.fullmatch(path.name), path) for path in folder.glob("calibration-*.toml"))
    kept = [((match[1], int(match[2] or 0)), path) for match, path in named if match]
    for _, path in sorted(kept, reverse=True):
        with suppress(CalibrationError):
            text = _text_of(path)
            if text is not None:
                yield _parse(text, path)


def save_section(folder: Path, box: str, section: str, measured: Measured) -> Path | None:
    """Put one section of the calibration of `box` into its file; other sections and comments stay.

    The old file is kept under the time of `measured` (local time of the box). The file of another box is kept too, and
    nothing is copied from it. Returns the kept file, or None if there was none. Raises `CalibrationError` if the old
    file cannot be read, `OSError` if the new one cannot be written.
    """
    path = folder / FILE_NAME
    old = _text_of(path)
    if old is not None and _parse(old, path).box == box:
        document = tomlkit.parse(old)
    else:
        document = tomlkit.document()
        document.add(tomlkit.comment(_HEAD))
        document.add("box", tomlkit.item(box))
    document[section] = _table_of(measured)
    text = tomlkit.dumps(document)
    _parse(text, path)
    kept = None
    if old is not None:
        # A free name: two calibrations within a second are both kept.
        names = (f"calibration-{stamp(measured.date)}{f'-{number}' if number else ''}.toml" for number in count())
        kept = next(path for path in map(folder.joinpath, names) if not path.exists())
        write_durably(kept, old.encode())
    write_durably(path, text.encode())
    return kept


def stamp(date: datetime) -> str:
    """Format a date for a file name, in local time."""
    return date.astimezone().strftime("%Y-%m-%dT%H%M%S")


def write_durably(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file so that a power cut leaves the whole old one or the whole new one. Raises `OSError`.

    mode: the widest permissions; the umask removes some of them.
    """
    with open_durably(path, mode) as file:
        file.write(data)


@contextmanager
def open_durably(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` when the block ends; an exception leaves `path` as it was.

    The data reach the disk before the name does, and the name before the block is left (fsync of file and folder).
    mode: as for `write_durably`. Raises `OSError`.
    """
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)  # half of what was written once; a FIFO would hold the program up
    try:
        with open(fresh, "wb", opener=partial(os.open, mode=mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync(path.parent)


def sync(path: Path) -> None:
    """Write a file's data, or a folder's names, to the disk before returning. Raises `OSError`."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _text_of(path: Path) -> str | None:
    try:
        return read_plain_text(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be read: {error.strerror}") from error


def _parse(text: str, path: Path) -> Calibration:
    try:
        return parse_toml(text, Calibration)
    except FileProblem as problem:
        raise CalibrationError(f"{path}:{problem.line}: {problem}") from problem


def _table_of(part: BaseModel) -> tomlkit.items.Table:
    """Return a model as a TOML table; each mapping in it becomes a table of its own, at the end."""
    table = tomlkit.table()
    plain = {name: value for name, value in part if value is not None and not isinstance(value, Mapping)}
    mappings = {name: value for name, value in part if isinstance(value, Mapping)}
    for name, value in plain.items():
        table.add(name, tomlkit.item(_as_lists(value)))
    for name, mapping in mappings.items():
        inner = tomlkit.table()
        for key, value in mapping.items():
            if isinstance(value, BaseModel):
                # A model within a mapping takes one line.
                row = tomlkit.inline_table()
                for field, found in value:
                    if found is not None:
                        row.add(field, tomlkit.item(_as_lists(found)))
                inner.add(str(key), row)
            else:
                inner.add(str(key), tomlkit.item(_as_lists(value)))
        table.add(name, inner)
    return table


def _as_lists(value: object) -> object:
    return [_as_lists(each) for each in value] if isinstance(value, tuple) else value
