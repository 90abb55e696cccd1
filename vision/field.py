"""Where the baize lies in the picture: four markers give the way from pixels to millimetres."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.box import FieldLayout
from vision.frame import Pixels
from vision.markers import FIELD_MARKERS, Corners, find_markers, match_marker

_LEAST_MARKERS = 2
# How far a real camera over a real tray is from a plain scaled and turned picture (one standard deviation):
# shear and unequal scale, and perspective per millimetre (3 degrees of tilt at 400 mm are 1.3e-4).
_SHEAR = 0.004
_TILT_PER_MM = 1.2e-4
_CORNER_MM = 0.5
_INSET_MM = 2.0  # people lay the markers by hand
_FIRST_REACH_MM = 14.0  # how far a marker may lie from where another one alone says
_MATCH_PX_PER_MM = 2.5
_WORST_MM = 5.0  # a fit worse than this is not the field

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The field in one picture.

    `to_mm` (3 x 3) leads from pixels to millimetres from the far left corner, `to_px` back. `markers` are
    the numbers seen, `error_mm` how well they agree (root mean square), `inset_mm` how far from the field's
    edges they were found to lie. A whole picture without markers has no `layout` and no known scale: its
    "millimetres" are pixels.
    """

    to_mm: Matrix
    layout: FieldLayout | None
    width_mm: float
    depth_mm: float
    markers: Mapping[int, Corners]
    error_mm: float
    inset_mm: float

    @property
    def known_scale(self) -> bool:
        """True when the millimetres are millimetres."""
        return self.layout is not None

    @property
    def to_px(self) -> Matrix:
        """The homography from millimetres to pixels."""
        return inverse(self.to_mm)

    def at_px(self, points_mm: Matrix) -> Matrix:
        """Field points (n, 2) in mm to picture points (n, 2)."""
        return apply(self.to_px, points_mm)

    def at_mm(self, points_px: Matrix) -> Matrix:
        """Picture points (n, 2) to field points (n, 2) in mm."""
        return apply(self.to_mm, points_px)


def apply(homography: Matrix, points: Matrix) -> Matrix:
    """Send points (n, 2) through a 3 x 3 homography."""
    moved = cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(1, -1, 2), homography)
    return np.asarray(moved, np.float64).reshape(-1, 2)


def inverse(homography: Matrix) -> Matrix:
    """The way back of a 3 x 3 homography."""
    return np.asarray(np.linalg.inv(homography), np.float64)


def locate_field(pixels: Pixels, layout: FieldLayout) -> Field | None:
    """The field by its markers; None when fewer than two are seen or they contradict each other."""
    markers = find_markers(pixels)
    if not 0 < len(markers) < len(FIELD_MARKERS):
        return field_of(markers, layout)
    markers = _with_missing(pixels, markers, layout, _FIRST_REACH_MM)
    return field_of(markers, layout)


def _with_missing(
    pixels: Pixels, markers: Mapping[int, Corners], layout: FieldLayout, reach_mm: float
) -> Mapping[int, Corners]:
    """Look for the missing markers where the seen ones say that they lie."""
    rough = _solve(markers, layout)
    scale, margin = _MATCH_PX_PER_MM, reach_mm * 0.5
    to_view = np.array([[scale, 0.0, margin * scale], [0.0, scale, margin * scale], [0.0, 0.0, 1.0]])
    way = to_view @ rough.to_mm
    size = tuple(round((side + 2 * margin) * scale) for side in (layout.width_mm, layout.depth_mm))
    view = np.asarray(cv2.cvtColor(cv2.warpPerspective(pixels, way, size), cv2.COLOR_BGR2GRAY), np.uint8)
    found = dict(markers)
    for number in set(FIELD_MARKERS) - set(markers):
        corner = apply(to_view, marker_corners_mm(number, layout, rough.inset_mm))[0]
        place = (float(corner[0]), float(corner[1]))
        match = match_marker(view, number, place, layout.marker_mm * scale, reach_mm * scale)
        if match is not None:
            found[number] = apply(inverse(way), match)
    return found


def whole_picture_field(pixels: Pixels) -> Field:
    """The whole picture as the field: no markers, one "millimetre" a pixel."""
    height, width = pixels.shape[:2]
    return Field(np.eye(3), None, float(width), float(height), {}, 0.0, 0.0)


def field_of(markers: Mapping[int, Corners], layout: FieldLayout) -> Field | None:
    """The field that best explains the markers' corners; None when there is none."""
    if len(markers) < _LEAST_MARKERS:
        return None
    field = _solve(markers, layout)
    return field if field.error_mm <= _WORST_MM and np.linalg.det(field.to_mm[:2, :2]) > 0 else None


