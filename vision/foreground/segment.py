"""Segments the baize, in small, into cloth and not, and decides in which regions dice are looked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.field.rectify import remap
from vision.field.view import MARGIN_MM, PX_PER_MM, Box, Places, View, overhead_table, unpadded
from vision.foreground.background import (
    Foreground,
    Grey,
    Mask,
    components,
    find_bright,
    find_dim,
    find_foreground,
    usual_maximum,
)
from vision.libraries import cv2

RIM_MM = 3.0  # at the wall the baize curls and is dark: not looked at
_MARKER_RIM_MM = 6.0  # a marker with its white rim, laid by hand
_MARKER_ABOUT_MM = 11.0  # its rim stands out from the mean this far about it
# What stands out like a pip: the mean of so many mm against that of so many, in grey levels and against the usual.
_PIP_MM, _ABOUT_MM = 2.5, 9.0
_STANDS_OUT, _ABOVE_USUAL = 14.0, 5.0
# ... and against the strongest spot of most cells of the baize, or of the wood about it.
CELL_MM, ABOVE_WEAVE = 20, 1.5
_BESIDE = np.ones((2, 2), np.uint8)  # what stands out is not lost where pixels are left out
_HAIR_MM, _LINE_MM, _LONG_MM = 2, 5, 25  # no pip is as thin as the first, no die so thin and so long as the others
_SPECK_MM2 = 3
_WASTE = 1.5  # a box about two others is at most so much larger than both
_JOINED_MM = 4  # what is nearer to each other than twice this belongs together
_AROUND_MM, _LEAST_HALF_MM = 5.0, 14.0  # what is cut out about it, so that a whole die is in it


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The field in small, one pixel a millimetre, from straight above: enough to tell where to look closely.

    `pixels` are (h, w, 3); the masks (h, w) are 1 where something may be a pip (`seeds`), where something as small as
    dice is brighter than the cloth about it (`bright`) or darker (`dim`), where the baize is (`inside`), and where the
    unoccluded markers and all markers are, with their rims.
    """

    pixels: Pixels
    foreground: Foreground
    seeds: Mask
    bright: Mask
    dim: Mask
    inside: Mask
    unoccluded_markers: Mask
    all_markers: Mask


def survey(view: View, unoccluded_markers: Iterable[Places]) -> Survey:
    """Survey the whole field; `unoccluded_markers` are the corners (4, 2) in view pixels of those nothing lies upon."""
    small = view.small
    above = overhead_table(view)
    straight = unpadded(remap(small.padded, above))
    inside = _inside(view, straight.shape[:2])
    unoccluded, about, all_markers = (np.zeros(inside.shape, np.uint8) for _ in range(3))
    for quad in view.marker_quads().values():
        cover(all_markers, survey_px(view.on_baize(quad)), 2 * _MARKER_RIM_MM)
    for quad in unoccluded_markers:
        cover(unoccluded, survey_px(view.on_baize(quad)), 2 * _MARKER_RIM_MM)
        cover(about, survey_px(view.on_baize(quad)), 2 * _MARKER_ABOUT_MM)
    free = np.asarray(inside & (1 - unoccluded), np.uint8)
    off = np.asarray(remap(_stand_out(small.grey, small.px_per_mm), above, nearest=True), np.uint8)
    _, strong = cv2.threshold(off, _least_seed(off, free), 1, cv2.THRESH_BINARY)
    seeds = np.asarray(strong, np.uint8) & inside & (1 - about)
    found = find_foreground(straight, free)
    clear = np.asarray(free & (1 - about), np.uint8)
    bright, dim = find_bright(straight, clear), find_dim(straight, clear)
    return Survey(straight, found, seeds, bright, dim, inside, unoccluded, all_markers)


def find_regions(seen: Survey) -> list[Box]:
    """The boxes in view pixels in which dice may be; none overlaps another."""
    mask = np.asarray((seen.foreground.all | seen.seeds | seen.bright) & (1 - seen.unoccluded_markers), np.uint8)
    _, labels, table, _ = components(mask)
    large = (table[:, cv2.CC_STAT_AREA] >= _SPECK_MM2) & ~_are_lines(table)
    large[0] = False
    reach = 2 * _JOINED_MM + 1
    joined = cv2.dilate(large.astype(np.uint8)[labels], np.ones((reach, reach), np.uint8))
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return merge_overlapping([_around(cv2.boundingRect(outline), _JOINED_MM) for outline in outlines])


