"""Which spots together make a face: two on a diagonal span the lattice on which all pips of a face lie."""

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.pips import Spots

# From middle to outer pip in edge lengths, and pip radius in units of that distance, on ordinary dice.
PITCH = (0.19, 0.31)
PIP = (0.2, 0.62)
_NEAR = 0.36  # a pip lies within this of its place, in lattice units
_ALIKE = 1.6  # pips of one face differ in radius by less than this factor
_AS_STRONG = 3.0  # ... and in contrast by less than this one: the light corners of a face are no pips
_MUCH_AS_STRONG = 1.7
_ROUND = 0.6

# The nine places of the lattice in units of the half diagonal q and its normal p.
_PLACES = np.array(
    [[-1, 0], [1, 0], [0, -1], [0, 1], [0, 0], [0.5, 0.5], [-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5]], np.float64
)
_SIX = np.array([[x, y] for y in (-1, 1) for x in (-1, 0, 1)], np.float64)
_BEYOND = 1.4  # pips of a face lie no farther from its middle than this, in half diagonals
_DIAGONAL, _CORNERS = (0, 1), (0, 1, 2, 3)
_PATTERNS: dict[frozenset[int], int] = {
    frozenset(_DIAGONAL): 2,
    frozenset((*_DIAGONAL, 4)): 3,
    frozenset(_CORNERS): 4,
    frozenset((*_CORNERS, 4)): 5,
    frozenset((*_CORNERS, 5, 6)): 6,
    frozenset((*_CORNERS, 7, 8)): 6,
}


# On many dice the rows of a 6 lie closer together than its outer pips, on others the pips of each row do: how far
# apart the pips lie along the rows and across them, the larger being 1.
_SIX_SHAPES = ((1.0, 0.8), (0.78, 1.0))


Places = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A face that the spots may show.

    `middle` (2) and the half diagonal `reach` (2) in view pixels, `unit_px` the distance from the middle to
    an outer pip along the edge, `spots` the spots used and `places` (n, 2) theirs, `value` 1..6. `aspect` and
    `strength` are those of the spots on the whole. `shape` is where the corner pips lie along the two edges, in
    units: (1, 1) but for a 6 with close rows.
    """

    value: int
    middle: NDArray[np.float64]
    reach: NDArray[np.float64]
    unit_px: float
    pip_px: float
    light: bool
    spots: tuple[int, ...]
    places: NDArray[np.float64]
    aspect: float
    strength: float
    shape: tuple[float, float] = (1.0, 1.0)

    @property
    def turn_rad(self) -> float:
        """How far the face's edges are turned in the view."""
        return math.atan2(self.reach[1], self.reach[0]) - math.atan2(self.shape[1], self.shape[0])


def candidates(spots: Spots, edges_px: tuple[float, float]) -> Iterator[Candidate]:
    """Every face of value 2..6 that pairs of spots suggest, for dice of an edge within `edges_px`."""
    usable = np.flatnonzero(spots.aspect > _ROUND)
    seen: set[frozenset[int]] = set()
    for position, one in enumerate(usable):
        for other in _partners(spots, int(one), usable[position + 1 :], edges_px):
            found = _candidate(spots, int(one), int(other))
            if found is not None and frozenset(found.spots) not in seen:
                seen.add(frozenset(found.spots))
                yield found


def single(spots: Spots, index: int) -> Candidate:
    """The spot as the only pip of a 1; its lattice unit is not known and guessed from the pip."""
    radius = float(spots.radius[index])
    nowhere = np.zeros(2)
    return _of(spots, (index,), 1, spots.at[index], nowhere, radius / 0.38, radius)


def _of(
    spots: Spots,
    used: tuple[int, ...],
    value: int,
    middle: NDArray[np.float64],
    reach: NDArray[np.float64],
    unit_px: float,
    pip_px: float,
    shape: tuple[float, float] = (1.0, 1.0),
) -> Candidate:
    rows = list(used)
    # Plain sums: NumPy's statistics cost more than all else here, and a field has dozens of candidates.
    aspect = sum(spots.aspect[rows].tolist()) / len(rows)
    strength = statistics.median(spots.strength[rows].tolist())
    light = bool(spots.light[rows[0]])
    return Candidate(value, middle, reach, unit_px, pip_px, light, used, spots.at[rows], aspect, strength, shape)


