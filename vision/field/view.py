"""The view from straight above, on the plane of the tops of the dice: small to find dice, cut out to read them.

All places of a view are "view pixels": `PX_PER_MM` of them a millimetre, on the plane of the tops, from
`MARGIN_MM` outside the far left corner of the field. On that plane the top of a die has its true size and lies over
its foot wherever the camera hangs.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Places, Real32
from vision.capture.frame import Pixels
from vision.field.field import Field
from vision.field.markers import FIELD_MARKERS
from vision.field.pose import marker_corners_mm, project_to_plane
from vision.field.rectify import RemapTable, rectify, remap, remap_table
from vision.libraries import cv2
from vision.reading import Point

PX_PER_MM = 4.0
CROP_MM = 20.0  # size of the crop that is judged as one die: the largest die fits in
_CROP_PX_PER_MM = 2.0
_AT_ONCE = 200  # patches one below the other; OpenCV's pictures have fewer than 32,768 rows
MARGIN_MM = 19.0  # a die that lies half outside the baize is seen whole
AROUND_MM = 60.0  # a die this far outside the baize may still belong to the throw
_SMALL_PX_PER_MM = 1.2  # least resolution of the small picture: enough to keep pips

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in view pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Cutout:
    """A piece cut out of the view: pixels (h, w, 3), and the place of their upper left corner in view pixels."""

    pixels: Pixels
    left: int
    top: int


@dataclass(frozen=True, slots=True, eq=False)
class SmallPicture:
    """A whole picture made smaller, to look at everything at once without the cost of the large one."""

    padded: Pixels  # (h, w, 4), see `View`
    grey: NDArray[np.uint8]  # (h, w)
    shrink: int  # how many times smaller they are, a whole number
    px_per_mm: float  # in the middle of the baize

    def place(self, places_px: Places) -> Places:
        """Map places (n, 2) of the picture to places of the small one."""
        return np.asarray((places_px + 0.5) / self.shrink - 0.5, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A picture with its field, seen on the plane at `height_mm` over the baize.

    On the plane of their tops all dice have one size and one scale, wherever they lie and however the camera hangs: so
    pips, lattice and network know one size only.
    """

    pixels: Pixels  # (h, w, 3)
    field: Field
    height_mm: float
    padded: Pixels  # the same with an unused fourth channel (h, w, 4): OpenCV cuts from four channels in half the time
    small: SmallPicture  # the same picture in small

    @property
    def baize(self) -> Box:
        """Return the rectangle of the field."""
        margin = MARGIN_MM * PX_PER_MM
        return margin, margin, margin + self.field.width_mm * PX_PER_MM, margin + self.field.depth_mm * PX_PER_MM

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height of the view with its margin."""
        return _size(self.field, PX_PER_MM)

    def cut_out(self, box: Box) -> Cutout:
        """Cut one box out of the view, straight from the picture: nothing is resampled twice."""
        left, top = round(box[0]), round(box[1])
        corner = np.array([left, top])
        size = max(left + 1, round(box[2])) - left, max(top + 1, round(box[3])) - top
        cut = rectify(self.padded, lambda at: self.at_px(self.at_mm(at + corner)), size)
        return Cutout(unpadded(cut), left, top)

    def crops(self, places: Places) -> Pixels:
        """Cut out the surroundings of places (n, 2), not turned: (n, 40, 40, 3), two pixels a millimetre."""
        upright = np.tile(np.eye(2) / PX_PER_MM, (len(places), 1, 1))
        return self.patches(self.at_mm(places), upright, round(CROP_MM * _CROP_PX_PER_MM))

    def patches(self, middles_mm: Places, steps_mm: Places, side: int) -> Pixels:
        """Cut out the surroundings of places (n, 2) of the plane in mm: (n, side, side, 3).

        They are cut with half the step and halved, so that no pixel of the picture is skipped.
        `steps_mm` (n, 2, 2) map pixels of the finer pictures to millimetres of the plane.
        """
        found = np.zeros((len(middles_mm), side, side, 3), np.uint8)
        for first in range(0, len(found), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            middles, steps = middles_mm[some, None], steps_mm[some].transpose(0, 2, 1)

            def way(at: Places, middles: Places = middles, steps: Places = steps) -> Places:
                return self.at_px((middles + (at - (side - 0.5)) @ steps).reshape(-1, 2))

            fine = remap(self.padded, remap_table(way, (2 * side, 2 * side), len(middles)))
            small = cv2.resize(fine, (side, len(middles) * side), interpolation=cv2.INTER_AREA)
            found[some] = unpadded(np.asarray(small, np.uint8)).reshape(-1, side, side, 3)
        return found

    def slopes(self, places: Places) -> Real32:
        """Return how far the line of sight at places (n, 2) leans across and near, in mm for each mm of height."""
        foot, height_mm = self.field.camera_mm[:2], float(self.field.camera_mm[2]) - self.height_mm
        return np.asarray((foot - self.at_mm(places)) / height_mm, np.float32)

    def at_mm(self, places: Places) -> Places:
        """Map places (n, 2) of the view to millimetres of the field."""
        return np.asarray(places / PX_PER_MM - MARGIN_MM, np.float64)

    def at_px(self, points_mm: Places) -> Places:
        """Map points (n, 2) of the viewed plane to places of the picture."""
        return self.field.at_px(points_mm, self.height_mm)

    def original(self, x: float, y: float) -> Point:
        """Return the place of the picture that a place of the view shows."""
        point = self.at_px(self.at_mm(np.array([[x, y]])))[0]
        return round(float(point[0]), 1), round(float(point[1]), 1)

    def on_baize(self, places: Places) -> Places:
        """Return the points (n, 2) of the baize in mm behind these places (n, 2) of the view."""
        return project_to_plane(self.at_mm(places), self.height_mm, 0.0, self.field.camera_mm)

    def over_baize(self, points_mm: Places, height_mm: float | None = None) -> Places:
        """Return the places (n, 2) of the view that hide these points (n, 2) of the baize in mm: undoes `on_baize`.

        With a height, those over what hides the points at that height.
        """
        high = self.height_mm if height_mm is None else height_mm
        return (project_to_plane(points_mm, 0.0, high, self.field.camera_mm) + MARGIN_MM) * PX_PER_MM

    def marker_quads(self) -> dict[int, Places]:
        """Return the corners (4, 2) of all four markers, seen ones where they are seen, others where they must lie."""
        layout, inset_mm = self.field.layout, self.field.inset_mm
        quads = {}
        for number in FIELD_MARKERS:
            seen = self.field.markers_mm.get(number)
            corners = marker_corners_mm(number, layout, inset_mm) if seen is None else seen
            quads[number] = self.over_baize(corners)
        return quads


def view_of(pixels: Pixels, field: Field, height_mm: float) -> View:
    """Return the view of a picture on the plane at `height_mm` over the baize."""
    padded = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA), np.uint8)
    x, y = field.width_mm / 2, field.depth_mm / 2
    around = field.at_px(np.array([[x, y], [x + 1, y], [x, y + 1]]))
    px_per_mm = float(np.sqrt(abs(np.linalg.det(around[1:] - around[0]))))
    shrink = max(1, int(px_per_mm / _SMALL_PX_PER_MM))
    size = (padded.shape[1] // shrink, padded.shape[0] // shrink)
    used = padded[: size[1] * shrink, : size[0] * shrink]
    small = used if shrink == 1 else np.asarray(cv2.resize(used, size, interpolation=cv2.INTER_AREA), np.uint8)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGRA2GRAY), np.uint8)
    return View(pixels, field, height_mm, padded, SmallPicture(small, grey, shrink, px_per_mm / shrink))


def box_of_mm(left: float, top: float, right: float, bottom: float) -> Box:
    """Return a box in view pixels, given in mm from the upper left corner of the view."""
    return left * PX_PER_MM, top * PX_PER_MM, right * PX_PER_MM, bottom * PX_PER_MM


def unpadded(padded: Pixels) -> Pixels:
    """Return the colours (h, w, 3) of a piece (h, w, 4) of a padded picture."""
    return np.asarray(cv2.cvtColor(padded, cv2.COLOR_BGRA2BGR), np.uint8)


def overhead_table(view: View, margin_mm: float = MARGIN_MM) -> RemapTable:
    """Return the remap table, one pixel a mm, from the small picture to the baize and its margin seen from above."""
    size = _size(view.field, 1.0, margin_mm)
    return remap_table(lambda at: view.small.place(view.field.at_px(at - margin_mm)), size)


def look_around(view: View) -> Pixels:
    """Return the baize and `AROUND_MM` around it from straight above, one pixel a mm: (h, w, 3)."""
    return unpadded(remap(view.small.padded, overhead_table(view, AROUND_MM)))


def _size(field: Field, px_per_mm: float, margin_mm: float = MARGIN_MM) -> tuple[int, int]:
    width, depth = (round((side + 2 * margin_mm) * px_per_mm) for side in (field.width_mm, field.depth_mm))
    return width, depth
