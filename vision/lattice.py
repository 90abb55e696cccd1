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
PIP = (0.15, 0.62)
_NEAR = 0.36  # a pip lies within this of its place, in lattice units
_ALIKE = 1.6  # pips of one face differ in radius by less than this factor
_AS_STRONG = 3.0  # ... and in contrast by less than this one: the light corners of a face are no pips
_MUCH_AS_STRONG = 1.7
_ROUND, _MOSTLY_ROUND = 0.6, 0.72

# The nine places of the lattice in units of the half diagonal q and its normal p.
_PLACES = np.array(
    [[-1, 0], [1, 0], [0, -1], [0, 1], [0, 0], [0.5, 0.5], [-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5]], np.float64
)
_SIX = np.array([[x, y] for y in (-1, 1) for x in (-1, 0, 1)], np.float64)
_ENDS, _MIDDLES = (0, 2, 3, 5), (1, 4)  # which of the six lie at the ends of the rows
_BEYOND = 1.4  # pips of a face lie no farther from its middle than this, in half diagonals
_DIAGONAL, _CORNERS = (0, 1), (0, 1, 2, 3)


def _bits(places: tuple[int, ...]) -> int:
    return sum(1 << place for place in places)


# The values that a face may have by which places of its lattice are taken, a bit for each. Where pips of a row touch,
# the middle one may be no spot of its own: whether it is there is looked at later.
_VALUES: dict[int, tuple[int, ...]] = {
    _bits(_DIAGONAL): (2,),
    _bits((*_DIAGONAL, 4)): (3,),
    _bits(_CORNERS): (4, 6),
    _bits((*_CORNERS, 4)): (5,),
    **{_bits((*_CORNERS, *middles)): (6,) for middles in ((5, 6), (7, 8), (5,), (6,), (7,), (8,))},
}


# On many dice the rows of a 6 lie closer together than its outer pips, on others the pips of each row do: how far
# apart the pips lie along the rows and across them, the larger being 1.
_SIX_SHAPES = ((1.0, 0.8), (0.78, 1.0), (0.6, 1.0))


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
    seen: set[tuple[int, ...]] = set()
    for found in _suggested(spots, _pairs(spots, edges_px)):
        key = (found.value, *found.spots)
        if key not in seen:
            seen.add(key)
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


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Two spots each that may lie on a diagonal of a face: `spots` (n, 2) which ones, `middle` (n, 2) and half way
    `reach` (n, 2) between them, `radius` (n) and `strength` (n) of the pips they would be.
    """

    spots: NDArray[np.int64]
    middle: Places
    reach: Places
    radius: NDArray[np.float64]
    strength: NDArray[np.float64]


def _pairs(spots: Spots, edges_px: tuple[float, float]) -> _Pairs:
    usable = np.flatnonzero(spots.aspect > _ROUND)
    at, light = spots.at[usable], spots.light[usable]
    radius, strength = spots.radius[usable], np.maximum(spots.strength[usable], 1.0)
    mean = np.sqrt(radius[:, None] * radius)
    ratio, strengths = radius / radius[:, None], strength / strength[:, None]
    away = at - at[:, None]
    unit = np.hypot(away[..., 0], away[..., 1]) / (2 * np.sqrt(2))
    fits = (light[:, None] == light) & (ratio < _ALIKE) & (ratio > 1 / _ALIKE)
    fits &= (strengths < _AS_STRONG) & (strengths > 1 / _AS_STRONG)
    fits &= (unit > PITCH[0] * edges_px[0]) & (unit < PITCH[1] * edges_px[1])
    fits &= (mean > PIP[0] * unit) & (mean < PIP[1] * unit)
    one, other = np.nonzero(np.triu(fits, 1))
    chosen = np.column_stack((usable[one], usable[other]))
    faintest = spots.strength[chosen].min(axis=1, initial=np.inf)
    return _Pairs(chosen, (at[one] + at[other]) / 2, (at[other] - at[one]) / 2, mean[one, other], faintest)


def _suggested(spots: Spots, pairs: _Pairs) -> Iterator[Candidate]:
    """The faces that each pair suggests: with all that may be a pip, with what is about as strong as the two, and with
    what is round.
    """
    unit = np.hypot(*pairs.reach.T) / np.sqrt(2)
    alike = _alike_near(spots, pairs)
    # Marble and dirt look like faint pips, shine on a corner like an odd one: without them the rest may be a face.
    near, strong = (alike & _fainter_by_less(spots, pairs, factor) for factor in (_AS_STRONG, _MUCH_AS_STRONG))
    ways = [_on_lattice(spots, pairs, unit, some) for some in (near, strong, near & _is_round(spots, pairs))]
    may_be_six = near.sum(axis=1) >= len(_SIX) - 1
    for index in range(len(pairs.spots)):
        middle, reach, radius = pairs.middle[index], pairs.reach[index], float(pairs.radius[index])
        six = _any_six(spots.at, np.flatnonzero(near[index]), middle, reach) if may_be_six[index] else ()
        if six:
            yield _six(spots, six, radius)
            continue
        for used, code in ways:
            for value in _VALUES.get(int(code[index]), ()):
                chosen = tuple(sorted({int(spot) for spot in used[index] if spot >= 0}))
                yield _of(spots, chosen, value, middle, reach, float(unit[index]), radius)


def _alike_near(spots: Spots, pairs: _Pairs) -> NDArray[np.bool_]:
    """For every pair (n) and spot (m) whether it may be a pip of the same face, (n, m)."""
    ratio = spots.radius / pairs.radius[:, None]
    away = spots.at - pairs.middle[:, None]
    beyond = _BEYOND * np.hypot(*pairs.reach.T)
    return np.asarray(
        (spots.light == spots.light[pairs.spots[:, :1]])
        & (spots.aspect > _ROUND)
        & (ratio < _ALIKE)
        & (ratio > 1 / _ALIKE)
        & (np.hypot(away[..., 0], away[..., 1]) < beyond[:, None])
    )


def _fainter_by_less(spots: Spots, pairs: _Pairs, factor: float) -> NDArray[np.bool_]:
    return np.asarray(spots.strength >= pairs.strength[:, None] / factor)


def _is_round(spots: Spots, pairs: _Pairs) -> NDArray[np.bool_]:
    """For every pair (n) and spot (m) whether the spot is as round as a pip is mostly, or one of the pair."""
    own = (pairs.spots[:, :, None] == np.arange(len(spots))).any(axis=1)
    return np.asarray(own | (spots.aspect > _MOSTLY_ROUND), np.bool_)


def _on_lattice(
    spots: Spots, pairs: _Pairs, unit: NDArray[np.float64], near: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The spot on each place of each pair's lattice (n, 9), -1 where there is none, of those `near` (n, m) it; and as
    one number which places are taken, a bit for each.
    """
    pair, spot = np.nonzero(near)
    away = spots.at[spot] - pairs.middle[pair]
    along, across = pairs.reach[pair], pairs.reach[pair][:, ::-1] * np.array([-1.0, 1.0])
    square = 2 * unit[pair] ** 2  # of half a diagonal
    on = np.stack(((away * along).sum(axis=1), (away * across).sum(axis=1)), axis=1) / square[:, None]
    far = np.hypot(on[:, :1] - _PLACES[:, 0], on[:, 1:] - _PLACES[:, 1]) * np.sqrt(2)
    used = np.full((len(unit), len(_PLACES)), -1)
    if len(pair) == 0:
        return used, np.zeros(len(unit), np.int64)
    # The two spots of a pair are near it, so that no pair is without.
    nearest = np.minimum.reduceat(far, np.searchsorted(pair, np.arange(len(unit))))
    row, place = np.nonzero((far == nearest[pair]) & (far < _NEAR))
    used[pair[row], place] = spot[row]
    return used, (used >= 0) @ (1 << np.arange(len(_PLACES)))


