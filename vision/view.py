"""The field seen straight from above: in small to find what lies there, and piece by piece to read it.

All places of a view are "view pixels": `px_per_mm` of them a millimetre, on the plane of the dice's tops, from
`margin` outside the far left corner of the field. On that plane a die's top has its true size and lies over the
die's foot wherever the camera hangs.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field import Field, Matrix, apply, inverse
from vision.frame import Pixels
from vision.markers import FIELD_MARKERS
from vision.pose import marker_corners_mm
from vision.reading import Point

PX_PER_MM = 4.0
CROP_MM = 20.0  # what is cut out to be judged as one die: the largest die fits in
_CROP_PX_PER_MM = 2.0
MARGIN_MM = 19.0  # a die that lies half outside the baize is seen whole
_SLACK = 1.3  # a picture is shrunk by a whole number first, to this many times what is wanted

Places = NDArray[np.float64]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in view pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A piece of the view: its pixels (h, w, 3), and where its upper left corner lies in view pixels."""

    pixels: Pixels
    left: int
    top: int


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A picture (h, w, 3) uint8 BGR with its field, and the height of the plane that is looked at.

    `to_baize` (3 x 3) leads from millimetres on that plane to the millimetres of the baize that they hide.
    """

    pixels: Pixels
    field: Field
    height_mm: float
    to_baize: Matrix

    @property
    def baize(self) -> Box:
        """The field's rectangle."""
        margin = MARGIN_MM * PX_PER_MM
        return margin, margin, margin + self.field.width_mm * PX_PER_MM, margin + self.field.depth_mm * PX_PER_MM

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the view with its margin."""
        return _size(self.field, PX_PER_MM)

    def part(self, box: Box) -> Part:
        """A piece of the view, cut straight from the picture."""
        left, top = round(box[0]), round(box[1])
        right, bottom = max(left + 1, round(box[2])), max(top + 1, round(box[3]))
        middle = ((left + right - 1) / 2, (top + bottom - 1) / 2)
        half = max(right - left, bottom - top) / 2
        x, y = self.at_mm(np.array([middle]))[0]
        to_px = self.field.patch_to_px((float(x), float(y)), half / PX_PER_MM, self.height_mm)
        to_relative = np.array([[1.0, 0.0, left - middle[0]], [0.0, 1.0, top - middle[1]], [0.0, 0.0, PX_PER_MM]])
        return Part(_warped(self.pixels, to_px @ to_relative, (right - left, bottom - top)), left, top)

    def crops(self, places: Places) -> Pixels:
        """What lies about places (n, 2) of the view: (n, 40, 40, 3), two pixels a millimetre, in the view's turn."""
        half = CROP_MM * PX_PER_MM / 2
        size = (round(CROP_MM * _CROP_PX_PER_MM),) * 2
        found = [np.zeros((0, *size, 3), np.uint8)]
        for x, y in places:
            middle = self.at_mm(np.array([[x, y]]))[0]
            to_px = self.field.patch_to_px((float(middle[0]), float(middle[1])), CROP_MM / 2, self.height_mm)
            fine = 2 * half - 1
            to_relative = np.array([[1.0, 0.0, -fine / 2], [0.0, 1.0, -fine / 2], [0.0, 0.0, PX_PER_MM]])
            patch = _warped(self.pixels, to_px @ to_relative, (round(2 * half), round(2 * half)))
            found.append(np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), np.uint8)[None])
        return np.concatenate(found)

    def slopes(self, places: Places) -> NDArray[np.float32]:
        """Where the camera hangs as seen from places (n, 2): how far across and near for each mm of height, (n, 2)."""
        foot, height_mm = self.field.camera_mm[:2], float(self.field.camera_mm[2]) - self.height_mm
        return np.asarray((foot - self.at_mm(places)) / height_mm, np.float32)

    def at_mm(self, places: Places) -> Places:
        """Field millimetres (n, 2) of places in the view."""
        return np.asarray(places / PX_PER_MM - MARGIN_MM, np.float64)

    def original(self, x: float, y: float) -> Point:
        """The place of the picture that a place of the view shows."""
        point = self.field.at_px(self.at_mm(np.array([[x, y]])), self.height_mm)[0]
        return round(float(point[0]), 1), round(float(point[1]), 1)

    def on_baize(self, places: Places) -> Places:
        """Where what is seen at these places (n, 2) of the tops' plane covers the baize: millimetres (n, 2)."""
        return apply(self.to_baize, self.at_mm(places))

    def marker_quads(self) -> dict[int, Places]:
        """The corners (4, 2) of all four markers, seen ones where they are seen, others where they must lie."""
        layout, inset_mm = self.field.layout, self.field.inset_mm
        to_top = inverse(self.to_baize)
        quads = {}
        for number in FIELD_MARKERS:
            seen = self.field.markers.get(number)
            corners = marker_corners_mm(number, layout, inset_mm) if seen is None else apply(self.field.to_mm, seen)
            quads[number] = (apply(to_top, corners) + MARGIN_MM) * PX_PER_MM
        return quads


