"""Read one region of the view: its spots, which of them a marker explains, and the faces that the others make."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Flags, Places, Real
from vision.field.markers import marker_shows
from vision.field.view import AROUND_MM, PX_PER_MM, Box, Cutout, View, look_around, paper_quad
from vision.foreground.survey import Overview
from vision.libraries import cv2
from vision.network.classified import SURE, TILTED, Chances, FaceClassifier
from vision.network.dice_map import DiceMapper, MappedDice
from vision.pips.face_candidates import Candidate
from vision.pips.face_check import FaceFit
from vision.pips.search import Edges, SpotThresholds, find_all_faces, find_faces, find_pip_spots
from vision.pips.spots import Spots

_REACH = 6.0 * PX_PER_MM  # the middle of a die may lie this far from its place on the map


@dataclass(frozen=True, slots=True, eq=False)
class Asker:
    """Asks the network about places of a view, and knows from the map, in view pixels, where no die can lie.

    Mapping the whole field takes as long as forty questions.
    """

    view: View
    classify: FaceClassifier
    mapped: MappedDice

    def __call__(self, places: Places) -> Chances:
        """Return the chances (n, 8) at places (n, 2), as a `FaceClassifier` gives them."""
        return self.classify(self.view.crops(places), self.view.slopes(places))

    def where_possible(self, places: Places) -> Chances:
        """Return the same; places that the map rules out get the class of no die without a question."""
        asked = self.are_possible(places)
        chances = np.zeros((len(places), TILTED + 1), np.float32)
        chances[:, 0] = 1.0
        chances[asked] = self(places[asked])
        return chances

    def are_possible(self, places: Places) -> Flags:
        """Return for each place (n, 2) whether the map allows a die near it."""
        away = np.linalg.norm(places[:, None] - self.mapped.possible, axis=2)
        return np.asarray(away.min(axis=1, initial=np.inf) < _REACH, np.bool_)


def asker_of(view: View, classify: FaceClassifier, mapper: DiceMapper) -> Asker:
    """Map the view, to ask about it."""
    mapped = mapper(look_around(view))
    places, possible = (view.over_baize(there - AROUND_MM) for there in (mapped.places, mapped.possible))
    return Asker(view, classify, MappedDice(places, mapped.chances, possible))


_EDGES_MM = (11.0, 21.5)  # dice of 12 to 20 mm, with the error of measurement
_BESIDE_MM = 8.0  # the top of a die at the wall is seen this far outside the baize
_AT_WALL = 0.25  # the middle of a die on the baize is farther than this from its edge, in edges of the die
_EDGE_MM = 3.0  # places farther inside are on the baize alone
_SAME_MIDDLE_PX = 1.5  # the network sees the same at middles this near

EDGES: Edges = (_EDGES_MM[0] * PX_PER_MM, _EDGES_MM[1] * PX_PER_MM)

FaceFinder = Callable[[Cutout, Spots], Iterable[FaceFit]]
"""Finds the faces that the spots of a region make."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The content of one region of the view, in view pixels."""

    faces: tuple[FaceFit, ...]
    spots: Spots  # may be pips, also on an occluded marker, for a die may lie on it
    beside: Spots  # explained by no marker or paper: strong ones that belong to no die suggest another die


def read_region(view: View, over: Overview, box: Box, faces_in: FaceFinder, look: SpotThresholds) -> Region:
    """Read one box of the view; what an unoccluded marker explains is not a spot of a die."""
    part = view.cut_out(box)
    spots = find_pip_spots(part.pixels, EDGES, look)
    corner = np.array([part.left, part.top], np.float64)
    free = np.ones(len(spots), bool)
    beside = free.copy()
    for quad, paper in zip(over.unoccluded_markers, over.papers, strict=True):
        if _meets(paper, box):
            free &= ~within(spots.at, quad - corner)
            beside &= ~within(spots.at, paper - corner)
    beside &= free
    printed = np.zeros(len(spots), bool)
    for number, quad in over.occluded_markers.items():
        if _meets(quad, box):
            shows, whole = _see_marker(view, number, quad, spots.at + corner)
            printed |= shows
            if whole:
                free &= ~within(spots.at, quad - corner)
    beside &= ~printed
    # No die covers the visible part of a marker, but two of its squares in half a shadow may look like a 2.
    faces = [face for face in faces_in(part, spots.only(free)) if not printed[free][list(face.spots)].any()]
    moved = tuple(face.moved(corner) for face in faces)
    here = spots.moved(part.left, part.top)
    return Region(moved, here.only(free), here.only(beside & free))