def _nearest(at: Places, near: NDArray[np.int64], places: Places, unit: float) -> tuple[int, ...]:
    """For each place the spot on it, or -1."""
    away = at[near][None] - places[:, None]
    far = np.hypot(away[:, :, 0], away[:, :, 1]) / unit
    nearest = np.argmin(far, axis=1)
    return tuple(int(near[spot]) if far[place, spot] < _NEAR else -1 for place, spot in enumerate(nearest))


def _any_six(at: Places, near: NDArray[np.int64], middle: Places, reach: Places) -> tuple[int, ...]:
    """The six spots of a 6 with close rows; empty when there is none."""
    for shape, side in product(_SIX_SHAPES, (1, -1)):
        used = _close_six(at, near, middle, reach, shape, side)
        if used:
            return used
    return ()


def _close_six(
    at: Places, near: NDArray[np.int64], middle: Places, reach: Places, shape: tuple[float, float], side: int
) -> tuple[int, ...]:
    """The six spots of a 6 of this shape, nothing between them; empty when there is none.

    The middle one of one row may be missing (-1). `side` is 1 or -1: `reach` is either diagonal of its corners.
    """
    turn = math.atan2(reach[1], reach[0]) - side * math.atan2(shape[1], shape[0])
    unit = float(np.linalg.norm(reach)) / math.hypot(*shape)
    along = np.array([math.cos(turn), math.sin(turn)]) * unit
    across = np.array([-along[1], along[0]])
    places = middle + _SIX[:, :1] * shape[0] * along + _SIX[:, 1:] * shape[1] * across
    *used, between = _nearest(at, near, np.vstack((places, middle)), unit)
    corners, middles = [used[place] for place in _ENDS], [used[place] for place in _MIDDLES]
    found = [spot for spot in used if spot >= 0]
    whole = min(corners) >= 0 and max(middles) >= 0 and len(set(found)) == len(found)
    return tuple(used) if whole and between < 0 else ()


def _six(spots: Spots, used: tuple[int, ...], radius: float) -> Candidate:
    """The 6 of two rows of three spots, with the distance of the rows as it is."""
    rows = spots.at[[used[place] for place in _ENDS]].reshape(2, 2, 2)
    along = (rows[:, 1] - rows[:, 0]).mean(axis=0) / 2
    across = np.array([-along[1], along[0]])
    length = float(np.linalg.norm(along))
    apart = float(abs((rows[1] - rows[0]).mean(axis=0) @ across)) / 2 / length**2
    middle, reach = rows.mean(axis=(0, 1)), along + apart * across
    # A unit is the longer of the two, by which the pips of all faces are placed.
    longer = max(1.0, apart)
    found = tuple(sorted(spot for spot in used if spot >= 0))
    return _of(spots, found, 6, middle, reach, length * longer, radius, (1.0 / longer, apart / longer))
