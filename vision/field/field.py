"""Locates the field by its four markers, leaves out a marker that was moved, and maps millimetres to pixels."""

from collections.abc import Mapping, Set
from dataclasses import dataclass

import numpy as np

from hardware.box import FieldLayout
from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.field.lens import Lens, usual_lens
from vision.field.markers import FIELD_MARKERS, Corners, find_markers, match_marker
from vision.field.pose import HEIGHT_PART, FieldPrior, Fit, Pose, fit_pose, marker_corners_mm
from vision.field.rectify import rectify
from vision.libraries import cv2

_LEAST_MARKERS = 2  # given what is known of cameras over a table, two fix the pose
_FIRST_REACH_MM = 14.0  # largest error of the place of a marker predicted from another one alone
_MATCH_PX_PER_MM = 2.5  # of the view in which missing markers are looked for
_STRAINED = {4: 2.2, 3: 1.8, 2: 1.3}  # limits by the number of markers: with more strain they contradict each other
_SUSPECT = 1.0  # with more strain than this, one of four may have been moved:
_RELIEVED = 0.6  # leaving it out leaves this part of the strain at most,
_MOVED_MM = 3.0  # and it lies this far from the place the others predict


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The field in one picture: located anew in each, so that a camera or box that was nudged shows at once.

    Millimetres are counted from the far left corner of the baize.
    """

    layout: FieldLayout
    width_mm: float
    depth_mm: float
    markers: Mapping[int, Corners]  # by number, the corners (4, 2) in the picture of those that are seen
    markers_mm: Mapping[int, Corners]  # the same corners on the baize
    inset_mm: float  # how far from the edges of the field they were found to lie
    pose: Pose

    @property
    def camera_mm(self) -> Real:
        """Return the pinhole of the camera (3,): x, y and height over the baize."""
        return self.pose.camera_mm

    @property
    def is_upside_down(self) -> bool:
        """True if the far edge of the field is nearer to the lower edge of the picture than to the upper one."""
        return bool(self.pose.turn[1, 1] < 0)

    def at_px(self, points_mm: Real, height_mm: float = 0.0) -> Real:
        """Map points (n, 2) in mm on the plane at that height over the baize to picture points (n, 2)."""
        return self.pose.to_px(points_mm, height_mm)

    def at_mm(self, points_px: Real, height_mm: float = 0.0) -> Real:
        """Map picture points (n, 2) to points (n, 2) in mm on the plane at that height over the baize."""
        return self.pose.to_mm(points_px, height_mm)


def locate_field(
    pixels: Pixels,
    layout: FieldLayout,
    lens: Lens | None = None,
    expected_height_mm: float = 400.0,
    height_part: float = HEIGHT_PART,
) -> Field | None:
    """Return the field by its markers; None when fewer than two are seen or they contradict each other.

    `lens` is the calibrated one; without it, or for a picture of another shape, a usual one is assumed and
    corrected by the markers. `height_part` is the uncertainty of the expected height of the camera (one standard
    deviation, as a part of it).
    """
    known = lens.of_size(pixels.shape[1], pixels.shape[0]) if lens is not None else None
    believed = known or usual_lens(pixels.shape[1], pixels.shape[0])
    prior = FieldPrior(layout, believed, known is not None, expected_height_mm, height_part)
    markers = find_markers(pixels)
    if 0 < len(markers) < len(FIELD_MARKERS):
        found = markers
        markers = _add_missing(pixels, fit_pose(found, prior), found, layout, _FIRST_REACH_MM)
        return field_of(markers, prior, markers.keys() - found.keys()) or field_of(found, prior)
    return field_of(markers, prior)


def field_of(markers: Mapping[int, Corners], prior: FieldPrior, loose: Set[int] = frozenset()) -> Field | None:
    """Return the field that these markers agree on, or all of four but one; None when they contradict each other.

    The corners of `loose` ones are known only roughly.
    """
    if len(markers) < _LEAST_MARKERS:
        return None
    fit = fit_pose(markers, prior, loose)
    if len(markers) == len(FIELD_MARKERS) and fit.strain > _SUSPECT:
        # One was moved if the other three agree far better than all four.
        fits = {moved: fit_pose({n: markers[n] for n in markers if n != moved}, prior, loose) for moved in markers}
        moved = min(fits, key=lambda number: fits[number].strain)
        best = fits[moved]
        place = marker_corners_mm(moved, prior.layout, best.inset_mm)
        away_mm = float(np.max(np.linalg.norm(best.pose.to_mm(markers[moved]) - place, axis=1)))
        # A marker with a corner under a die is off by little, and yet all four then contradict each other.
        is_off = away_mm > _MOVED_MM or fit.strain > _STRAINED[len(FIELD_MARKERS)]
        if is_off and best.strain < _RELIEVED * fit.strain:
            fit = best
    # A fit may have the camera below the baize or beside it.
    is_above = bool(fit.pose.camera_mm[2] > 0 and fit.pose.turn[2, 2] > 0.5)
    if fit.strain > _STRAINED[len(fit.errors_mm)] or not is_above:
        return None
    seen = {number: markers[number] for number in fit.errors_mm}
    on_baize = fit.pose.to_mm(np.concatenate(list(seen.values()))).reshape(-1, 4, 2)
    return Field(
        prior.layout,
        prior.layout.width_mm,
        prior.layout.depth_mm,
        seen,
        dict(zip(seen, on_baize, strict=True)),
        fit.inset_mm,
        fit.pose,
    )


def _add_missing(
    pixels: Pixels, rough: Fit, markers: Mapping[int, Corners], layout: FieldLayout, reach_mm: float
) -> Mapping[int, Corners]:
    """Add the missing markers that are found where the others predict them."""
    margin_mm = reach_mm * 0.5
    size = tuple(round((side + 2 * margin_mm) * _MATCH_PX_PER_MM) for side in (layout.width_mm, layout.depth_mm))

    def at_px(places: Real) -> Real:
        return rough.pose.to_px(places / _MATCH_PX_PER_MM - margin_mm)

    view = rectify(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8), at_px, (size[0], size[1]))
    found = dict(markers)
    for number in set(FIELD_MARKERS) - set(markers):
        corner = (marker_corners_mm(number, layout, rough.inset_mm)[0] + margin_mm) * _MATCH_PX_PER_MM
        place = (float(corner[0]), float(corner[1]))
        edge_px = layout.marker_mm * _MATCH_PX_PER_MM
        match = match_marker(view, number, place, edge_px, reach_mm * _MATCH_PX_PER_MM)
        if match is not None:
            found[number] = at_px(match)
    return found
