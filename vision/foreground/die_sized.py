"""Finds what is as large as a die and stands out from what is about it, where no field tells cloth from the rest.

In a photograph without markers this is what explains the rest: wherever something stands out there may be a die whose
pips are too faint, alone, at a wall or touching one that was read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.foreground.background import components
from vision.libraries import cv2

_EDGE_PX = 12  # the edge of a die in the small picture that is looked at: sides and shadows do not matter there
_ABOUT = 5  # what is about a place is the median of a square of so many edges: more of it is table than dice
_STANDS_OUT, _ABOVE_USUAL = 22.0, 6.0  # in grey levels of any colour, and against the usual of the picture
_PLAIN = 8.0  # a table that varies by less than these levels has nothing of a die's size on it but things
_SIDES, _FILLS = (0.5, 2.2), 0.3  # the sides of its box in edges, and the least part of an edge's square that it fills
_TOGETHER = 2.0  # on a plain table a thing may be so many times larger: two dice that touch
_OWN = 1.7  # a die's face so many times larger holds its sides and shadow, and little of a die beside it
_APART = 0.4  # edges from the middle of a die within which nothing else has its own
_BODY = 1.2  # edges from the middle of a face within which the die's sides and shadow are
_STEP, _MOST_PLACES = 3, 400  # pixels of the small picture from place to place, a quarter of an edge; so many at most
# The sides of what the border leaves of a die in the picture, with its shadow, in edges, and the least part of an
# edge's square that it fills: a sliver of a box or a ruler fills less.
_CUT_SIDES, _CUT_FILLS = (0.25, 1.8), 0.16


@dataclass(frozen=True, slots=True, eq=False)
class CutThing:
    """What is seen of a thing that the border of the picture cuts: its middle (2) in pixels, and its colours (n, 3)."""

    at: NDArray[np.float64]
    colours: NDArray[np.uint8]

    def shows(self, colour: NDArray[np.float64], within: float) -> float:
        """The part of it, 0..1, that differs from a colour (3) by less than so many levels."""
        return float((np.abs(self.colours - colour).max(axis=1) < within).mean())


@dataclass(frozen=True, slots=True, eq=False)
class DieSized:
    """The middles (n, 2) of the things of a die's size, in pixels; `on_plain`: the table about them is plain.

    `anywhere` (n, 2): places all over what stands out, of any size, but for the middles of the dice that were read;
    `cut`: what the border cuts through and may be a die for its size; `bodies` (m, 2): of each of the dice where the
    middle of all that stands out about it lies from that of its face, in edges.
    """

    at: NDArray[np.float64]
    on_plain: bool
    anywhere: NDArray[np.float64]
    cut: tuple[CutThing, ...]
    bodies: NDArray[np.float64]


def find_die_sized(pixels: Pixels, edge_px: float, dice: Sequence[NDArray[np.float64]]) -> DieSized:
    """Find the things in a picture (h, w, 3) as large as dice of this edge, without the dice whose top faces have
    these corners (4, 2) each.

    What the border cuts through is told by itself: how large it is cannot be said.
    """
    scale = _EDGE_PX / edge_px
    small = np.asarray(cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    off = _off_surroundings(small)
    usual = float(np.median(off))
    mask = np.asarray(off > max(_STANDS_OUT, _ABOVE_USUAL * usual), np.uint8)
    bodies = _bodies(mask, scale, dice)
    for way in (cv2.MORPH_CLOSE, cv2.MORPH_OPEN):
        mask = np.asarray(cv2.morphologyEx(mask, way, np.ones((3, 3), np.uint8)), np.uint8)
    anywhere = (_spread(_off_dice(mask, scale, dice)) + 0.5) / scale - 0.5
    for corners in dice:
        middle = corners.mean(axis=0)
        own = (middle + _OWN * (corners - middle)) * scale
        cv2.fillConvexPoly(mask, np.round(own).astype(np.int32), 0)
    _, labels, table, middles = components(mask)
    plain = usual < _PLAIN
    middles = (middles + 0.5) / scale - 0.5
    whole = _are_whole(table, mask.shape)
    keep = whole & _are_die_sized(table, _SIDES[1] * (_TOGETHER if plain else 1))
    cut = np.flatnonzero(~whole & _are_sized(table, *_CUT_SIDES, _CUT_FILLS))
    cuts = tuple(CutThing(middles[label], small[labels == label]) for label in cut)
    return DieSized(middles[keep], plain, anywhere, cuts, bodies)


def _bodies(mask: NDArray[np.uint8], scale: float, dice: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Where the middle of what is nearer to each die than to any other lies from the middle of its face, in edges; 0
    where nothing stands out. Its sides and its shadow are seen there.
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


def _off_dice(mask: NDArray[np.uint8], scale: float, dice: Sequence[NDArray[np.float64]]) -> NDArray[np.uint8]:
    """What of a mask may be the middle of another die beside these."""
    rest = mask.copy()
    for corners in dice:
        column, row = ((corners.mean(axis=0) + 0.5) * scale - 0.5).round().astype(int).tolist()
        cv2.circle(rest, (column, row), round(_APART * scale * float(np.linalg.norm(corners[0] - corners[1]))), 0, -1)
    return rest


def _spread(mask: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Places (n, 2) all over a mask, in its pixels: of a die one lies near the middle, unless there are very many."""
    for step in count(_STEP):
        rows, columns = np.nonzero(mask[::step, ::step])
        if len(rows) <= _MOST_PLACES:
            break
    return np.asarray(np.column_stack((columns, rows)) * float(step), np.float64)


def _off_surroundings(small: Pixels) -> NDArray[np.uint8]:
    """How far each pixel is from the usual colour about it, in levels of the channel that differs most."""
    about = cv2.medianBlur(small, _ABOUT * _EDGE_PX | 1)
    return np.asarray(cv2.absdiff(small, about).max(axis=2), np.uint8)


def _are_whole(table: NDArray[np.int32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """True for each thing that no border cuts."""
    x, y, width, height, _ = table.T
    return np.asarray((x > 0) & (y > 0) & (x + width < shape[1]) & (y + height < shape[0]), np.bool_)


def _are_die_sized(table: NDArray[np.int32], most_edges: float) -> NDArray[np.bool_]:
    return _are_sized(table, _SIDES[0], most_edges, _FILLS)


def _are_sized(table: NDArray[np.int32], least_edges: float, most_edges: float, fills: float) -> NDArray[np.bool_]:
    """True for each thing with sides between these, in edges, that fills so much of an edge's square; never for the
    background, the first one.
    """
    sides = table[:, 2:4]
    keep = (sides.min(axis=1) >= least_edges * _EDGE_PX) & (sides.max(axis=1) <= most_edges * _EDGE_PX)
    keep &= table[:, 4] >= fills * _EDGE_PX**2
    keep[0] = False
    return np.asarray(keep, np.bool_)