def find_firm_faces(part: Cutout, spots: Spots) -> Iterable[FaceFit]:
    """Return the faces that pass the firm demands."""
    return find_faces(part.pixels, spots, EDGES)


def find_likely_faces(ask: Asker, part: Cutout, spots: Spots) -> Iterable[FaceFit]:
    """Return the faces that pass the milder demands where the network is sure of the value that the spots suggest."""

    def sure(tries: list[Candidate]) -> list[Candidate]:
        # Many candidates have nearly the same middle: one question is enough for all of them.
        middles = np.array([attempt.middle for attempt in tries]).reshape(-1, 2)
        places, which = np.unique(np.round(middles / _SAME_MIDDLE_PX), axis=0, return_inverse=True)
        chances = ask.where_possible(places * _SAME_MIDDLE_PX + (part.left, part.top))[which.ravel()]
        return [attempt for attempt, row in zip(tries, chances, strict=True) if row[attempt.value] >= SURE]

    return find_all_faces(part.pixels, spots, EDGES, sure)


def show_markers(view: View, over: Overview, places: Places) -> Flags:
    """Return which of the places (n, 2) show a marker or its paper, and not something lying on it."""
    shows = np.zeros(len(places), bool)
    for paper in over.papers:
        shows |= within(places, paper)
    for number, quad in over.occluded_markers.items():
        near = within(places, paper_quad(quad))
        if near.any():
            shows[near] |= _see_marker(view, number, quad, places[near])[0]
    return shows


def _see_marker(view: View, number: int, quad: Places, places: Places) -> tuple[Flags, bool]:
    """Return `marker_shows` for an occluded marker of the view and places (n, 2) around it."""
    paper = paper_quad(quad)
    part = view.cut_out((*paper.min(axis=0), *paper.max(axis=0)))
    corner = np.array([part.left, part.top])
    return marker_shows(part.pixels, number, quad - corner, places - corner)


def is_on_baize(view: View, face: FaceFit) -> bool:
    """Return True unless a die lies so far out that it lies on the wall; at the wall half its edge lies between."""
    out = _AT_WALL * face.edge_px
    left, top, right, bottom = view.baize
    x, y = face.middle
    return bool(left + out < x < right - out and top + out < y < bottom - out)


def near_baize(view: View, places: Places) -> Flags:
    """Return which of the places (n, 2) are on the baize or so near that a die there stands at the wall."""
    return _lie_within(view, places, _BESIDE_MM)


def lie_well_inside(view: View, places: Places) -> Flags:
    """Return which of the places (n, 2) are on the baize and not at its very edge."""
    return _lie_within(view, places, -_EDGE_MM)


def lies_in(box: Box, place: Sequence[float] | Real) -> bool:
    """Return True when a place (2) lies in a box."""
    left, top, right, bottom = box
    return bool(left <= place[0] <= right and top <= place[1] <= bottom)


def holds_any(box: Box, places: Places) -> bool:
    """Return True when any of the places (n, 2) lies in a box."""
    return bool(((places > box[:2]) & (places < box[2:])).all(axis=1).any())


def within(at: Places, quad: Places) -> Flags:
    """Return which of the places (n, 2) lie within an outline."""
    outline = np.asarray(quad, np.float32)
    return np.array([cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in at], bool)


def _lie_within(view: View, places: Places, beside_mm: float) -> Flags:
    """Return which of the places (n, 2) lie on the baize, widened on every side."""
    left, top, right, bottom = view.baize
    beside = beside_mm * PX_PER_MM
    x, y = places[:, 0], places[:, 1]
    return np.asarray((x > left - beside) & (x < right + beside) & (y > top - beside) & (y < bottom + beside))


def _meets(quad: Places, box: Box) -> bool:
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool(low[0] < box[2] and box[0] < high[0] and low[1] < box[3] and box[1] < high[1])
