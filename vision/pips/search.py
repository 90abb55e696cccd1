"""Looks for the faces of dice in one picture of a known scale: spots, lattices, a close look at each."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from vision.capture import Pixels
from vision.pips.face import LENIENT, FaceFit, look_at
from vision.pips.lattice import Candidate, candidates, single
from vision.pips.spots import Spots, find_spots

_PIP_RADII = (0.06, 0.18)  # pip radius in edges
OVERLAP = 0.75  # middles of two dice are at least this many edges apart
_ROUND = 0.72
_MOST_SPOTS = 500  # where cloth or table is full of spots, pips are among the strongest

Edges = tuple[float, float]
"""The least and the largest edge of a die's top face, in pixels."""


@dataclass(frozen=True, slots=True)
class Look:
    """How spots are looked for: compared with the mean of windows of so many edges, by so many levels of grey.

    Faint pips need the low level, pips near an edge a higher one, and pips that run into each other the highest.
    """

    windows: tuple[float, ...]
    contrasts: tuple[int, ...]


FIRST_LOOK = Look((0.6,), (9, 32, 72))
CLOSER_LOOK = Look((0.3, 0.45, 0.6), (9, 32, 72, 115))


def spots_in(pixels: Pixels, edges_px: Edges, look: Look) -> Spots:
    """The spots that have the size of pips of dice whose edges lie within `edges_px`."""
    usual = float(np.sqrt(edges_px[0] * edges_px[1]))
    radii = (_PIP_RADII[0] * edges_px[0], _PIP_RADII[1] * edges_px[1])
    windows = tuple(int(window * usual) | 1 for window in look.windows)
    return find_spots(pixels, radii, windows, look.contrasts).strongest(_MOST_SPOTS)


def faces_of(pixels: Pixels, spots: Spots, edges_px: Edges) -> tuple[FaceFit, ...]:
    """The faces that these spots make; of those that overlap the one that explains more, or fits better."""
    kept: list[FaceFit] = []
    tries = sorted(candidates(spots, edges_px), key=lambda attempt: -len(attempt.spots))
    for _, alike in groupby(tries, key=lambda attempt: len(attempt.spots)):
        kept += _stand_up(pixels, [attempt for attempt in alike if _is_free(attempt, kept)], edges_px, kept)
    taken = {spot for face in kept for spot in face.spots}
    ones = (attempt for attempt in _ones(spots) if not taken.intersection(attempt.spots))
    return (*kept, *_stand_up(pixels, [attempt for attempt in ones if _is_free(attempt, kept)], edges_px, kept))


def all_faces_of(
    pixels: Pixels, spots: Spots, edges_px: Edges, worth: Callable[[list[Candidate]], list[Candidate]] = list
) -> list[FaceFit]:
    """Every face that these spots may make by the milder demands, whether it overlaps another or not; only what is
    `worth` it is looked at.
    """
    tries = worth([*candidates(spots, edges_px), *_ones(spots)])
    fits = (look_at(pixels, attempt, edges_px, LENIENT) for attempt in tries)
    return [fit for fit in fits if fit is not None]


def _ones(spots: Spots) -> list[Candidate]:
    return [single(spots, int(index)) for index in np.flatnonzero(spots.aspect > _ROUND)]


def apart(one: FaceFit, other: FaceFit) -> bool:
    """True when two faces cannot be of one die."""
    distance = math.dist(one.middle, other.middle)
    return distance > OVERLAP * max(one.edge_px, other.edge_px)


def _is_free(attempt: Candidate, kept: list[FaceFit]) -> bool:
    return all(math.dist(attempt.middle, face.middle) > OVERLAP * face.edge_px for face in kept)


def _stand_up(pixels: Pixels, tries: list[Candidate], edges_px: Edges, kept: list[FaceFit]) -> list[FaceFit]:
    """Those that pass the close look and are apart from each other and from `kept`; the best fit first."""
    fits = [fit for fit in (look_at(pixels, attempt, edges_px) for attempt in tries) if fit is not None]
    found: list[FaceFit] = []
    for fit in sorted(fits, key=lambda fit: -fit.quality):
        if all(apart(fit, other) for other in (*kept, *found)):
            found.append(fit)
    return found
