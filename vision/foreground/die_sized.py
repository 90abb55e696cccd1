"""Find things as large as a die that stand out from their surroundings, where no field separates cloth from the rest.

In a photograph without markers anything that stands out may be a die whose pips are too faint: alone, at a wall, or
touching one that was read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.foreground.background import components
from vision.libraries import cv2

_EDGE_PX = 12  # the edge of a die in the small picture that is searched: sides and shadows do not matter there
_ABOUT = 5  # surroundings are the median of a square of this many edges: more of it is table than dice
_STANDS_OUT, _ABOVE_USUAL = 22.0, 6.0  # in grey levels of any colour, and as a multiple of the usual in the picture
_PLAIN = 8.0  # on a table that varies less than this, anything of a die's size is a thing
_SIDES, _FILLS = (0.5, 2.2), 0.3  # sides of its box in edges; least part of an edge's square that it fills
_TOGETHER = 2.0  # on a plain table a thing may be larger by this factor: two dice that touch
_OWN = 1.7  # a die's face enlarged by this holds its sides and shadow, and little of a die beside it
_APART = 0.4  # edges from the middle of a die within which no other die has its middle
_BODY = 1.2  # edges from the middle of a face within which the die's sides and shadow lie
_STEP, _MOST_PLACES = 3, 400  # pixels of the small picture between places, a quarter of an edge; most places
# The sides of the part of a die and its shadow that the border leaves in the picture, in edges, and the least part of
# an edge's square that it fills: a sliver of a box or a ruler fills less.
_CUT_SIDES, _CUT_FILLS = (0.25, 1.8), 0.16


@dataclass(frozen=True, slots=True, eq=False)
class CutThing:
    """The visible part of a thing that the border of the picture cuts: its middle (2) in pixels, and its colours (n,
    3).
    """

    at: NDArray[np.float64]
    colours: NDArray[np.uint8]

    def shows(self, colour: NDArray[np.float64], within: float) -> float:
        """Return the part (0..1) of it that differs from a colour (3) by less than `within` levels."""
        return float((np.abs(self.colours - colour).max(axis=1) < within).mean())


@dataclass(frozen=True, slots=True, eq=False)
class DieSized:
    """Things of a die's size, and what else stands out; all places in pixels of the picture.

    `at` (n, 2): the middles of the things; `on_plain`: the table around them is plain; `anywhere` (n, 2): places all
    over everything that stands out, of any size, except the middles of the dice that were read; `cut`: things that the
    border cuts and that may be dice by their size; `bodies` (m, 2): for each of the dice, the offset from the middle of
    its face to the middle of everything that stands out around it, in edges.
    """

    at: NDArray[np.float64]
    on_plain: bool
    anywhere: NDArray[np.float64]
    cut: tuple[CutThing, ...]
    bodies: NDArray[np.float64]


def find_die_sized(pixels: Pixels, edge_px: float, dice: Sequence[NDArray[np.float64]]) -> DieSized:
    """Find the things in a picture (h, w, 3) as large as dice of this edge, without the dice whose top faces have these
    corners (4, 2) each.

    Things that the border cuts are returned separately, because their size is unknown.
    """
    scale = _EDGE_PX / edge_px
    small = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    # How far each pixel is from the usual colour around it, in levels of the channel that differs most.
    off = np.asarray(cv2.absdiff(small, cv2.medianBlur(small, _ABOUT * _EDGE_PX | 1)).max(axis=2), np.uint8)
    usual = float(np.median(off))
    mask = np.asarray(off > max(_STANDS_OUT, _ABOVE_USUAL * usual), np.uint8)
    bodies = _bodies(mask, scale, dice)
    for way in (cv2.MORPH_CLOSE, cv2.MORPH_OPEN):
        mask = np.asarray(cv2.morphologyEx(mask, way, np.ones((3, 3), np.uint8)), np.uint8)
    anywhere = (_places_off_dice(mask, scale, dice) + 0.5) / scale - 0.5
    for corners in dice:
        middle = corners.mean(axis=0)
        own = (middle + _OWN * (corners - middle)) * scale
        cv2.fillConvexPoly(mask, np.round(own).astype(np.int32), 0)
    _, labels, table, middles = components(mask)
    plain = usual < _PLAIN
    middles = (middles + 0.5) / scale - 0.5
    x, y, width, height, _ = table.T
    whole = (x > 0) & (y > 0) & (x + width < mask.shape[1]) & (y + height < mask.shape[0])
    keep = whole & _are_sized(table, _SIDES[0], _SIDES[1] * (_TOGETHER if plain else 1), _FILLS)
    cut = np.flatnonzero(~whole & _are_sized(table, *_CUT_SIDES, _CUT_FILLS))
    cuts = tuple(CutThing(middles[label], small[labels == label]) for label in cut)
    return DieSized(middles[keep], plain, anywhere, cuts, bodies)


def _bodies(mask: NDArray[np.uint8], scale: float, dice: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the offsets from the middle of each die's face to the middle of everything nearer to it than to any other
    die, in edges; 0 where nothing stands out. A die's sides and shadow are seen there.
    """
    rows, columns = np.nonzero(mask)
    places = (np.column_stack((columns, rows)) + 0.5) / scale - 0.5
    middles = np.array([corners.mean(axis=0) for corners in dice]).reshape(-1, 2)
    edges = np.array([float(np.linalg.norm(corners[0] - corners[1])) for corners in dice])
    off = (places[:, None] - middles) / edges[:, None]
    away = np.linalg.norm(off, axis=2)
    nearest = away.argmin(axis=1) if len(dice) else np.zeros(0, int)
    found = np.zeros_like(middles)
    for die in range(len(dice)):
        own = off[(nearest == die) & (away[:, die] < _BODY), die]
        found[die] = own.mean(axis=0) if len(own) else 0.0
    return found


def _places_off_dice(mask: NDArray[np.uint8], scale: float, dice: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return places (n, 2) all over a mask, in its pixels, except the middles of these dice.

    One of them lies near the middle of every die, unless the mask is very large.
    """
    rest = mask.copy()
    for corners in dice:
        column, row = ((corners.mean(axis=0) + 0.5) * scale - 0.5).round().astype(int).tolist()
        cv2.circle(rest, (column, row), round(_APART * scale * float(np.linalg.norm(corners[0] - corners[1]))), 0, -1)
    for step in count(_STEP):
        rows, columns = np.nonzero(rest[::step, ::step])
        if len(rows) <= _MOST_PLACES:
            break
    return np.asarray(np.column_stack((columns, rows)) * float(step), np.float64)


def _are_sized(table: NDArray[np.int32], least_edges: float, most_edges: float, fills: float) -> NDArray[np.bool_]:
    """Return which things have sides within these limits, in edges, and fill this part of an edge's square; never the
    background, which comes first.
    """
    sides = table[:, 2:4]
    keep = (sides.min(axis=1) >= least_edges * _EDGE_PX) & (sides.max(axis=1) <= most_edges * _EDGE_PX)
    keep &= table[:, 4] >= fills * _EDGE_PX**2
    keep[0] = False
    return np.asarray(keep, np.bool_)
