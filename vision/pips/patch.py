"""Bring the surroundings of a suggested face to one size and rotation, and measure how its pips stand out there."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.libraries import cv2
from vision.pips.outline import measure_reaches

_PATCH = 72  # the face is brought to a patch of this many pixels
REACH = 3.4  # ... that shows this many lattice units from its middle to its rim
_UNIT = (_PATCH - 1) / 2 / REACH  # one lattice unit in patch pixels

Place = tuple[float, float]
Real = NDArray[np.float64]
Planes = NDArray[np.float32]
"""The three colours (BGR) of a patch's pixels, (3, 5184), row by row; or some of them."""

Index = NDArray[np.intp]
"""Some pixels of a patch, as places in its rows."""

# Places on the lattice: corners, middle, and the four middles of the sides.
_GRID = tuple((float(x), float(y)) for y in (-1, 0, 1) for x in (-1, 0, 1))
_DIAGONAL = ((-1.0, -1.0), (1.0, 1.0))
_CORNERS = (*_DIAGONAL, (-1.0, 1.0), (1.0, -1.0))
_PATTERNS: dict[int, tuple[tuple[Place, ...], ...]] = {
    1: (((0.0, 0.0),),),
    2: (_DIAGONAL,),
    3: ((*_DIAGONAL, (0.0, 0.0)),),
    4: (_CORNERS,),
    5: ((*_CORNERS, (0.0, 0.0)),),
    6: ((*_CORNERS, (-1.0, 0.0), (1.0, 0.0)), (*_CORNERS, (0.0, -1.0), (0.0, 1.0))),
}


@dataclass(frozen=True, slots=True)
class Pattern:
    """The places of the pips of one value and the places that must be empty, in lattice units."""

    pips: tuple[Place, ...]
    empty: tuple[Place, ...]


def patterns(value: int, shape: Place = (1.0, 1.0)) -> list[Pattern]:
    """Return the ways in which a value may be drawn; `shape` brings rows nearer to each other."""
    ways = []
    for pips in _PATTERNS[value]:
        empty = tuple(place for place in _GRID if place not in pips)
        ways.append(Pattern(_scaled(pips, shape), _scaled(empty, shape)))
    return ways


def _scaled(places: tuple[Place, ...], shape: Place) -> tuple[Place, ...]:
    return tuple((x * shape[0], y * shape[1]) for x, y in places)


_LEAST_CONTRAST = 26.0  # distance of body and pip in the colour cube
# A step in colour of this size, or of this part of the body's own brightness, ends the face.
_EDGE_CONTRAST, _EDGE_PART = 22.0, 0.1
_MOST_UNEVEN = 60.0  # a marbled or shining body varies, but not beyond this
_EVEN = 0.8  # quantile of a plain body's pixels that gives how much it varies
_PIP_HALO = 0.3  # lens and sensor blur a pip's rim this far, in lattice units
ROUND_OUT = 1.3  # a ray is followed this far beyond the largest half edge
_PIXEL = 0.08  # every place has the middle of a pixel this near, in lattice units
_STEP = 50  # places and radii are rounded to a fiftieth of a unit, much less than a pixel, for the caches


@dataclass(frozen=True, slots=True, eq=False)
class Colours:
    """The colours (BGR) of a face's body and of its pips."""

    body: Real
    pip: Real


@dataclass(frozen=True, slots=True)
class Likeness:
    """The likeness of a patch to a pattern: 0 is the body's colour, 1 the pips'.

    `present` is that of the faintest pip, `absent` that of the empty place most like a pip; `stray` is the part of the
    rest of the face that looks like a pip.
    """

    present: float
    absent: float
    stray: float


