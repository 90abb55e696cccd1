"""Finds what is as large as a die and stands out from what is about it, where no field tells cloth from the rest.

In a photograph without markers this is what explains the rest: a thing of a die's size that was not read as one may be
a die whose pips are too faint.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture import Pixels, cv2
from vision.foreground.background import components

_EDGE_PX = 12  # the edge of a die in the small picture that is looked at: sides and shadows do not matter there
_ABOUT = 5  # what is about a place is the median of a square of so many edges: more of it is table than dice
_STANDS_OUT, _ABOVE_USUAL = 22.0, 6.0  # in grey levels of any colour, and against the usual of the picture
_PLAIN = 8.0  # a table that varies by less than these levels has nothing of a die's size on it but things
_SIDES, _FILLS = (0.5, 2.2), 0.3  # the sides of its box in edges, and the least part of an edge's square that it fills
_TOGETHER = 2.0  # on a plain table a thing may be so many times larger: two dice that touch
_OWN = 1.7  # a die's face so many times larger holds its sides and shadow, and little of a die beside it
_CUT_SIDES = (0.25, 1.8)  # the sides of what the border leaves of a die in the picture, with its shadow, in edges


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

    cut: what the border cuts through and may be a die for its size.
    """

    at: NDArray[np.float64]
    on_plain: bool
    cut: tuple[CutThing, ...]


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
    for way in (cv2.MORPH_CLOSE, cv2.MORPH_OPEN):
        mask = np.asarray(cv2.morphologyEx(mask, way, np.ones((3, 3), np.uint8)), np.uint8)
    for corners in dice:
        middle = corners.mean(axis=0)
        own = (middle + _OWN * (corners - middle)) * scale
        cv2.fillConvexPoly(mask, np.round(own).astype(np.int32), 0)
    _, labels, table, middles = components(mask)
    plain = usual < _PLAIN
    middles = (middles + 0.5) / scale - 0.5
    whole = _are_whole(table, mask.shape)
    keep = whole & _are_die_sized(table, _SIDES[1] * (_TOGETHER if plain else 1))
    cut = np.flatnonzero(~whole & _are_sized(table, *_CUT_SIDES))
    return DieSized(middles[keep], plain, tuple(CutThing(middles[label], small[labels == label]) for label in cut))


def _off_surroundings(small: Pixels) -> NDArray[np.uint8]:
    """How far each pixel is from the usual colour about it, in levels of the channel that differs most."""
    about = cv2.medianBlur(small, _ABOUT * _EDGE_PX | 1)
    return np.asarray(cv2.absdiff(small, about).max(axis=2), np.uint8)


def _are_whole(table: NDArray[np.int32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """True for each thing that no border cuts."""
    x, y, width, height, _ = table.T
    return np.asarray((x > 0) & (y > 0) & (x + width < shape[1]) & (y + height < shape[0]), np.bool_)


def _are_die_sized(table: NDArray[np.int32], most_edges: float) -> NDArray[np.bool_]:
    return _are_sized(table, _SIDES[0], most_edges) & (table[:, 4] >= _FILLS * _EDGE_PX**2)


def _are_sized(table: NDArray[np.int32], least_edges: float, most_edges: float) -> NDArray[np.bool_]:
    """True for each thing with sides between these, in edges; never for the background, the first one."""
    sides = table[:, 2:4]
    keep = (sides.min(axis=1) >= least_edges * _EDGE_PX) & (sides.max(axis=1) <= most_edges * _EDGE_PX)
    keep[0] = False
    return np.asarray(keep, np.bool_)
