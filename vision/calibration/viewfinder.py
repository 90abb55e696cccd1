"""What the camera sees now, for people who set it up: a small picture with markers, field and sheet, and its scores."""

from dataclasses import dataclass
from functools import cached_property

from hardware.box import FieldLayout
from vision.calibration.exposure import WELL_LIT, Levels, levels_of
from vision.calibration.sheets import SheetView
from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.capture.quality import SHARP, sharpness_of
from vision.field.field import Field, locate_field
from vision.libraries import cv2, np

_WIDEST_PX = 960
_QUALITY = 80  # of 100: a picture to look at, not to read
_GREEN, _YELLOW, _THICK_PX = (80, 220, 80), (40, 210, 250), 2
_ALONG = 16  # points along each side of the field, which a lens bends


@dataclass(frozen=True)
class Viewfinder:
    """One picture (H, W, 3), the layout of the field that should be in it, and the sheet that was found in it.

    Its results are computed when they are asked for, which takes a tenth of a second: not on an event loop.
    """

    pixels: Pixels
    layout: FieldLayout
    sheet: SheetView | None = None

    @cached_property
    def field(self) -> Field | None:
        """The field by its markers; None where they are not seen."""
        return locate_field(self.pixels, self.layout)

    @cached_property
    def scores(self) -> "Scores":
        field = self.field
        levels = None if field is None else levels_of(self.pixels, field)
        return Scores(
            markers=0 if field is None else len(field.markers),
            px_per_mm=None if field is None else _scale(field),
            light=None if levels is None else _light(levels),
            sharpness=min(1.0, sharpness_of(self.pixels) / SHARP),
            upside_down=field is not None and _is_upside_down(field),
        )

    @cached_property
    def jpeg(self) -> bytes:
        """The picture with the outlines of markers, field and sheet, at most 960 pixels wide."""
        height, width = self.pixels.shape[:2]
        part = min(1.0, _WIDEST_PX / width)
        shown = cv2.resize(self.pixels, (round(width * part), round(height * part)), interpolation=cv2.INTER_AREA)
        field = self.field
        lines = (
            [] if field is None else [(_outline(field), _YELLOW), *((quad, _GREEN) for quad in field.markers.values())]
        )
        for points, colour in lines:
            cv2.polylines(shown, [np.round(points * part).astype(np.int32)], True, colour, _THICK_PX, cv2.LINE_AA)
        for x, y in () if self.sheet is None else self.sheet.corners_px * part:
            cv2.circle(shown, (round(x), round(y)), 2 * _THICK_PX, _GREEN, -1, cv2.LINE_AA)
        _done, file = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        return file.tobytes()


@dataclass(frozen=True, slots=True)
class Scores:
    """How good a picture is.

    markers: seen of the four. px_per_mm: in the middle of the baize. light: of the baize and of white paper together,
    1 as wanted, less if too dark, more if too bright. sharpness: 0..1, 1 where nothing more can be gained. None:
    without the field it cannot be told. upside_down: the side of the players is at the top.
    """

    markers: int
    px_per_mm: float | None
    light: float | None
    sharpness: float
    upside_down: bool


def _scale(field: Field) -> float:
    """Return the pixels per millimetre in the middle of the baize."""
    middle = np.array([[field.width_mm, field.depth_mm]]) / 2
    one_mm = np.array([[1.0, 0.0]])
    ends = field.at_px(np.concatenate((middle, middle + one_mm)))
    return float(np.linalg.norm(ends[1] - ends[0]))


def _light(levels: Levels) -> float:
    return max(levels.baize / WELL_LIT.baize, max(levels.white) / max(WELL_LIT.white))


def _is_upside_down(field: Field) -> bool:
    far, near = field.at_px(np.array([[field.width_mm / 2, 0.0], [field.width_mm / 2, field.depth_mm]]))
    return bool(near[1] < far[1])


def _outline(field: Field) -> Real:
    """Return the edge of the baize in the picture (4 * 16, 2)."""
    part = np.linspace(0.0, 1.0, _ALONG, endpoint=False)
    zeros, ones = np.zeros_like(part), np.ones_like(part)
    around = np.concatenate(
        [np.column_stack(side) for side in ((part, zeros), (ones, part), (1 - part, ones), (zeros, 1 - part))]
    )
    return field.at_px(around * (field.width_mm, field.depth_mm))