def _stand_out(grey: Grey, px_per_mm: float) -> Grey:
    """By how many levels a spot as small as a pip differs from what is about it; what is beside it counts as well."""
    spot, about = (int(px_per_mm * size) | 1 for size in (_PIP_MM, _ABOUT_MM))
    off = cv2.absdiff(cv2.blur(grey, (spot, spot)), cv2.blur(grey, (about, about)))
    return np.asarray(cv2.dilate(off, _BESIDE), np.uint8)


def _least_seed(off: Grey, free: Mask) -> float:
    """The level above which a spot is no part of the cloth.

    On cloth with a coarse weave some spots stand out in every cell; dice lie in few of them.
    """
    usual = float(np.median(off[::4, ::4]))
    return max(_STANDS_OUT, _ABOVE_USUAL * usual, ABOVE_WEAVE * usual_maximum(off, free, CELL_MM))


def _are_lines(table: NDArray[np.int32]) -> NDArray[np.bool_]:
    """True for the components that are thinner than any pip, or longer than any die and thin.

    The foot of a wall and the edge of its shadow are such lines, and stand out as pips do.
    """
    sides = table[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    thick, long = sides.min(axis=1), sides.max(axis=1)
    return np.asarray((thick <= _HAIR_MM) & (long > 2 * _HAIR_MM) | (thick <= _LINE_MM) & (long > _LONG_MM), np.bool_)


def _around(part: Sequence[int], joined_mm: int) -> Box:
    """The box (left, top, width, height) of a part as it was before it was widened, made large enough for a die."""
    x, y, width, height = part
    middle = (x + width / 2, y + height / 2)
    half = [max(side / 2 - joined_mm + _AROUND_MM, _LEAST_HALF_MM) for side in (width, height)]
    return (
        (middle[0] - half[0]) * PX_PER_MM,
        (middle[1] - half[1]) * PX_PER_MM,
        (middle[0] + half[0]) * PX_PER_MM,
        (middle[1] + half[1]) * PX_PER_MM,
    )


def merge_overlapping(boxes: list[Box]) -> list[Box]:
    """The boxes, those that overlap made one, so that no die is cut in two or read twice; but where together they would
    enclose much that none of them does, as boxes along the walls do, they stay apart.
    """
    done: list[tuple[Box, float]] = []
    waiting = [(box, _area(box)) for box in boxes]
    while waiting:
        box, filled = waiting.pop()
        other = next((one for one in done if _overlap(box, one[0]) and _is_filled((box, filled), one)), None)
        if other is None:
            done.append((box, filled))
            continue
        done.remove(other)
        waiting.append((_hull(box, other[0]), _covered((box, filled), other)))
    return [box for box, _ in done]


def _hull(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _is_filled(one: tuple[Box, float], other: tuple[Box, float]) -> bool:
    """True when the box about both is mostly theirs; with each box goes how much of it was so."""
    return _area(_hull(one[0], other[0])) < _WASTE * _covered(one, other)


def _covered(one: tuple[Box, float], other: tuple[Box, float]) -> float:
    (left, top, right, bottom), (other_left, other_top, other_right, other_bottom) = one[0], other[0]
    shared = max(left, other_left), max(top, other_top), min(right, other_right), min(bottom, other_bottom)
    return one[1] + other[1] - min(_area(shared), one[1], other[1])


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def survey_px(points_mm: Places) -> Places:
    """Points (n, 2) of the baize in mm as pixels of a survey."""
    return np.asarray(points_mm + MARGIN_MM, np.float64)


def _inside(view: View, shape: tuple[int, ...]) -> Mask:
    """1 on the baize but for its rim."""
    inside = np.zeros(shape, np.uint8)
    low = round(MARGIN_MM + RIM_MM)
    bottom, right = (round(MARGIN_MM + side - RIM_MM) for side in (view.field.depth_mm, view.field.width_mm))
    inside[low:bottom, low:right] = 1
    return inside


def cover(mask: Mask, outline: Places, rim: float) -> None:
    """Draw an outline (n, 2) into a mask, filled and half of the rim wider."""
    hull = cv2.convexHull(np.asarray(outline, np.float32))
    points = np.round(np.asarray(hull)).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 1)
    cv2.polylines(mask, [points], True, 1, max(1, round(rim)))
