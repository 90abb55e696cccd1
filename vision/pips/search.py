"""Search a picture of known scale for faces: spots, candidates, a check of each, and one of those that overlap."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from vision.capture.arrays import Flags, Real
from vision.capture.frame import Pixels
from vision.pips.face_candidates import Candidate, candidates, single_pip_candidate
from vision.pips.face_check import LENIENT, FaceFit, check_face
from vision.pips.lattice_fit import fit_lattice
from vision.pips.spots import Spots, find_spots

_PIP_RADII = (0.06, 0.18)  # pip radius in edges
OVERLAP = 0.75  # middles of two dice are at least this many edges apart
_ROUND = 0.72  # the least aspect of a spot that may be the only pip of a 1
_MOST_TRIES = 100  # most candidates with the same number of pips that are checked
_FITTED = (0.72, 0.85, 1.0, 1.15, 1.3)  # the edges of dice that are tried, in usual edges
_GREY = (0.114, 0.587, 0.299)  # of blue, green and red in grey (ITU-R BT.601)
_MOST_SPOTS = 300  # where cloth or table is full of spots, pips are among the strongest

Edges = tuple[float, float]
"""The least and the largest edge of a die's top face, in pixels."""


@dataclass(frozen=True, slots=True)
class SpotThresholds:
    """The thresholds for spots: against the mean of windows of these widths in edges, by these grey levels.

    Faint pips need the low level, pips near an edge a higher one, and pips that run into each other the highest.
    `every_colour`: see `find_spots`.
    """

    windows: tuple[float, ...]
    contrasts: tuple[int, ...]
    every_colour: bool = False


FIRST_LOOK = SpotThresholds((0.6,), (9, 32, 72))
BESIDE_LOOK = SpotThresholds((0.6,), (32, 72))  # fainter spots are wood
CLOSER_LOOK = SpotThresholds((0.3, 0.45, 0.6), (9, 32, 72, 115), every_colour=True)


def find_pip_spots(pixels: Pixels, edges_px: Edges, look: SpotThresholds) -> Spots:
    """Return the spots that have the size of pips of dice whose edges lie within `edges_px`."""
    usual = float(np.sqrt(edges_px[0] * edges_px[1]))
    radii = (_PIP_RADII[0] * edges_px[0], _PIP_RADII[1] * edges_px[1])
    windows = tuple(int(window * usual) | 1 for window in look.windows)
    found = find_spots(pixels, radii, windows, look.contrasts, every_colour=look.every_colour)
    return found.strongest(_MOST_SPOTS)


def find_faces(pixels: Pixels, spots: Spots, edges_px: Edges) -> tuple[FaceFit, ...]:
    """Return the faces that these spots make; of those that overlap the one that explains more, or fits better."""
    kept: list[FaceFit] = []
    tries = sorted(candidates(spots, edges_px), key=lambda attempt: -len(attempt.spots))
    for _, alike in groupby(tries, key=lambda attempt: len(attempt.spots)):
        kept += _confirm(pixels, _clearest([attempt for attempt in alike if _is_free(attempt, kept)]), edges_px, kept)
    taken = {spot for face in kept for spot in face.spots}
    ones = (attempt for attempt in _single_pip_candidates(spots) if not taken.intersection(attempt.spots))
    free = _clearest([attempt for attempt in ones if _is_free(attempt, kept)])
    return (*kept, *_confirm(pixels, free, edges_px, kept))


def _clearest(tries: list[Candidate]) -> list[Candidate]:
    """Return the candidates, at most a hundred: those whose spots are strong and round. Each check takes time."""
    return sorted(tries, key=lambda attempt: -attempt.strength * attempt.aspect)[:_MOST_TRIES]


def find_all_faces(
    pixels: Pixels, spots: Spots, edges_px: Edges, worth: Callable[[list[Candidate]], list[Candidate]] = list
) -> list[FaceFit]:
    """Return every face that these spots may make by the milder demands, whether it overlaps another or not.

    Only the candidates that `worth` keeps are checked: spots suggest many, and few are accepted.
    """
    tries = worth([*candidates(spots, edges_px), *_single_pip_candidates(spots)])
    fits = (check_face(pixels, attempt, edges_px, LENIENT) for attempt in tries)
    return [fit for fit in fits if fit is not None]


def fit_face(pixels: Pixels, place: Real, usual_px: float, edges_px: Edges) -> FaceFit | None:
    """Return the face around a place by its lattice alone, for dice of about the usual edge; it may have no spots.

    Its strength is the contrast of its pips; that of spots is 0.65 to 1.5 times as much. This is a second opinion where
    something else suggests a die: alone it would find faces in many things.
    """
    found = fit_lattice(pixels, place, [usual_px * part for part in _FITTED])
    face = None if found is None else check_face(pixels, found[0], edges_px, LENIENT)
    if found is None or face is None:
        return None
    contrast = abs(float(np.array(_GREY) @ (face.pip - face.body)))
    return replace(face, quality=max(face.quality, found[1]), strength=contrast)


def _single_pip_candidates(spots: Spots) -> list[Candidate]:
    return [single_pip_candidate(spots, int(index)) for index in np.flatnonzero(spots.aspect > _ROUND)]


def are_apart(one: FaceFit, other: FaceFit) -> bool:
    """Return True if two faces are of two dice: touching dice are at least half the sum of their edges apart."""
    distance = math.dist(one.middle, other.middle)
    return distance > OVERLAP * (one.edge_px + other.edge_px) / 2


def _is_free(attempt: Candidate, kept: list[FaceFit]) -> bool:
    return all(math.dist(attempt.middle, face.middle) > OVERLAP * face.edge_px for face in kept)


def _confirm(pixels: Pixels, tries: list[Candidate], edges_px: Edges, kept: list[FaceFit]) -> list[FaceFit]:
    """Return the candidates that pass the check and overlap neither each other nor `kept`; the best fit first."""
    fits = [fit for fit in (check_face(pixels, attempt, edges_px) for attempt in tries) if fit is not None]
    found: list[FaceFit] = []
    for fit in sorted(fits, key=lambda fit: -fit.quality):
        if all(are_apart(fit, other) for other in (*kept, *found)):
            found.append(fit)
    return found


# The limits for the next pip of a face: its least contrast, as a part of the 1's, the largest ratio of their radii, its
# roundness, and its distance from the 1, in edges. None of 1,134 ones has such a spot.
_AS_STRONG, _AS_LARGE, _LONE_PIP_ROUND, _SAME_FACE = 0.6, 1.6, 0.72, 0.6


def find_next_pips(spots: Spots, one: FaceFit, edge_px: float) -> Flags:
    """Return which spots (n) are like the pip of a 1 and lie beside it on the face of a die of this edge, in pixels."""
    away = np.linalg.norm(spots.at - one.middle, axis=1)
    like = (spots.light == one.light) & (spots.strength > _AS_STRONG * one.strength) & (spots.aspect > _LONE_PIP_ROUND)
    like &= (spots.radius > one.pip_px / _AS_LARGE) & (spots.radius < one.pip_px * _AS_LARGE)
    return np.asarray(like & (away > one.pip_px) & (away < _SAME_FACE * edge_px), np.bool_)
