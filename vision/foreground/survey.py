"""Divide a small picture of the baize into cloth and the rest."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Grey, Mask, Places
from vision.capture.frame import Pixels
from vision.field.markers import is_unoccluded
from vision.field.rectify import remap
from vision.field.view import MARGIN_MM, View, overhead_table, unpadded
from vision.foreground import background
from vision.foreground.background import Foreground, usual_maximum
from vision.libraries import cv2

RIM_MM = 3.0  # at the wall the baize curls and is dark: ignored
_MARKER_RIM_MM = 6.0  # a marker with its white rim, laid by hand
_MARKER_ABOUT_MM = 11.0  # its rim stands out from the mean this far around it
# A pip-like spot: the mean over the first width against that over the second, in grey levels and against the usual.
_PIP_MM, _ABOUT_MM = 2.5, 9.0
_STANDS_OUT, _ABOVE_USUAL = 14.0, 5.0
# ... and against the strongest spot of most cells of the baize, or of the wood about it.
_CELL_MM, _ABOVE_WEAVE = 20, 1.5
_BESIDE = np.ones((2, 2), np.uint8)  # so that skipping pixels loses no spot


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The field in small, one pixel a millimetre, from straight above: enough to show where to look closely."""

    pixels: Pixels  # (h, w, 3); the masks are (h, w)
    foreground: Foreground
    seeds: Mask  # may be pips
    inside: Mask  # the baize
    unoccluded_markers: Mask  # with their rims
    all_markers: Mask  # with their rims


def survey(view: View, unoccluded_markers: Iterable[Places]) -> Survey:
    """Survey the whole field; `unoccluded_markers` are their corners (4, 2) in view pixels."""
    small = view.small
    above = overhead_table(view)
    straight = unpadded(remap(small.padded, above))
    inside = np.zeros(straight.shape[:2], np.uint8)
    low = round(MARGIN_MM + RIM_MM)
    bottom, right = (round(MARGIN_MM + side - RIM_MM) for side in (view.field.depth_mm, view.field.width_mm))
    inside[low:bottom, low:right] = 1
    unoccluded, about, all_markers = (np.zeros(inside.shape, np.uint8) for _ in range(3))
    for quad in view.marker_quads().values():
        cover(all_markers, survey_px(view.on_baize(quad)), 2 * _MARKER_RIM_MM)
    for quad in unoccluded_markers:
        cover(unoccluded, survey_px(view.on_baize(quad)), 2 * _MARKER_RIM_MM)
        cover(about, survey_px(view.on_baize(quad)), 2 * _MARKER_ABOUT_MM)
    free = np.asarray(inside & (1 - unoccluded), np.uint8)
    # By how many levels a spot as small as a pip differs from its surroundings.
    pip, around = (int(small.px_per_mm * size) | 1 for size in (_PIP_MM, _ABOUT_MM))
    step = cv2.absdiff(cv2.blur(small.grey, (pip, pip)), cv2.blur(small.grey, (around, around)))
    off = np.asarray(remap(np.asarray(cv2.dilate(step, _BESIDE), np.uint8), above, nearest=True), np.uint8)
    _, strong = cv2.threshold(off, _least_seed(off, free), 1, cv2.THRESH_BINARY)
    seeds = np.asarray(strong, np.uint8) & inside & (1 - about)
    found = background.find_foreground(straight, free)
    return Survey(straight, found, seeds, inside, unoccluded, all_markers)


def _least_seed(off: Grey, free: Mask) -> float:
    """Return the level above which a spot is not part of the cloth.

    On cloth with a coarse weave some spots stand out in every cell; dice lie in few of them.
    """
    usual = float(np.median(off[::4, ::4]))
    return max(_STANDS_OUT, _ABOVE_USUAL * usual, _ABOVE_WEAVE * usual_maximum(off, free, _CELL_MM))


def survey_px(points_mm: Places) -> Places:
    """Return points (n, 2) on the baize in mm as pixels of a survey."""
    return np.asarray(points_mm + MARGIN_MM, np.float64)


def cover(mask: Mask, outline: Places, rim: float) -> None:
    """Draw an outline (n, 2) into a mask, filled and widened by half of the rim."""
    hull = cv2.convexHull(np.asarray(outline, np.float32))
    points = np.round(np.asarray(hull)).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 1)
    cv2.polylines(mask, [points], True, 1, max(1, round(rim)))


DIE_RIM_MM = 5.0  # twice how far outside its outline a die may show


def mask_of_dice(seen: Survey, dice: Sequence[Places], rim_mm: float) -> Mask:
    """Return a mask of the dice with these outlines, widened by half of the rim."""
    covered = np.zeros(seen.inside.shape, np.uint8)
    for outline in dice:
        cover(covered, survey_px(outline), rim_mm)
    return covered


def free_baize(seen: Survey, covered: Mask) -> Mask:
    """Return a mask of the baize that is neither `covered` nor under a marker."""
    return np.asarray(seen.inside & (1 - covered) & (1 - seen.all_markers), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Overview:
    """A first look over the whole field: the survey of the baize, and the markers on which something lies."""

    seen: Survey
    occluded_markers: Mapping[int, Places]  # their corners (4, 2) in view pixels


def look_over(view: View) -> Overview:
    """Separate cloth from foreground, and find out which markers are occluded."""
    quads = view.marker_quads()
    seen = view.field.markers.items()
    clear = {number for number, corners in seen if is_unoccluded(view.pixels, number, corners)} if quads else set()
    occluded = {number: quads[number] for number in quads.keys() - clear}
    return Overview(survey(view, [quads[number] for number in clear]), occluded)
