"""Decide which spots together may make a face: two on a diagonal span the lattice on which all its pips lie.

A candidate is only a suggestion: `face_check` examines its pixels.
"""

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Places, Real
from vision.pips.spots import Spots

# From middle to outer pip in edge lengths, and pip radius in units of that distance, on ordinary dice.
PITCH = (0.19, 0.31)
PIP = (0.15, 0.62)
_NEAR = 0.36  # a pip lies within this of its place, in lattice units
_ALIKE = 1.6  # pips of one face differ in radius by less than this factor
_AS_STRONG = 3.0  # ... and in contrast by less than this one: the light corners of a face are not pips
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


# The possible values of a face by the places of its lattice that are taken, a bit for each. Where pips of a row touch,
# the middle one may not be a spot of its own; `face_check` decides whether it is there.
_VALUES: dict[int, tuple[int, ...]] = {
    _bits(_DIAGONAL): (2,),
    _bits((*_DIAGONAL, 4)): (3,),
    _bits(_CORNERS): (4, 6),
    _bits((*_CORNERS, 4)): (5,),
    **{_bits((*_CORNERS, *middles)): (6,) for middles in ((5, 6), (7, 8), (5,), (6,), (7,), (8,))},
}


# On many dice the rows of a 6 lie closer together than its outer pips, on others the pips of each row do: the distance
# of pips along the rows and across them, the larger being 1.
_SIX_SHAPES = ((1.0, 0.8), (0.78, 1.0), (0.6, 1.0))


def _six_way(shape: tuple[float, float], side: int) -> Places:
    """Return the places (7, 2) of such a 6 and of its empty middle, along and across half a diagonal (by `side`)."""
    turn = -side * math.atan2(shape[1], shape[0])
    upright = np.vstack((_SIX * shape, np.zeros((1, 2)))) / math.hypot(*shape)
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return np.asarray(upright @ rotation.T, np.float64)


_SIX_WAYS = np.stack([_six_way(shape, side) for shape, side in product(_SIX_SHAPES, (1, -1))])
_SIX_UNITS = np.array([1 / math.hypot(*shape) for shape, _ in product(_SIX_SHAPES, (1, -1))])


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A face that some spots may show, and the lattice they span, where pips must be or none may be."""

    value: int  # 1..6
    middle: Real  # (2,), in view pixels
    reach: Real  # (2,): the half diagonal, in view pixels
    unit_px: float  # from the middle to an outer pip, along the edge
    pip_px: float
    light: bool
    spots: tuple[int, ...]  # indices of those used
    places: Real  # (n, 2), of these spots
    aspect: float  # of all the spots
    strength: float  # of all the spots
    shape: tuple[float, float] = (1.0, 1.0)  # corner pips along the two edges, in units; other for a 6 with close rows

    @property
    def turn_rad(self) -> float:
        return math.atan2(self.reach[1], self.reach[0]) - math.atan2(self.shape[1], self.shape[0])


def candidates(spots: Spots, edges_px: tuple[float, float]) -> Iterator[Candidate]:
    """Yield every face of value 2..6 that pairs of spots suggest, for dice of an edge within `edges_px`."""
    pairs = _pairs(spots, edges_px)
    if not len(pairs.spots):
        return
    unit = np.hypot(*pairs.reach.T) / np.sqrt(2)
    seen: set[tuple[int, ...]] = set()
    for index, value, used in _suggest_values(spots, pairs, unit):
        chosen = tuple(sorted(spot for spot in set(used) if spot >= 0))
        if (value, *chosen) in seen:
            continue
        seen.add((value, *chosen))
        radius, middle, reach = float(pairs.radius[index]), pairs.middle[index], pairs.reach[index]
        if len(used) != len(_SIX):
            yield _candidate_of(spots, chosen, value, middle, reach, float(unit[index]), radius)
            continue
        # A 6 of two rows of three spots, with the distance of the rows as it is.
        rows = spots.at[[used[place] for place in _ENDS]].reshape(2, 2, 2)
        along = (rows[:, 1] - rows[:, 0]).mean(axis=0) / 2
        across = np.array([-along[1], along[0]])
        length = float(np.linalg.norm(along))
        apart = float(abs((rows[1] - rows[0]).mean(axis=0) @ across)) / 2 / length**2
        middle, reach = rows.mean(axis=(0, 1)), along + apart * across
        longer = max(1.0, apart)  # the unit by which the pips of all faces are placed
        shape = (1.0 / longer, apart / longer)
        yield _candidate_of(spots, chosen, 6, middle, reach, length * longer, radius, shape)


def single_pip_candidate(spots: Spots, index: int) -> Candidate:
    """Return the spot as the only pip of a 1; its lattice unit is unknown, and guessed from the pip."""
    radius = float(spots.radius[index])
    nowhere = np.zeros(2)
    return _candidate_of(spots, (index,), 1, spots.at[index], nowhere, radius / 0.38, radius)


def _candidate_of(
    spots: Spots,
    used: tuple[int, ...],
    value: int,
    middle: Real,
    reach: Real,
    unit_px: float,
    pip_px: float,
    shape: tuple[float, float] = (1.0, 1.0),
) -> Candidate:
    rows = list(used)
    # Plain sums: NumPy's statistics would take most of the time here, and a field has dozens of candidates.
    aspect = sum(spots.aspect[rows].tolist()) / len(rows)
    strength = statistics.median(spots.strength[rows].tolist())
    light = bool(spots.light[rows[0]])
    return Candidate(value, middle, reach, unit_px, pip_px, light, used, spots.at[rows], aspect, strength, shape)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Pairs of spots that may lie on a diagonal of a face."""

    spots: NDArray[np.int64]  # (n, 2)
    middle: Places  # (n, 2)
    reach: Places  # (n, 2): half the way between them
    radius: Real  # (n), of the pips they would be
    strength: Real  # (n), of the pips they would be


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
    one, other = np.nonzero(fits)
    one, other = one[one < other], other[one < other]
    chosen = np.column_stack((usable[one], usable[other]))
    faintest = spots.strength[chosen].min(axis=1, initial=np.inf)
    return _Pairs(chosen, (at[one] + at[other]) / 2, (at[other] - at[one]) / 2, mean[one, other], faintest)


