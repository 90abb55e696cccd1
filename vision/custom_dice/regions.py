"""Decide in which regions of the baize to look for dice of a taught set."""

import numpy as np

from vision.field.view import Box, box_of_mm
from vision.foreground.background import components, widened
from vision.foreground.survey import Survey
from vision.libraries import cv2

_HAIR_MM, _LINE_MM, _LONG_MM = 2, 5, 25  # no pip is as thin as the first, no die as thin and as long as the others
_SPECK_MM2 = 3
_WASTE = 1.5  # the union of two boxes is at most this much larger than both
_JOINED_MM = 4  # parts nearer to each other than twice this belong together
_AROUND_MM, _LEAST_HALF_MM = 5.0, 14.0  # margin of a box, and least half side, so that it holds a whole die


def find_regions(seen: Survey) -> list[Box]:
    """Return the boxes in view pixels in which dice may be; no two of them overlap."""
    mask = np.asarray((seen.foreground.all | seen.seeds) & (1 - seen.unoccluded_markers), np.uint8)
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
