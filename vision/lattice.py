"""Which spots together make a face: two on a diagonal span the lattice on which all pips of a face lie."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.pips import Spots

# From middle to outer pip in edge lengths, and pip radius in units of that distance, on ordinary dice.
PITCH = (0.19, 0.31)
PIP = (0.2, 0.62)
_NEAR = 0.36  # a pip lies within this of its place, in lattice units
_ALIKE = 1.6  # pips of one face differ in radius by less than this factor
_AS_STRONG = 3.0  # ... and in contrast by less than this one: the light corners of a face are no pips
_ROUND = 0.6

# The nine places of the lattice in units of the half diagonal q and its normal p.
_PLACES = np.array(
    [[-1, 0], [1, 0], [0, -1], [0, 1], [0, 0], [0.5, 0.5], [-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5]], np.float64
)
_DIAGONAL, _CORNERS = (0, 1), (0, 1, 2, 3)
_PATTERNS: dict[frozenset[int], int] = {
    frozenset(_DIAGONAL): 2,
    frozenset((*_DIAGONAL, 4)): 3,
    frozenset(_CORNERS): 4,
    frozenset((*_CORNERS, 4)): 5,
    frozenset((*_CORNERS, 5, 6)): 6,
    frozenset((*_CORNERS, 7, 8)): 6,
}


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A face that the spots may show.

    `middle` (2) and the half diagonal `reach` (2) in view pixels, `unit_px` the distance from the middle to
    an outer pip along the edge, `spots` the spots used, `value` 1..6.
    """

    value: int
    middle: NDArray[np.float64]
    reach: NDArray[np.float64]
    unit_px: float
    pip_px: float
    light: bool
    spots: tuple[int, ...]


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
    return Candidate(1, spots.at[index], nowhere, radius / 0.38, radius, bool(spots.light[index]), (index,))


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
    unit = float(np.linalg.norm(reach)) / np.sqrt(2)
    normal = np.array([-reach[1], reach[0]])
    places = middle + _PLACES[:, :1] * reach + _PLACES[:, 1:] * normal
    radius = float(np.sqrt(spots.radius[one] * spots.radius[other]))
    ratio = spots.radius / radius
    strength = min(spots.strength[one], spots.strength[other])
    alike = (
        (spots.light == spots.light[one])
        & (spots.aspect > _ROUND)
        & (ratio < _ALIKE)
        & (ratio > 1 / _ALIKE)
        & (spots.strength > strength / _AS_STRONG)
    )
    far = np.linalg.norm(spots.at[None] - places[:, None], axis=2) / unit
    far[:, ~alike] = np.inf
    nearest = np.argmin(far, axis=1)
    present = frozenset(np.flatnonzero(far[np.arange(9), nearest] < _NEAR).tolist())
    value = _PATTERNS.get(present)
    if value is None:
        return None
    used = tuple(sorted({int(nearest[place]) for place in present}))
    return Candidate(value, middle, reach, unit, radius, bool(spots.light[one]), used)
