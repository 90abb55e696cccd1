"""Divide a small picture of the baize into cloth and the rest, and decide in which regions to look for dice."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Grey, Mask, Places
from vision.capture.frame import Pixels
from vision.field.markers import is_unoccluded
from vision.field.rectify import remap
from vision.field.view import MARGIN_MM, Box, View, box_of_mm, overhead_table, unpadded
from vision.foreground import background
from vision.foreground.background import Foreground, components, usual_maximum, widened
from vision.libraries import cv2

RIM_MM = 3.0  # at the wall the baize curls and is dark: ignored
_MARKER_RIM_MM = 6.0  # a marker with its white rim, laid by hand
_MARKER_ABOUT_MM = 11.0  # its rim stands out from the mean this far around it
# A pip-like spot: the mean over the first width against that over the second, in grey levels and against the usual.
_PIP_MM, _ABOUT_MM = 2.5, 9.0
_STANDS_OUT, _ABOVE_USUAL = 14.0, 5.0
# ... and against the strongest spot of most cells of the baize, or of the wood about it.
CELL_MM, ABOVE_WEAVE = 20, 1.5
_BESIDE = np.ones((2, 2), np.uint8)  # so that skipping pixels loses no spot
_HAIR_MM, _LINE_MM, _LONG_MM = 2, 5, 25  # no pip is as thin as the first, no die as thin and as long as the others
_SPECK_MM2 = 3
_WASTE = 1.5  # the union of two boxes is at most this much larger than both
_JOINED_MM = 4  # parts nearer to each other than twice this belong together
_AROUND_MM, _LEAST_HALF_MM = 5.0, 14.0  # margin of a box, and least half side, so that it holds a whole die


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The field in small, one pixel a millimetre, from straight above: enough to show where to look closely."""

    pixels: Pixels  # (h, w, 3); the masks are (h, w)
    foreground: Foreground
    seeds: Mask  # may be pips
    bright: Mask  # no larger than dice, and brighter than the cloth around it
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
    clear = np.asarray(free & (1 - about), np.uint8)
    bright = background.find_bright_bodies(straight, clear)
    return Survey(straight, found, seeds, bright, inside, unoccluded, all_markers)


def _least_seed(off: Grey, free: Mask) -> float:
    """Return the level above which a spot is not part of the cloth.

    On cloth with a coarse weave some spots stand out in every cell; dice lie in few of them.
    """
    usual = float(np.median(off[::4, ::4]))
    return max(_STANDS_OUT, _ABOVE_USUAL * usual, ABOVE_WEAVE * usual_maximum(off, free, CELL_MM))


def find_regions(seen: Survey) -> list[Box]:
    """Return the boxes in view pixels in which dice may be; no two of them overlap."""
    mask = np.asarray((seen.foreground.all | seen.seeds | seen.bright) & (1 - seen.unoccluded_markers), np.uint8)
    _, labels, table, _ = components(mask)
    sides = table[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    thick, long = sides.min(axis=1), sides.max(axis=1)
    # The foot of a wall and the edge of its shadow are lines, and stand out as pips do.
    are_lines = (thick <= _HAIR_MM) & (long > 2 * _HAIR_MM) | (thick <= _LINE_MM) & (long > _LONG_MM)
    large = (table[:, cv2.CC_STAT_AREA] >= _SPECK_MM2) & ~are_lines
    large[0] = False
    joined = widened(large.astype(np.uint8)[labels], _JOINED_MM)
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes: list[Box] = []
    for x, y, width, height in map(cv2.boundingRect, outlines):
        # Without the dilation again, and large enough for a whole die.
        across, down = x + width / 2, y + height / 2
        half = [max(side / 2 - _JOINED_MM + _AROUND_MM, _LEAST_HALF_MM) for side in (width, height)]
        boxes.append(box_of_mm(across - half[0], down - half[1], across + half[0], down + half[1]))
    return merge_overlapping(boxes)


def merge_overlapping(boxes: list[Box]) -> list[Box]:
    """Merge boxes that overlap, so that no die is cut in two or read twice.

    They stay apart where their union would enclose much that belongs to neither, as with boxes along the walls.
    """
    done: list[tuple[Box, float]] = []  # with the area of each that was filled by the boxes in it
    waiting = [(box, _area(box)) for box in boxes]
    while waiting:
        one = waiting.pop()
        box = one[0]
        for other in done:
            there = other[0]
            overlap = box[0] < there[2] and there[0] < box[2] and box[1] < there[3] and there[1] < box[3]
            if overlap and _area(_hull(box, there)) < _WASTE * _covered(one, other):
                done.remove(other)
                waiting.append((_hull(box, there), _covered(one, other)))
                break
        else:
            done.append(one)
    return [box for box, _ in done]


def _hull(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _covered(one: tuple[Box, float], other: tuple[Box, float]) -> float:
    (left, top, right, bottom), (other_left, other_top, other_right, other_bottom) = one[0], other[0]
    shared = max(left, other_left), max(top, other_top), min(right, other_right), min(bottom, other_bottom)
    return one[1] + other[1] - min(_area(shared), one[1], other[1])


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


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
