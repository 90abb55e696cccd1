"""The stored pictures of throws: which there are, what was read on each, and what is read on one now."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.box.dice import load_dice
from controller.box.stored_calibration import load_real_camera
from controller.errors import NotNow, NotThere, SettingsError
from controller.runtime.home import Home
from controller.settings import load_settings
from hardware.errors import CalibrationError
from vision.errors import BadDice
from vision.watching.evidence import find_evidence, reading_of, truth_of

if TYPE_CHECKING:
    from hardware.box import Box
    from vision.reading import Reading

_STAMPED = re.compile(r"(?P<number>\d+)-(?P<day>\d{8})-(?P<time>\d{6})-(?P<what>.+)", re.ASCII)
_VALUES = re.compile(r"\d+(-\d+)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class PictureView:
    """One picture: its name, its number, its time by the clock of the box, and the reading or refusal."""

    name: str
    number: int
    at: str
    what: str

    @property
    def is_disputed(self) -> bool:
        """True if the dice were not read, or somebody said that they show something else."""
        return _VALUES.fullmatch(self.what) is None


@dataclass(frozen=True, slots=True)
class DieSeen:
    """One die as it was read: its value, its colour, and how sure the reader was (0..1)."""

    value: int
    colour: str
    confidence: float


@dataclass(frozen=True, slots=True)
class PictureReading:
    """What was read on a picture: dice from left to right; none for a refusal, which has a reason and a sentence."""

    dice: tuple[DieSeen, ...] = ()
    reason: str | None = None
    say: str = ""

    @property
    def values(self) -> tuple[int, ...]:
        """The values in ascending order."""
        return tuple(sorted(die.value for die in self.dice))


@dataclass(frozen=True, slots=True)
class PictureReadings:
    """What was read on one picture.

    then: when it was stored; None if that is not kept. corrected: what somebody said that the dice show. now: what the
    reader of this version sees, with the present calibration; None if it was not asked.
    """

    picture: PictureView
    then: PictureReading | None = None
    corrected: tuple[int, ...] = field(default=())
    now: PictureReading | None = None


def find_pictures(home: Home) -> tuple[PictureView, ...]:
    """Return all pictures, the most recent first."""
    return tuple(view for path in reversed(find_evidence(home.evidence)) if (view := _view_of(path)) is not None)


def _view_of(path: Path) -> PictureView | None:
    stamped = _STAMPED.fullmatch(path.stem)
    if stamped is None:
        return None
    day, time = stamped["day"], stamped["time"]
    at = f"{day[:4]}-{day[4:6]}-{day[6:]}T{time[:2]}:{time[2:4]}:{time[4:]}"
    return PictureView(path.stem, int(stamped["number"]), at, stamped["what"])


def read_picture(home: Home, name: str) -> bytes:
    """Return the JPEG of this name. Raises `NotThere`."""
    with suppress(FileNotFoundError):  # the oldest pictures are removed when new ones come
        return _path_of(home, name).read_bytes()
    raise _no_picture()


def stored_readings(home: Home, name: str) -> PictureReadings:
    """Return what was read on the picture of this name when it was stored. Raises `NotThere`."""
    path = _path_of(home, name)
    view = _view_of(path)
    if view is None:
        raise _no_picture()
    told, truth = _object_in(reading_of(path)), _object_in(truth_of(path))
    then = None
    with suppress(KeyError, TypeError, ValueError):
        then = PictureReading(
            tuple(DieSeen(int(die["value"]), str(die["colour"]), float(die["confidence"])) for die in told["dice"]),
            None if told["reason"] is None else str(told["reason"]),
            str(told["say"]),
        )
    corrected: tuple[int, ...] = ()
    with suppress(KeyError, TypeError, ValueError):
        corrected = tuple(map(int, truth["values"]))
    return PictureReadings(view, then, corrected)


def read_again(home: Home, name: str, box: "Box", is_metal: bool) -> PictureReadings:
    """Return the same, and what is read on that picture now; nothing of a game changes.

    box: whose camera has taken it. is_metal: the calibration of its camera is used. Raises `NotThere`, and `NotNow` if
    settings, calibration or taught dice cannot be used.
    """
    # Loaded here: a box without a camera reads no pictures.
    from vision.capture.files import load_picture
    from vision.capture.frame import Frame
    from vision.reading import Reading
    from vision.watching.box_reader import BoxReader

    stored = stored_readings(home, name)
    try:
        pixels = load_picture(_path_of(home, name))
    except OSError as error:
        raise _no_picture() from error
    if isinstance(pixels, Reading):
        seen = pixels
    else:
        try:
            taught = load_dice(home, load_settings(home.settings).dice)
            calibration = load_real_camera(home.data, box) if is_metal else None
        except (SettingsError, BadDice, CalibrationError) as error:
            raise NotNow(f"no picture can be read now: {error}") from error
        seen = BoxReader(box.field, box.die_mm, calibration, (taught,) if taught else ())(Frame(pixels, 0.0))
    return PictureReadings(stored.picture, stored.then, stored.corrected, _as_view(seen))


def _as_view(seen: "Reading") -> PictureReading:
    dice = tuple(DieSeen(die.value, die.colour, round(die.confidence, 3)) for die in seen.dice)
    return PictureReading(dice, None if seen.reason is None else str(seen.reason), seen.say)


def _path_of(home: Home, name: str) -> Path:
    # Only listed files are read, so a name cannot lead anywhere else.
    path = next((each for each in find_evidence(home.evidence) if each.stem == name), None)
    if path is None:
        raise _no_picture()
    return path


def _no_picture() -> NotThere:
    return NotThere("there is no picture of that name; GET /api/pictures lists them")


def _object_in(file: Path) -> Mapping[str, Any]:
    """Return the JSON object in a file; an empty one if there is none."""
    with suppress(OSError, ValueError):
        found = json.loads(file.read_bytes())
        if isinstance(found, dict):
            return found
    return {}
