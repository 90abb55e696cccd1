"""Reads one piece of the view: its spots, the faces they make, and what the markers in it explain."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face import FaceFit
from vision.judged import SURE, Judge
from vision.lattice import Candidate
from vision.markers import marker_shows
from vision.overlook import Overview
from vision.pips import Spots
from vision.search import Edges, Look, all_faces_of, faces_of, spots_in
from vision.view import PX_PER_MM, Box, Part, Places, View

_EDGES_MM = (11.0, 21.5)  # dice of 12 to 20 mm, and how far measuring may be off
_SAME_MIDDLE_PX = 1.5  # middles as near as this show the network the same
_PAPER = 1.5  # edge of a marker's paper in edges of the marker

EDGES: Edges = (_EDGES_MM[0] * PX_PER_MM, _EDGES_MM[1] * PX_PER_MM)

Finder = Callable[[Part, Spots], Iterable[FaceFit]]
"""Finds the faces that spots of a piece make."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """What one piece of the view shows; `beside` are the spots that no marker explains."""

    faces: tuple[FaceFit, ...]
    spots: Spots
    beside: Spots


def read_piece(view: View, over: Overview, box: Box, faces_in: Finder, look: Look) -> Piece:
    """Read what one box of the view shows; what a bare marker explains is no spot of a die."""
    part = view.part(box)
    spots = spots_in(part.pixels, EDGES, look)
    corner = np.array([part.left, part.top], np.float64)
    free = np.ones(len(spots), bool)
    beside = free.copy()
    for quad in over.bare:
        if _meets(with_rim(quad), box):
            free &= ~within(spots.at, quad - corner)
            beside &= ~within(spots.at, with_rim(quad) - corner)
    beside &= free
    for number, quad in over.covered.items():
        if _meets(quad, box):
            shows, whole = marker_shows(part.pixels, number, quad - corner, spots.at)
            beside &= ~shows
            if whole:
                free &= ~within(spots.at, quad - corner)
    faces = faces_in(part, spots.only(free))
    moved = tuple(face.moved(corner) for face in faces)
    here = spots.moved(part.left, part.top)
    return Piece(moved, here.only(free), here.only(beside & free))


def plain_faces(part: Part, spots: Spots) -> Iterable[FaceFit]:
    """The faces that pass the firm demands."""
    return faces_of(part.pixels, spots, EDGES)


def likely_faces(view: View, judge: Judge) -> Finder:
    """Looks by the milder demands where the network is sure of the value that the spots suggest."""

    def faces_in(part: Part, spots: Spots) -> Iterable[FaceFit]:
        def worth(tries: list[Candidate]) -> list[Candidate]:
            # Many suggestions have next to the same middle: one judgement serves them all.
            middles = np.array([attempt.middle for attempt in tries]).reshape(-1, 2)
            places, which = np.unique(np.round(middles / _SAME_MIDDLE_PX), axis=0, return_inverse=True)
            at = places * _SAME_MIDDLE_PX + (part.left, part.top)
            chances = judge(view.crops(at), view.slopes(at))[which.ravel()]
            return [attempt for attempt, row in zip(tries, chances, strict=True) if row[attempt.value] >= SURE]

        return all_faces_of(part.pixels, spots, EDGES, worth)

    return faces_in


def within(at: Places, quad: Places) -> NDArray[np.bool_]:
    """Which places (n, 2) lie within an outline."""
    outline = np.asarray(quad, np.float32)
    return np.array([cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in at], bool)


def with_rim(quad: Places) -> Places:
    """A marker's outline with the white paper about it, whose corners look like spots."""
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * _PAPER, np.float64)


def _meets(quad: Places, box: Box) -> bool:
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool(low[0] < box[2] and box[0] < high[0] and low[1] < box[3] and box[1] < high[1])