def view_of(pixels: Pixels, field: Field, height_mm: float) -> View:
    """The picture looked at on the plane at `height_mm` over the baize."""
    half = max(field.width_mm, field.depth_mm) / 2
    middle = (field.width_mm / 2, field.depth_mm / 2)
    centred = np.array([[1.0, 0.0, -middle[0]], [0.0, 1.0, -middle[1]], [0.0, 0.0, 1.0]])
    to_px = field.patch_to_px(middle, half, height_mm) @ centred
    return View(pixels, field, height_mm, np.asarray(field.to_mm @ to_px, np.float64))


def overview(view: View, px_per_mm: float) -> Pixels:
    """The baize and its margin in small, from straight above: (h, w, 3) at `px_per_mm`."""
    field = view.field
    small, to_small = shrunk(view, _SLACK * px_per_mm)
    to_mm = np.array([[1.0, 0.0, -MARGIN_MM * px_per_mm], [0.0, 1.0, -MARGIN_MM * px_per_mm], [0.0, 0.0, px_per_mm]])
    return _warped(small, to_small @ field.to_px @ to_mm, _size(field, px_per_mm))


def shrunk(view: View, px_per_mm: float) -> tuple[Pixels, Matrix]:
    """The picture made smaller by a whole number, to `px_per_mm` or somewhat more; and the way (3 x 3) into it."""
    shrink = max(1, int(field_px_per_mm(view.field) / px_per_mm))
    pixels = view.pixels
    if shrink == 1:
        return pixels, np.eye(3)
    size = (pixels.shape[1] // shrink, pixels.shape[0] // shrink)
    used = pixels[: size[1] * shrink, : size[0] * shrink]
    # The middle of a shrunk pixel lies between the middles of the pixels it was made of.
    to_small = np.array([[1.0, 0.0, (1 - shrink) / 2], [0.0, 1.0, (1 - shrink) / 2], [0.0, 0.0, shrink]])
    return np.asarray(cv2.resize(used, size, interpolation=cv2.INTER_AREA), np.uint8), to_small


def field_px_per_mm(field: Field) -> float:
    """How many pixels of the picture a millimetre in the middle of the baize has."""
    x, y = field.width_mm / 2, field.depth_mm / 2
    around = apply(field.to_px, np.array([[x, y], [x + 1, y], [x, y + 1]]))
    return float(np.sqrt(abs(np.linalg.det(around[1:] - around[0]))))


def _size(field: Field, px_per_mm: float) -> tuple[int, int]:
    return (
        round((field.width_mm + 2 * MARGIN_MM) * px_per_mm),
        round((field.depth_mm + 2 * MARGIN_MM) * px_per_mm),
    )


def _warped(pixels: Pixels, to_px: Matrix, size: tuple[int, int]) -> Pixels:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(pixels, to_px, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)