def patch_of(picture: Pixels, middle: Real, turn_rad: float, unit_px: float) -> Planes:
    """Return the surroundings of a face of this lattice unit, turned upright."""
    scale = unit_px / _UNIT
    cosine, sine = math.cos(turn_rad) * scale, math.sin(turn_rad) * scale
    half = (_PATCH - 1) / 2
    to_view = np.array(
        [
            [cosine, -sine, middle[0] - (cosine - sine) * half],
            [sine, cosine, middle[1] - (sine + cosine) * half],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(picture, to_view, (_PATCH, _PATCH), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch.reshape(-1, 3).T, np.float32)


def colours_of(patch: Planes, pattern: Pattern, pip_units: float) -> Colours | None:
    """Return the colours of body and pips; None when they are too much alike."""
    around = _beside_pips(pattern, 1.3, 2.6 * pip_units, 1.5 * pip_units)
    body = _quantile(patch[:, around], 0.5).astype(np.float64)
    pip = _quantile(patch[:, _on(pattern.pips, 0.6 * pip_units)], 0.5).astype(np.float64)
    return None if np.linalg.norm(pip - body) < _LEAST_CONTRAST else Colours(body, pip)


def measure_likeness(patch: Planes, colours: Colours, pattern: Pattern, pip_units: float) -> Likeness:
    """Return the likeness of a patch to one pattern, by the position of each pixel between the body's colour and the
    pips'.
    """
    axis = colours.pip - colours.body
    to_pip = (axis / (axis @ axis)).astype(np.float32)
    pipness = to_pip @ patch - float(to_pip @ colours.body)
    places = _steps(pattern.pips + pattern.empty)
    pixels, starts, counts = _each_disc(places, _in_steps(max(0.6 * pip_units, _PIXEL)))
    about: list[float] = (np.add.reduceat(pipness[pixels], starts) / counts).tolist()
    present, absent = min(about[: len(pattern.pips)]), max(about[len(pattern.pips) :])
    rest = pipness[_in_square(1.35, _steps(pattern.pips), _in_steps(1.45 * pip_units))]
    return Likeness(present, absent, np.count_nonzero(rest > 0.5) / len(rest))


def rays_of(patch: Planes, pattern: Pattern, pip_units: float, colours: Colours, high: float) -> Real:
    """Return the distance to which the body reaches from the middle (72), in lattice units; its own pips stop no
    ray.
    """
    from_body = patch - colours.body.astype(np.float32)[:, None]
    off = np.sqrt(np.einsum("cn,cn->n", from_body, from_body))
    usual = float(_quantile(off[None, _beside_pips(pattern, 1.2, 2.4 * pip_units, 1.5 * pip_units)], _EVEN)[0])
    step = max(_EDGE_CONTRAST, _EDGE_PART * float(np.linalg.norm(colours.body)), min(2.5 * usual, _MOST_UNEVEN))
    like = (off < step).astype(np.float32)
    like[_on(pattern.pips, pip_units + _PIP_HALO)] = 1.0
    limit = min(high * ROUND_OUT, REACH) * _UNIT
    return measure_reaches(like.reshape(_PATCH, _PATCH), limit) / _UNIT


def _quantile(planes: Planes, part: float) -> Planes:
    """Return the level below which this part of each plane's (n, m) pixels lies, (n)."""
    place = int(part * (planes.shape[1] - 1))
    return np.asarray(np.partition(planes, place, axis=1)[:, place], np.float32)


def _on(places: tuple[Place, ...], radius: float) -> Index:
    """Return the pixels within `radius` of one of the places; at least one."""
    return _discs(_steps(places), _in_steps(max(radius, _PIXEL)))


def _beside_pips(pattern: Pattern, half: float, around: float, radius: float) -> Index:
    """Return the pixels of the body without discs around the pips: those in the square between them of this half edge,
    or those in the disc around a single pip.
    """
    pips = _steps(pattern.pips)
    if len(pips) == 1:
        return _in_ring(_in_steps(around), _in_steps(radius))
    return _in_square(half, pips, _in_steps(radius))


def _steps(places: tuple[Place, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((_in_steps(x), _in_steps(y)) for x, y in places)


def _in_steps(units: float) -> int:
    return round(_STEP * units)


_LINE = (np.arange(_PATCH) - (_PATCH - 1) / 2) / _UNIT
_ACROSS, _DOWN = (units.ravel() for units in np.meshgrid(_LINE, _LINE))


@lru_cache(maxsize=4096)
def _discs(places: tuple[tuple[int, int], ...], radius: int) -> Index:
    return np.flatnonzero(_in_discs(places, radius))


@lru_cache(maxsize=4096)
def _each_disc(places: tuple[tuple[int, int], ...], radius: int) -> tuple[Index, Index, Index]:
    """Return the pixels of one disc after the other, where each begins, and how many it has."""
    discs = [_discs((place,), radius) for place in places]
    counts = np.array([len(disc) for disc in discs])
    return np.concatenate(discs), np.cumsum(counts) - counts, counts


@lru_cache(maxsize=4096)
def _in_square(half: float, pips: tuple[tuple[int, int], ...], radius: int) -> Index:
    square = (np.abs(_ACROSS) <= half) & (np.abs(_DOWN) <= half)
    return np.flatnonzero(square & ~_in_discs(pips, radius))


@lru_cache(maxsize=4096)
def _in_ring(outer: int, inner: int) -> Index:
    middle = ((0, 0),)
    return np.flatnonzero(_in_discs(middle, outer) & ~_in_discs(middle, inner))


def _in_discs(places: tuple[tuple[int, int], ...], radius: int) -> NDArray[np.bool_]:
    found = np.zeros(_ACROSS.shape, bool)
    for x, y in places:
        found |= (_ACROSS - x / _STEP) ** 2 + (_DOWN - y / _STEP) ** 2 <= (radius / _STEP) ** 2
    return found