def _suggest_values(spots: Spots, pairs: _Pairs, unit: Real) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield pairs with the values they suggest and the spots that make them (-1 for a missing one): six in two rows for
    a 6 with close rows, or the nine places of the lattice.

    Each is tried with all possible pips, with those about as strong as the pair, and with round ones: a 6 with a faint
    pip may be a 4 on which a lamp shines.
    """
    on, alike = _on_diagonal(spots, pairs, unit)
    # Marble and dirt look like faint pips, shine on a corner like an odd one; the rest may still be a face.
    near, strong = (
        alike & np.asarray(spots.strength >= pairs.strength[:, None] / factor)
        for factor in (_AS_STRONG, _MUCH_AS_STRONG)
    )
    of_pair = (pairs.spots[:, :, None] == np.arange(len(spots))).any(axis=1)
    is_round = np.asarray(of_pair | (spots.aspect > _MOSTLY_ROUND), np.bool_)
    less = [some for some in (strong, near & is_round) if not np.array_equal(some, near)]
    ways = [_on_lattice(on, some) for some in (near, *less)]
    may_be_six = near.sum(axis=1) >= len(_SIX) - 1
    for index in range(len(pairs.spots)):
        six = _find_close_six(on[index, near[index]], np.flatnonzero(near[index])) if may_be_six[index] else ()
        if six:
            yield index, 6, six
            if all(strong[index, spot] for spot in six if spot >= 0):
                continue
        for used, code in ways:
            for value in _VALUES.get(int(code[index]), ()):
                yield index, value, tuple(used[index].tolist())


def _on_diagonal(spots: Spots, pairs: _Pairs, unit: Real) -> tuple[Places, Flags]:
    """Return the place of every spot (m) for every pair (n), along and across half the diagonal in parts of its length
    (n, m, 2), and whether it may be a pip of the same face (n, m).
    """
    away = spots.at - pairs.middle[:, None]
    along, across = pairs.reach[:, None], pairs.reach[:, None, ::-1] * np.array([-1.0, 1.0])
    square = 2 * unit[:, None, None] ** 2
    on = np.stack(((away * along).sum(axis=2), (away * across).sum(axis=2)), axis=2) / square
    ratio = spots.radius / pairs.radius[:, None]
    alike = (
        (spots.light == spots.light[pairs.spots[:, :1]])
        & (spots.aspect > _ROUND)
        & (ratio < _ALIKE)
        & (ratio > 1 / _ALIKE)
        & (np.hypot(on[..., 0], on[..., 1]) < _BEYOND)
    )
    return on, alike


def _on_lattice(on: Places, near: Flags) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the spot on each place of each pair's lattice (n, 9), among those `near` (n, m) it, or -1; and which
    places are taken, as a number with a bit for each. `on` is as `_on_diagonal` returns it.
    """
    pair, spot = np.nonzero(near)
    used = np.full((len(near), len(_PLACES)), -1)
    if len(pair) == 0:
        return used, np.zeros(len(near), np.int64)
    off = on[pair, spot][:, None] - _PLACES
    far = np.hypot(off[..., 0], off[..., 1]) * np.sqrt(2)
    # The two spots of a pair are near it, so every pair has some.
    nearest = np.minimum.reduceat(far, np.searchsorted(pair, np.arange(len(near))))
    row, place = np.nonzero((far == nearest[pair]) & (far < _NEAR))
    used[pair[row], place] = spot[row]
    return used, (used >= 0) @ (1 << np.arange(len(_PLACES)))


def _find_close_six(on: Places, near: NDArray[np.int64]) -> tuple[int, ...]:
    """Return the six spots of a 6 with close rows and nothing between them, or an empty tuple.

    `on` (m, 2) are the places of the spots `near` (m), along and across half the diagonal in parts of its length. The
    first possible shape that fits is taken; the middle spot of one row may be missing (-1).
    """
    far = np.hypot(*(on - _SIX_WAYS[:, :, None]).transpose(3, 0, 1, 2)) / _SIX_UNITS[:, None, None]
    nearest = far.argmin(axis=2)
    used = np.where(far.min(axis=2) < _NEAR, near[nearest], -1)
    corners, middles, between = used[:, _ENDS], used[:, _MIDDLES], used[:, -1]
    for way in np.flatnonzero((corners.min(axis=1) >= 0) & (middles.max(axis=1) >= 0) & (between < 0)):
        six = tuple(used[way, :-1].tolist())
        found = [spot for spot in six if spot >= 0]
        if len(set(found)) == len(found):
            return six
    return ()
