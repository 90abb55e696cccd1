"""Collect the stages of one reading for display: pictures and facts by name, and the time of each."""

import errno
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import numpy as np

from vision.capture.arrays import Mask, Places
from vision.capture.frame import Pixels
from vision.field.field import Field
from vision.libraries import cv2
from vision.reader.dice import Found
from vision.reading import Reading


class Stage(StrEnum):
    """The stages of a reading, in their order."""

    HEALTH = "health"
    FIELD = "field"
    SURVEY = "survey"
    FACES = "faces"
    VERDICT = "verdict"


@dataclass(slots=True)
class Trace:
    """The stages of one reading in their order; the caller passes it in, and nothing else keeps it.

    `ms` is the time of each stage; `stopwatch` gives seconds.
    """

    stopwatch: Callable[[], float] = time.perf_counter
    pictures: dict[str, Pixels] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    ms: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, picture: Pixels) -> None:
        """Keep a copy of the picture of one stage."""
        self.pictures[name] = picture.copy()

    def tell(self, name: str, fact: object) -> None:
        """Keep a fact in words."""
        self.facts[name] = str(fact)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Add the time that the block takes to the time of a stage."""
        began_s = self.stopwatch()
        try:
            yield
        finally:
            self.ms[name] = self.ms.get(name, 0.0) + 1000 * (self.stopwatch() - began_s)


def stage(trace: Trace | None, name: Stage) -> AbstractContextManager[None]:
    """Time a stage if there is a trace: `with stage(trace, Stage.FACES): ...`."""
    return nullcontext() if trace is None else trace.timed(name)


PICTURE, VIEW, CLOTH, PIPS, FACES = "picture", "view", "no cloth", "pips", "faces"

_Colour = tuple[int, int, int]

_GREEN, _RED, _YELLOW, _BLUE, _CYAN = (80, 220, 60), (60, 60, 255), (40, 220, 255), (255, 120, 40), (255, 230, 60)
_TEXT, _PAPER = (235, 235, 235), (28, 28, 28)
_PANEL = (800, 560)  # size of a stage in the sheet, in pixels
_ACROSS = 3
_TITLE, _LINE = 30, 28
_GAP = 8
_LETTER = 12  # most pixels that a letter of the caption takes
_RING = 26  # radius around the middle of a die, in a picture as large as a panel
_LETTERS = 0.65
_TINTS = (_RED, _BLUE, _YELLOW, _GREEN)


def show_field(trace: Trace, pixels: Pixels, field: Field) -> None:
    """Draw the picture with the markers that were seen and the outline of the field."""
    drawn = pixels.copy()
    width, depth = field.width_mm, field.depth_mm
    corners = np.array([(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)])
    # Edges are drawn by many short steps: a lens bends them.
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    outline = np.concatenate([np.linspace(one, other, 20) for one, other in sides])
    _line(drawn, field.at_px(outline), _GREEN)
    for number, quad in field.markers.items():
        _line(drawn, quad, _YELLOW)
        _label(drawn, str(number), quad.max(axis=0), _YELLOW)
    trace.add(PICTURE, drawn)


def show_cloth(trace: Trace, straight: Pixels, masks: Mapping[str, Mask]) -> None:
    """Draw the field straight from above and, tinted over it, the masks (h, w), of any scale, by name."""
    trace.add(VIEW, straight)
    grey = cv2.cvtColor(cv2.cvtColor(straight, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    drawn = np.asarray(grey, np.uint8)
    size = (straight.shape[1], straight.shape[0])
    line = _LINE * _magnification(drawn)
    for number, ((name, mask), tint) in enumerate(zip(masks.items(), _TINTS, strict=False)):
        where = cv2.resize(mask, size, interpolation=cv2.INTER_NEAREST) > 0
        drawn[where] = drawn[where] // 2 + np.array(tint, np.uint8) // 2
        _label(drawn, name, (line / 4, line * (number + 1)), tint)
    trace.add(CLOTH, drawn)


def show_faces(trace: Trace, picture: Pixels, found: Found) -> None:
    """Draw the pips of the dice that were read, in red the dice that were not; and the faces, with their confidence.

    All places are in pixels of `picture`.
    """
    drawn = picture.copy()
    for face in found.faces:
        for place in face.places:
            cv2.circle(drawn, _pixel(place), max(2, round(face.pip_px)), _CYAN, 1, cv2.LINE_AA)
            cv2.line(drawn, _pixel(face.middle), _pixel(place), _GREEN, 1, cv2.LINE_AA)
    for claim in found.unread:
        _ring(drawn, claim.place, _RING, _RED)
        _label(drawn, "leans" if claim.leans else str(claim.value), claim.place + _RING, _RED)
    trace.add(PIPS, drawn)
    drawn = picture.copy()
    for die in found.dice:
        _line(drawn, die.face.corners, _GREEN)
        _label(drawn, f"{die.face.value} {100 * die.agreement:.0f}%", die.face.corners.max(axis=0), _GREEN)
    trace.add(FACES, drawn)


def draw_reading(picture: Pixels, reading: Reading) -> Pixels:
    """Return the picture with its reading, or with the place and the sentence of the refusal: (h, w, 3), higher."""
    drawn = picture.copy()
    ring = round(_RING * _magnification(picture))
    for die in reading.dice:
        _ring(drawn, die.center_px, ring, _GREEN)
        beside = (die.center_px[0] + ring, die.center_px[1] + ring)
        _label(drawn, f"{die.value} {100 * die.confidence:.0f}%", beside, _GREEN)
    if reading.at_px is not None:
        _ring(drawn, reading.at_px, ring, _RED)
    told = " ".join(map(str, reading.values)) if reading.is_read else f"{reading.reason}: {reading.say}"
    scale = _magnification(picture)
    lines = textwrap.wrap(told, max(1, int(picture.shape[1] / (_LETTER * scale))))
    drawn = _extend(drawn, round((_LINE * len(lines) + _GAP) * scale), 0)
    for number, line in enumerate(lines):
        _label(drawn, line, (4 * scale, picture.shape[0] + (22 + _LINE * number) * scale), _TEXT)
    return drawn


def _ring(picture: Pixels, at: Sequence[float] | Places, radius: int, colour: _Colour) -> None:
    cv2.circle(picture, _pixel(at), radius, colour, max(1, round(2 * _magnification(picture))), cv2.LINE_AA)


def sheet_of(trace: Trace) -> Pixels:
    """Return the stages side by side, each with its name, over a strip with facts and times: (h, w, 3)."""
    width = _ACROSS * (_PANEL[0] + _GAP)
    panels = []
    for name, picture in trace.pictures.items():
        scale = min(_PANEL[0] / picture.shape[1], _PANEL[1] / picture.shape[0])
        size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
        small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_NEAREST)
        panel = np.full((_TITLE + size[1] + _GAP, _PANEL[0] + _GAP, 3), _PAPER, np.uint8)
        panel[_TITLE : _TITLE + size[1], : size[0]] = small
        _write(panel, name, (4, 22), _TEXT)
        panels.append(panel)
    parts = []
    for first in range(0, len(panels), _ACROSS):
        row = panels[first : first + _ACROSS]
        height = max(panel.shape[0] for panel in row)
        joined = np.hstack([_extend(panel, height - panel.shape[0], 0) for panel in row])
        parts.append(_extend(joined, 0, width - joined.shape[1]))
    facts = [f"{name}: {fact}" for name, fact in trace.facts.items()]
    if trace.ms:
        facts.append("ms: " + ", ".join(f"{name} {ms:.1f}" for name, ms in trace.ms.items()))
    lines = [line for fact in facts for line in textwrap.wrap(fact, width // _LETTER)]
    strip = np.full((_LINE * len(lines) + _GAP, width, 3), _PAPER, np.uint8)
    for number, line in enumerate(lines):
        _write(strip, line, (4, 22 + _LINE * number), _TEXT)
    return np.asarray(np.vstack([*parts, strip]), np.uint8)


def _extend(picture: Pixels, below: int, right: int) -> Pixels:
    return np.asarray(cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_CONSTANT, value=_PAPER), np.uint8)


def _line(picture: Pixels, corners: Places, colour: _Colour) -> None:
    thick = max(1, round(2 * _magnification(picture)))
    cv2.polylines(picture, [np.round(corners).astype(np.int32)], True, colour, thick, cv2.LINE_AA)


def _label(picture: Pixels, text: str, at: Sequence[float] | Places, colour: _Colour) -> None:
    """Write text at its lower left corner `at`, in a size that becomes the usual one in a panel."""
    _write(picture, text, at, colour, _LETTERS * _magnification(picture))


def _magnification(picture: Pixels) -> float:
    height, width = picture.shape[:2]
    return float(max(width / _PANEL[0], height / _PANEL[1]))


def _write(picture: Pixels, text: str, at: Sequence[float] | Places, colour: _Colour, size: float = _LETTERS) -> None:
    """Write text with a shadow, which keeps it legible everywhere; OpenCV's letters are ASCII."""
    plain = text.encode("ascii", "replace").decode()
    x, y = _pixel(at)
    for place, ink in (((x + 1, y + 1), (0, 0, 0)), ((x, y), colour)):
        cv2.putText(picture, plain, place, cv2.FONT_HERSHEY_SIMPLEX, size, ink, 1, cv2.LINE_AA)


def _pixel(place: Sequence[float] | Places) -> tuple[int, int]:
    return round(float(place[0])), round(float(place[1]))


def save_drawing(drawn: Pixels, path: str | Path) -> None:
    """Write a drawing into a file, a JPEG or a PNG by its name.

    Raise `OSError` when it cannot be written, or has another suffix.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".png", ".jpg"):
        raise OSError(errno.EINVAL, "a picture is written as .png or .jpg", str(path))
    _, data = cv2.imencode(suffix, drawn)
    Path(path).write_bytes(data.tobytes())