def _partners(spots: Spots, one: int, others: NDArray[np.int64], edges_px: tuple[float, float]) -> NDArray[np.int64]:
    radius = np.sqrt(spots.radius[one] * spots.radius[others])
    ratio = spots.radius[others] / spots.radius[one]
    strength = spots.strength[others] / np.maximum(spots.strength[one], 1.0)
    unit = np.linalg.norm(spots.at[others] - spots.at[one], axis=1) / (2 * np.sqrt(2))
    fits = (
        (spots.light[others] == spots.light[one])
        & (ratio < _ALIKE)
        & (ratio > 1 / _ALIKE)
        & (strength < _AS_STRONG)
        & (strength > 1 / _AS_STRONG)
        & (unit > PITCH[0] * edges_px[0])
        & (unit < PITCH[1] * edges_px[1])
        & (radius > PIP[0] * unit)
        & (radius < PIP[1] * unit)
    )
    return np.asarray(others[fits], np.int64)


def _candidate(spots: Spots, one: int, other: int) -> Candidate | None:
    middle = (spots.at[one] + spots.at[other]) / 2
    reach = (spots.at[other] - spots.at[one]) / 2
    radius = float(np.sqrt(spots.radius[one] * spots.radius[other]))
    near = _alike_near(spots, one, other, radius, _AS_STRONG)
    unit = float(np.linalg.norm(reach)) / np.sqrt(2)
    if len(near) >= len(_SIX):
        for shape, side in product(_SIX_SHAPES, (1, -1)):
            used = _close_six(spots.at, near, middle, reach, shape, side)
            if used:
                return _six(spots, used, radius)
    normal = np.array([-reach[1], reach[0]])
    places = middle + _PLACES[:, :1] * reach + _PLACES[:, 1:] * normal
    # Marble and dirt look like faint pips: without them the rest may be a face.
    for some in (near, _alike_near(spots, one, other, radius, _MUCH_AS_STRONG)):
        used = _nearest(spots.at, some, places, unit)
        present = frozenset(place for place, spot in enumerate(used) if spot >= 0)
        value = _PATTERNS.get(present)
        if value is not None:
            return _of(spots, tuple(sorted({used[place] for place in present})), value, middle, reach, unit, radius)
    return None


def _alike_near(spots: Spots, one: int, other: int, radius: float, as_strong: float) -> NDArray[np.int64]:
    """The spots about the two that may be pips of the same face, and are fainter by less than a factor."""
    ratio = spots.radius / radius
    strength = min(spots.strength[one], spots.strength[other])
    middle = (spots.at[one] + spots.at[other]) / 2
    beyond = _BEYOND * math.dist(spots.at[other], spots.at[one]) / 2
    alike = (
        (spots.light == spots.light[one])
        & (spots.aspect > _ROUND)
        & (ratio < _ALIKE)
        & (ratio > 1 / _ALIKE)
        & (spots.strength > strength / as_strong)
        & (np.hypot(*(spots.at - middle).T) < beyond)
    )
    return np.asarray(np.flatnonzero(alike), np.int64)


def _nearest(at: Places, near: NDArray[np.int64], places: Places, unit: float) -> tuple[int, ...]:
    """For each place the spot on it, or -1."""
    away = at[near][None] - places[:, None]
    far = np.hypot(away[:, :, 0], away[:, :, 1]) / unit
    nearest = np.argmin(far, axis=1)
    return tuple(int(near[spot]) if far[place, spot] < _NEAR else -1 for place, spot in enumerate(nearest))


def _close_six(
    at: Places, near: NDArray[np.int64], middle: Places, reach: Places, shape: tuple[float, float], side: int
) -> tuple[int, ...]:
    """The six spots of a 6 of this shape, nothing between them; empty when there is none.

    `side` is 1 or -1: `reach` is either diagonal of its corners.
    """
    turn = math.atan2(reach[1], reach[0]) - side * math.atan2(shape[1], shape[0])
    unit = float(np.linalg.norm(reach)) / math.hypot(*shape)
    along = np.array([math.cos(turn), math.sin(turn)]) * unit
    across = np.array([-along[1], along[0]])
    places = middle + _SIX[:, :1] * shape[0] * along + _SIX[:, 1:] * shape[1] * across
    used = _nearest(at, near, np.vstack((places, middle)), unit)
    return used[:-1] if used[-1] < 0 <= min(used[:-1]) and len(set(used)) == len(used) else ()


def _six(spots: Spots, used: tuple[int, ...], radius: float) -> Candidate:
    """The 6 of two rows of three spots, with the distance of the rows as it is."""
    rows = spots.at[list(used)].reshape(2, 3, 2)
    along = (rows[:, 2] - rows[:, 0]).mean(axis=0) / 2
    across = np.array([-along[1], along[0]])
    unit = float(np.linalg.norm(along))
    apart = float(abs((rows[1] - rows[0]).mean(axis=0) @ across)) / 2 / unit**2
    middle, reach = rows.mean(axis=(0, 1)), along + apart * across
    return _of(spots, tuple(sorted(used)), 6, middle, reach, unit, radius, (1.0, apart))
