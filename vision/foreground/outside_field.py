"""Notices what may be dice outside the field, on the wall's rim or on the table: they may belong to the throw."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field import MARGIN_MM, PX_PER_MM, Box, Places, View, paper_quad
from vision.foreground.background import Grey, Mask
from vision.foreground.segment import merge_overlapping
from vision.reading import Point

# Only what is as small and compact as a pip, and strong, says that a die may lie there.
_WINDOW_MM, _LEVELS = 5.0, 36.0
_PIP_MM2, _ASPECT = (1.5, 60.0), 3.6  # the three pips of a row of a 6 may be seen as one
_PAIR_MM = 17.0  # two pips of a die are no farther from each other
_INNER_MM = 3.0  # so far within its edges the field is looked at in another way
_HALF_MM = 20.0  # what is cut out about a spot: a pip of a large die may be all that stands out
_CROWD = 5  # so many within that reach are hardly wood
_LEAST = 2  # one alone may be a knot in the wood, and the throw then counts too few dice
_MOST = 4  # places that are looked at; where wood and print look like pips all over, dice do not stand out


@dataclass(frozen=True, slots=True, eq=False)
class OutsideMarks:
    """The places beside the field where dice may lie, in view pixels: worth a closer look, no more.

    `boxes` overlap nowhere; `crowds` (n, 2) are the middles of marks with so many others about them that a die is
    likely, whether its pips can be told or not; `alone` (n, 2) those of some lone ones, as the pip of a 1 may be.
    """

    boxes: list[Box]
    crowds: Places
    alone: Places


def look_outside_field(view: View) -> OutsideMarks:
    """Look for marks beside the field that may be pips, in the small picture: wood and table are mostly plain."""
    small = view.small
    at = _find_marks(small.grey, _outside(view), small.px_per_mm)
    near = _count_near(at, _PAIR_MM * small.px_per_mm)
    if len(at) == 0:
        return OutsideMarks([], at, at)
    marks = np.asarray((view.field.at_mm(small.original(at), view.height_mm) + MARGIN_MM) * PX_PER_MM, np.float64)
    places, alone = marks[near >= _LEAST], marks[near < _LEAST][:_MOST]
    boxes = merge_overlapping([box_about(place) for place in places])
    counts = [int(((places > box[:2]) & (places < box[2:])).all(axis=1).sum()) for box in boxes]
    best = np.argsort(-np.array(counts, int), kind="stable")[:_MOST]
    return OutsideMarks([boxes[int(index)] for index in best], marks[near >= _CROWD], alone)


def box_about(place: Places) -> Box:
    """The box about a mark (2) that is cut out to be read: a whole die is in it."""
    x, y, half = float(place[0]), float(place[1]), _HALF_MM * PX_PER_MM
    return x - half, y - half, x + half, y + half


def _count_near(at: Places, reach: float) -> NDArray[np.int64]:
    """How many of the places (n, 2) lie within `reach` of each, itself counted: coarse wood has over a thousand."""
    x, y = at.astype(np.float32).T
    across, down = x - x[:, None], y - y[:, None]
    return np.asarray(np.count_nonzero(across * across + down * down < np.float32(reach * reach), axis=1), np.int64)


def _outside(view: View) -> Mask:
    """1 where the small picture shows neither the field nor a marker with its paper."""
    field = view.field
    left, far = _INNER_MM, _INNER_MM
    right, near = field.width_mm - _INNER_MM, field.depth_mm - _INNER_MM
    corners = view.small.place(field.at_px(np.array([[left, far], [right, far], [right, near], [left, near]])))
    outside = np.ones(view.small.grey.shape, np.uint8)
    cv2.fillConvexPoly(outside, np.round(corners).astype(np.int32), 0)
    for quad in view.marker_quads().values():
        paper = view.small.place(view.at_px(view.at_mm(paper_quad(quad))))
        cv2.fillConvexPoly(outside, np.round(paper).astype(np.int32), 0)
    return outside


def _find_marks(grey: Grey, where: Mask, px_per_mm: float) -> Places:
    """The middles (n, 2) of what may be pips."""
    window = round(_WINDOW_MM * px_per_mm) | 1
    kernel = np.ones((window, window), np.uint8)
    found: list[Point] = []
    for way in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        _, mask = cv2.threshold(cv2.morphologyEx(grey, way, kernel), _LEVELS, 1, cv2.THRESH_BINARY)
        contours, tree = cv2.findContours(cv2.bitwise_and(mask, where), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        # A contour with a parent is a hole; what lies in the hole has none.
        outlines = [np.asarray(each, np.int32) for index, each in enumerate(contours) if tree[0, index, 3] < 0]
        found += [_middle(outline) for outline in outlines if _is_compact(outline, px_per_mm)]
    return np.array(found, np.float64).reshape(-1, 2)


def _is_compact(outline: NDArray[np.int32], px_per_mm: float) -> bool:
    """True when a spot is as small and compact as a pip."""
    # A contour runs through pixel middles: half a pixel of rim is missing all round.
    area = (cv2.contourArea(outline) + len(outline) / 2 + 1) / px_per_mm**2
    _, _, width, height = cv2.boundingRect(outline)
    return _PIP_MM2[0] < area < _PIP_MM2[1] and width < _ASPECT * height and height < _ASPECT * width


def _middle(outline: NDArray[np.int32]) -> Point:
    x, y, width, height = cv2.boundingRect(outline)
    return x + (width - 1) / 2, y + (height - 1) / 2