def _solve(markers: Mapping[int, Corners], layout: FieldLayout) -> Field:
    seen = np.concatenate([markers[number] for number in sorted(markers)])
    fit = _Fit(sorted(markers), seen, layout)
    parameters = fit.solve()
    to_px, error_mm = fit.homography(parameters), fit.error_mm(parameters)
    return Field(
        inverse(to_px),
        layout,
        layout.width_mm,
        layout.depth_mm,
        dict(markers),
        error_mm,
        float(parameters[8]),
    )


def marker_corners_mm(number: int, layout: FieldLayout, inset_mm: float) -> Matrix:
    """Where the corners (4, 2) of a marker lie, clockwise from the far left one."""
    edge = layout.marker_mm
    left = inset_mm if number in (0, 3) else layout.width_mm - inset_mm - edge
    far = inset_mm if number in (0, 1) else layout.depth_mm - inset_mm - edge
    return np.array([[left, far], [left + edge, far], [left + edge, far + edge], [left, far + edge]])


class _Fit:
    """Least squares (Gauss-Newton) for the way from mm to pixels and the inset of the markers.

    The eight numbers are a scaled turn (a, b), a shift, a shear (2) and a tilt (2); shear, tilt and inset
    are held near what a camera over a table can have, so that two markers on one side already suffice.

    Lifetime: one picture. Concurrency: none.
    """

    def __init__(self, numbers: list[int], seen: Matrix, layout: FieldLayout) -> None:
        self._numbers = numbers
        self._seen = seen
        self._layout = layout
        self._middle = np.array([layout.width_mm / 2, layout.depth_mm / 2])
        self._scale = 1.0

    def solve(self) -> Matrix:
        """The best nine numbers: the eight of the homography, then the inset in mm."""
        parameters = self._start()
        for _ in range(6):
            residual = self._residual(parameters)
            steps = np.maximum(np.abs(parameters), 1.0) * 1e-6
            slopes = np.column_stack(
                [
                    (self._residual(parameters + step * unit) - residual) / step
                    for step, unit in zip(steps, np.eye(9), strict=True)
                ]
            )
            parameters = parameters - np.linalg.lstsq(slopes, residual, rcond=None)[0]
        return parameters

    def homography(self, parameters: Matrix) -> Matrix:
        """The matrix from field mm to pixels; the tilt pivots on the field's middle."""
        a, b, x, y, stretch, skew, tilt_x, tilt_y, _ = parameters
        turn = np.array([[a, -b], [b, a]]) @ np.array([[1 + stretch, skew], [skew, 1 - stretch]])
        centred = np.eye(3)
        centred[:2, 2] = -self._middle
        matrix = np.array([[*turn[0], x], [*turn[1], y], [0.0, 0.0, 1.0]])
        tilt = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [tilt_x, tilt_y, 1.0]])
        homography: Matrix = matrix @ tilt @ centred
        return homography

    def error_mm(self, parameters: Matrix) -> float:
        """Root mean square distance of the corners from where they should be."""
        off = apply(self.homography(parameters), self._model(parameters[8])) - self._seen
        return float(np.sqrt(np.mean(np.sum(off**2, axis=1)))) / self._scale

    def _start(self) -> Matrix:
        """A scaled turn through the markers as the layout has them."""
        model = self._model(self._layout.marker_margin_mm) - self._middle
        one, other = model[:, 0] + 1j * model[:, 1], self._seen[:, 0] + 1j * self._seen[:, 1]
        base = one - one.mean()
        factor = np.vdot(base, other) / np.vdot(base, base)
        shift = other.mean() - factor * one.mean()
        self._scale = max(abs(factor), 1e-6)
        inset = self._layout.marker_margin_mm
        return np.array([factor.real, factor.imag, shift.real, shift.imag, 0, 0, 0, 0, inset])

    def _model(self, inset_mm: float) -> Matrix:
        return np.concatenate([marker_corners_mm(number, self._layout, inset_mm) for number in self._numbers])

    def _residual(self, parameters: Matrix) -> Matrix:
        """What is to be made small, each in units of its standard deviation."""
        off = apply(self.homography(parameters), self._model(parameters[8])) - self._seen
        expected = self._layout.marker_margin_mm
        held = [
            *(parameters[4:6] / _SHEAR),
            *(parameters[6:8] / _TILT_PER_MM),
            (parameters[8] - expected) / _INSET_MM,
        ]
        return np.concatenate((off.ravel() / (self._scale * _CORNER_MM), held))
