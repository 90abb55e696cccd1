"""The picture seen straight from above, at a known scale: what the reading works on."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field import Field, Matrix, apply, inverse, marker_corners_mm
from vision.frame import Pixels
from vision.markers import FIELD_MARKERS
from vision.reading import Point

_PX_PER_MM = 4.0
_MARGIN_MM = 19.0  # a die that lies half outside the baize is seen whole
_WHOLE_PX = 960  # a picture without a field is brought to this size


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A straightened picture (h, w, 3) uint8 BGR.

    `to_px` (3 x 3) leads from view pixels to pixels of the original picture; `px_per_mm` is the scale (1.0
    when it is unknown); `baize` is the field's rectangle in view pixels: left, top, right, bottom.
    """

    pixels: Pixels
    to_px: Matrix
    px_per_mm: float
    baize: tuple[float, float, float, float]
    from_px: Matrix

    def original(self, x: float, y: float) -> Point:
        """The place of the original picture that a place of the view shows."""
        point = apply(self.to_px, np.array([[x, y]]))[0]
        return round(float(point[0]), 1), round(float(point[1]), 1)

    def marker_quads(self, field: Field) -> dict[int, NDArray[np.float64]]:
        """The seen markers' corners (4, 2) in view pixels."""
        return {number: apply(self.from_px, corners) for number, corners in field.markers.items()}

    def unseen_quads(self, field: Field) -> dict[int, NDArray[np.float64]]:
        """Where the corners (4, 2) of the markers that are not seen must lie, in view pixels."""
        layout = field.layout
        if layout is None:
            return {}
        unseen = set(FIELD_MARKERS) - set(field.markers)
        shift = np.array([self.baize[0], self.baize[1]])
        return {number: marker_corners_mm(number, layout, field.inset_mm) * self.px_per_mm + shift for number in unseen}


def straighten(pixels: Pixels, field: Field) -> View:
    """The field from above, far side up; or the whole picture at a handy size when there is no field."""
    if not field.known_scale:
        return _whole(pixels)
    width = round((field.width_mm + 2 * _MARGIN_MM) * _PX_PER_MM)
    height = round((field.depth_mm + 2 * _MARGIN_MM) * _PX_PER_MM)
    view_to_mm = np.array([[1 / _PX_PER_MM, 0.0, -_MARGIN_MM], [0.0, 1 / _PX_PER_MM, -_MARGIN_MM], [0.0, 0.0, 1.0]])
    to_px = field.to_px @ view_to_mm
    from_px = inverse(to_px)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = cv2.warpPerspective(pixels, to_px, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    margin = _MARGIN_MM * _PX_PER_MM
    baize = (margin, margin, width - margin, height - margin)
    return View(np.asarray(view, np.uint8), to_px, _PX_PER_MM, baize, from_px)


def _whole(pixels: Pixels) -> View:
    height, width = pixels.shape[:2]
    scale = _WHOLE_PX / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    view = cv2.resize(pixels, size, interpolation=way)
    to_px = np.diag([width / size[0], height / size[1], 1.0])
    # Pixel middles, not corners, lie at whole numbers.
    to_px[:2, 2] = (np.diag(to_px)[:2] - 1) / 2
    whole = (0.0, 0.0, float(size[0]), float(size[1]))
    return View(np.asarray(view, np.uint8), to_px, 1.0, whole, inverse(to_px))
