"""Reads one piece of the view: its spots, the faces they make, and what the markers in it explain."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field import PX_PER_MM, Box, Part, Places, View, marker_shows, with_paper
from vision.foreground import Overview
from vision.network import SURE, Judge
from vision.pips import Candidate, Edges, FaceFit, Look, Spots, all_faces_of, faces_of, spots_in

_EDGES_MM = (11.0, 21.5)  # dice of 12 to 20 mm, and how far measuring may be off
_SAME_MIDDLE_PX = 1.5  # middles as near as this show the network the same

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
        if _meets(with_paper(quad), box):
            free &= ~within(spots.at, quad - corner)
            beside &= ~within(spots.at, with_paper(quad) - corner)
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


def likely_faces(view: View, judge: Judge, part: Part, spots: Spots) -> Iterable[FaceFit]:
    """The faces that pass the milder demands where the network is sure of the value that the spots suggest."""
    return all_faces_of(part.pixels, spots, EDGES, partial(_likely, view, judge, part))


def _likely(view: View, judge: Judge, part: Part, tries: list[Candidate]) -> list[Candidate]:
    """The suggestions of whose value the network is sure."""
    # Many suggestions have next to the same middle: one judgement serves them all.
    middles = np.array([attempt.middle for attempt in tries]).reshape(-1, 2)
    places, which = np.unique(np.round(middles / _SAME_MIDDLE_PX), axis=0, return_inverse=True)
    at = places * _SAME_MIDDLE_PX + (part.left, part.top)
    chances = judge(view.crops(at), view.slopes(at))[which.ravel()]
    return [attempt for attempt, row in zip(tries, chances, strict=True) if row[attempt.value] >= SURE]


def on_markers(view: View, over: Overview, places: Places) -> NDArray[np.bool_]:
    """Which places (n, 2) show a marker or its paper, and not what lies upon it."""
    shows = np.zeros(len(places), bool)
    for quad in over.bare:
        shows |= within(places, with_paper(quad))
    for number, quad in over.covered.items():
        paper = with_paper(quad)
        near = within(places, paper)
        if near.any():
            part = view.part((*paper.min(axis=0), *paper.max(axis=0)))
            corner = np.array([part.left, part.top])
            shows[near] |= marker_shows(part.pixels, number, quad - corner, places[near] - corner)[0]
    return shows


def within(at: Places, quad: Places) -> NDArray[np.bool_]:
    """Which places (n, 2) lie within an outline."""
    outline = np.asarray(quad, np.float32)
    return np.array([cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in at], bool)


def _meets(quad: Places, box: Box) -> bool:
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool(low[0] < box[2] and box[0] < high[0] and low[1] < box[3] and box[1] < high[1])
