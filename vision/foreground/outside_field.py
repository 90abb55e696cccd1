"""Notices what may be dice outside the field, on the wall's rim or on the table: they may belong to the throw."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture import cv2, least_colour
from vision.field import MARGIN_MM, PX_PER_MM, Box, Places, View, paper_quad
from vision.foreground.background import Grey, Mask, outlined_parts, usual_maximum
from vision.foreground.segment import ABOVE_WEAVE, CELL_MM, merge_overlapping

# Only what is as small and compact as a pip, and strong, says that a die may lie there.
_WINDOW_MM, _LEVELS = 5.0, 36.0
_PIP_MM2, _ASPECT = (1.5, 60.0), 3.6  # the three pips of a row of a 6 may be seen as one
_PAIR_MM = 17.0  # two pips of a die are no farther from each other
_INNER_MM = 3.0  # so far within its edges the field is looked at in another way
_HALF_MM = 20.0  # what is cut out about a spot: a pip of a large die may be all that stands out
_THIN_MM = 8.0  # of the marks in a cell of this side one is enough to say where to look
_CROWD = 5  # so many within that reach are hardly wood
_LEAST = 2  # one alone may be a knot in the wood, and the throw then counts too few dice
_MOST = 4  # places that are looked at; where wood and print look like pips all over, dice do not stand out


@dataclass(frozen=True, slots=True, eq=False)
class OutsideMarks:
    """The places beside the field where dice may lie, in view pixels: worth a closer look, no more.

    `boxes` overlap nowhere; `crowds` (n, 2) are the middles of marks with so many others about them that a die is
    likely, whether its pips can be told or not.
    """

    boxes: list[Box]
    crowds: Places


def look_outside_field(view: View) -> OutsideMarks:
    """Look for marks beside the field that may be pips, in the small picture: wood and table are mostly plain."""
    small = view.small
    kinds = _find_marks((small.grey, least_colour(small.padded)), _outside(view), small.px_per_mm)
    found = np.concatenate(kinds)
    near = np.concatenate([_count_near(kind[:, :2], _PAIR_MM * small.px_per_mm) for kind in kinds])
    in_mm = view.field.at_mm(small.original(found[:, :2]), view.height_mm)
    marks = np.asarray((in_mm + MARGIN_MM) * PX_PER_MM, np.float64)
    strongest = np.argsort(-found[:, 2], kind="stable")
    marks, near = marks[strongest], near[strongest]
    places = marks[near >= _LEAST]
    boxes = merge_overlapping([_box_about(place) for place in _one_a_cell(places)])
    inside = [places[((places > box[:2]) & (places < box[2:])).all(axis=1)] for box in boxes]
    best = sorted(range(len(boxes)), key=lambda index: -len(inside[index]))[:_MOST]
    return OutsideMarks([boxes[index] for index in best], marks[near >= _CROWD])


def _box_about(place: Places) -> Box:
    """The box about a mark (2) that is cut out to be read: a whole die is in it."""
    x, y, half = float(place[0]), float(place[1]), _HALF_MM * PX_PER_MM
    return x - half, y - half, x + half, y + half


def _count_near(at: Places, reach: float) -> NDArray[np.int64]:
    """How many of the places (n, 2) lie within `reach` of each, itself counted: coarse wood has over a thousand."""
    x, y = at.astype(np.float32).T
    across, down = x - x[:, None], y - y[:, None]
    return np.asarray(np.count_nonzero(across * across + down * down < np.float32(reach * reach), axis=1), np.int64)


def _one_a_cell(places: Places) -> Places:
    _, first = np.unique(np.floor(places / (_THIN_MM * PX_PER_MM)), axis=0, return_index=True)
    return places[first]


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


def _find_marks(greys: Sequence[Grey], where: Mask, px_per_mm: float) -> tuple[Places, Places]:
    """The middles and levels (n, 3) of what may be dark pips, and light ones: as small and compact, in either grey
    picture.
    """
    window = round(_WINDOW_MM * px_per_mm) | 1
    kernel = np.ones((window, window), np.uint8)
    dark, light = (
        np.asarray(cv2.max(*(cv2.morphologyEx(grey, way, kernel) for grey in greys)), np.uint8)
        for way in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT)
    )
    return _compact_ones(dark, where, px_per_mm), _compact_ones(light, where, px_per_mm)


def _compact_ones(off: Grey, where: Mask, px_per_mm: float) -> Places:
    """The middles of what stands out (levels (h, w)) and is as small and compact as a pip, and by how much: (n, 3)."""
    least = max(_LEVELS, ABOVE_WEAVE * usual_maximum(off, where, round(CELL_MM * px_per_mm)))
    _, mask = cv2.threshold(off, least, 1, cv2.THRESH_BINARY)
    marked = np.asarray(cv2.bitwise_and(mask, where), np.uint8)
    x, y, width, height, area = outlined_parts(marked, _PIP_MM2[0] * px_per_mm**2).T
    mm2 = area / px_per_mm**2
    compact = (_PIP_MM2[0] < mm2) & (mm2 < _PIP_MM2[1]) & (width < _ASPECT * height) & (height < _ASPECT * width)
    middle = np.column_stack((x + (width - 1) / 2, y + (height - 1) / 2))[compact]
    column, row = middle.astype(np.int64).T
    return np.asarray(np.column_stack((middle, off[row, column])), np.float64)
