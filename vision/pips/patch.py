"""Bring the surroundings of a face to one size and rotation, and measure its colours and its square there."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Real, Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2

_ANGLES = 72
_QUARTER = _ANGLES // 4
_STEPS = 48
_ROUNDED = 1.2  # a rounded corner lies this far out at most, in half edges (a sharp one at 1.41)
_NEAR = 0.09  # a ray agrees with the square within this part of the half edge
_CUT = 0.2  # a ray this much shorter than the square is cut off
_HALVES = 28
_WELL = 0.6
_FAN = 6  # rays on each side of a side's normal that meet this side and no corner
_STRAIGHT = 0.6  # part of a side's rays that end on one line if there is a side
_LINE = 0.08  # ... within this part of its distance
_OFF_MIDDLE = 0.2  # a face's pips lie this far off the middle of its square at most, in half edges
_UNEQUAL = 0.14  # its two widths differ by less than this part

_RAYS = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)


_TURNS = _RAYS[:_QUARTER, None]
# For every turn (a quarter in steps of one ray), the reach of each ray of a square of half edge 1.
_SQUARES = np.asarray(
    np.minimum(1 / np.maximum(np.abs(np.cos(_RAYS - _TURNS)), np.abs(np.sin(_RAYS - _TURNS))), _ROUNDED), np.float32
)
# For every turn and side the rays (18, 4, 13) that meet it, and the cosines that make them distances (13).
_FAN_RAYS = np.arange(-_FAN, _FAN + 1)
_RAYS_OF_SIDE = ((np.arange(_QUARTER)[:, None] + np.arange(4)[None] * _QUARTER)[:, :, None] + _FAN_RAYS) % _ANGLES
_FAN_COSINES = np.cos(_FAN_RAYS * (2 * np.pi / _ANGLES))
# For every turn, side and ray (18, 4, 72) the cosine between normal and ray, not below a small number.
_COSINES = np.maximum(np.cos(_RAYS - (_TURNS + np.arange(4)[None] * (np.pi / 2))[:, :, None]), 1e-3)


@dataclass(frozen=True, slots=True)
class Outline:
    """A square around a middle, fitted to where rays end."""

    half_px: float  # half its edge
    turn_rad: float  # 0..pi/2
    agree: float  # 0..1: part of the rays that end on it
    short: float  # part of the rays that end clearly inside it: a square with cuts is not a face


def measure_reaches(like_body: Real32, limit_px: float) -> Real:
    """Return how far the body goes from the middle of a square patch in every direction (72), in pixels.

    `like_body` (h, h) is 1 where the patch has the body's colour, else 0. Rays that never leave it reach `limit_px`.
    """
    middle = (like_body.shape[0] - 1) / 2
    polar = cv2.warpPolar(
        like_body, (_STEPS, _ANGLES), (middle, middle), limit_px, cv2.WARP_POLAR_LINEAR | cv2.INTER_LINEAR
    )
    outside = polar < 0.5
    # One dark pixel is noise; two in a row are the edge.
    outside[:, :-1] &= outside[:, 1:]
    first = np.where(outside.any(axis=1), outside.argmax(axis=1), _STEPS)
    return np.asarray(first * (limit_px / _STEPS), np.float64)


def fit_square(rays: Real, halves: tuple[float, float], turn_rad: float | None = None) -> Outline:
    """Return the square on which most rays end, with half its edge within `halves` and turned by `turn_rad` if known.

    A square around the middle is tried first; where none fits well each side is searched by itself, for the pips need
    not lie exactly in the middle.
    """
    turns = np.arange(_QUARTER)
    if turn_rad is not None:
        nearest = round(turn_rad / (_RAYS[1])) % _QUARTER
        turns = np.array([(nearest - 1) % _QUARTER, nearest, (nearest + 1) % _QUARTER])
    tries = np.linspace(*halves, _HALVES)
    off = np.asarray(rays / tries[:, None], np.float32)[:, None] - _SQUARES[turns]
    # NumPy's means of booleans take several times as long as counts.
    agree, short = np.count_nonzero(np.abs(off) < _NEAR, axis=2), np.count_nonzero(off < -_CUT, axis=2)
    place = int(np.argmax(agree - short))
    size, turn = divmod(place, len(turns))
    shares = agree.item(place) / _ANGLES, short.item(place) / _ANGLES
    centred = Outline(float(tries[size]), float(_RAYS[turns[turn]]), *shares)
    if centred.agree - 2 * centred.short > _WELL:
        return centred
    sides, half = _sides(rays[_RAYS_OF_SIDE[turns]] * _FAN_COSINES, halves)
    fits = np.isfinite(half)
    if not fits.any():
        return centred
    turns, sides, half = turns[fits], sides[fits], half[fits]
    model = np.minimum((sides[:, :, None] / _COSINES[turns]).min(axis=1), _ROUNDED * half[:, None])
    off = (rays - model) / half[:, None]
    agree, short = (np.count_nonzero(rest, axis=1) / _ANGLES for rest in (np.abs(off) < _NEAR, off < -_CUT))
    best = int(np.argmax(agree - short))
    apart = Outline(float(half[best]), float(_RAYS[turns[best]]), float(agree[best]), float(short[best]))
    return max(centred, apart, key=lambda outline: outline.agree - 2 * outline.short)


def _sides(distances: Real, halves: tuple[float, float]) -> tuple[Real, Real]:
    """Return for every turn the distances of the four sides (n, 4) and half the edge (n), NaN where there is no square.

    `distances` (n, 4, 13) are those of the points in which rays end, along each side's normal.
    """
    # An odd number of rays meets a side: the middle one is their median, in a third of the time.
    middle = np.partition(distances, _FAN, axis=2)[:, :, _FAN]
    near = np.count_nonzero(np.abs(distances - middle[:, :, None]) < _LINE * middle[:, :, None], axis=2)
    least, most = halves
    there = (
        (near > _STRAIGHT * distances.shape[2])
        & (middle > least * (1 - _OFF_MIDDLE))
        & (middle < most * (1 + _OFF_MIDDLE))
    )
    known = np.where(there, middle, np.nan)
    widths = (known[:, :2] + known[:, 2:]) / 2
    apart = np.abs(known[:, :2] - known[:, 2:]) / 2
    widths[apart > _OFF_MIDDLE * widths] = np.nan
    lowest, highest = np.fmin(widths[:, 0], widths[:, 1]), np.fmax(widths[:, 0], widths[:, 1])
    half = (lowest + highest) / 2
    half[(highest > (1 + _UNEQUAL) * lowest) | (half < least) | (half > most)] = np.nan
    # The place of a missing side follows from the one opposite.
    opposite = np.roll(known, 2, axis=1)
    guessed = np.where(np.isnan(opposite), half[:, None], 2 * half[:, None] - opposite)
    return np.where(there, middle, guessed), half


_PATCH = 72  # the face is brought to a patch of this many pixels
REACH = 3.4  # ... that shows this many lattice units from its middle to its rim
_UNIT = (_PATCH - 1) / 2 / REACH  # one lattice unit in patch pixels

Place = tuple[float, float]
Planes = NDArray[np.float32]
"""The three colours (BGR) of a patch's pixels, (3, 5184), row by row; or some of them."""

Pips = tuple[Place, ...]
"""The places of a face's pips in lattice units: from the middle to an outer pip along a side is 1."""

Index = NDArray[np.intp]
"""Some pixels of a patch, as places in its rows."""

_DIAGONAL = ((-1.0, -1.0), (1.0, 1.0))
_CORNERS = (*_DIAGONAL, (-1.0, 1.0), (1.0, -1.0))
_MIDDLE = (0.0, 0.0)
_PIPS: dict[int, Pips] = {
    1: (_MIDDLE,),
    2: _DIAGONAL,
    3: (*_DIAGONAL, _MIDDLE),
    4: _CORNERS,
    5: (*_CORNERS, _MIDDLE),
    6: (*_CORNERS, (-1.0, 0.0), (1.0, 0.0)),
}


def pips_of(value: int, shape: Place = (1.0, 1.0)) -> Pips:
    """Return the pips of a value; `shape` brings the rows, or the pips of a row, nearer to each other."""
    return tuple((x * shape[0], y * shape[1]) for x, y in _PIPS[value])


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


def patch_of(picture: Pixels, middle: Real, turn_rad: float, unit_px: float) -> Planes:
    """Return the surroundings of a face of this lattice unit, turned upright."""
    scale = unit_px / _UNIT
    cosine, sine = math.cos(turn_rad) * scale, math.sin(turn_rad) * scale
    half = (_PATCH - 1) / 2
    to_view = np.array(
        [[cosine, -sine, middle[0] - (cosine - sine) * half], [sine, cosine, middle[1] - (sine + cosine) * half]]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(picture, to_view, (_PATCH, _PATCH), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch.reshape(-1, 3).T, np.float32)


def colours_of(patch: Planes, pips: Pips, pip_units: float) -> Colours | None:
    """Return the colours of body and pips; None when they are too much alike."""
    around = _beside_pips(pips, 1.3, 2.6 * pip_units, 1.5 * pip_units)
    body = _quantile(patch[:, around], 0.5).astype(np.float64)
    pip = _quantile(patch[:, _on(pips, 0.6 * pip_units)], 0.5).astype(np.float64)
    return None if np.linalg.norm(pip - body) < _LEAST_CONTRAST else Colours(body, pip)


def rays_of(patch: Planes, pips: Pips, pip_units: float, colours: Colours, high: float) -> Real:
    """Return how far the body reaches from the middle (72), in lattice units; its own pips stop no ray."""
    from_body = patch - colours.body.astype(np.float32)[:, None]
    off = np.sqrt(np.einsum("cn,cn->n", from_body, from_body))
    usual = float(_quantile(off[None, _beside_pips(pips, 1.2, 2.4 * pip_units, 1.5 * pip_units)], _EVEN)[0])
    step = max(_EDGE_CONTRAST, _EDGE_PART * float(np.linalg.norm(colours.body)), min(2.5 * usual, _MOST_UNEVEN))
    like = (off < step).astype(np.float32)
    like[_on(pips, pip_units + _PIP_HALO)] = 1.0
    limit = min(high * ROUND_OUT, REACH) * _UNIT
    return measure_reaches(like.reshape(_PATCH, _PATCH), limit) / _UNIT


def _quantile(planes: Planes, part: float) -> Planes:
    """Return the level below which this part of each plane's (n, m) pixels lies, (n)."""
    place = int(part * (planes.shape[1] - 1))
    return np.asarray(np.partition(planes, place, axis=1)[:, place], np.float32)


def _on(places: Pips, radius: float) -> Index:
    """Return the pixels within `radius` of one of the places; at least one."""
    return _discs(_steps(places), _in_steps(max(radius, _PIXEL)))


def _beside_pips(pips: Pips, half: float, around: float, radius: float) -> Index:
    """Return the pixels of a body off its pips: in the square between them, or in the disc around a single one."""
    if len(pips) == 1:
        return _in_ring(_in_steps(around), _in_steps(radius))
    return _in_square(half, _steps(pips), _in_steps(radius))


def _steps(places: Pips) -> tuple[tuple[int, int], ...]:
    return tuple((_in_steps(x), _in_steps(y)) for x, y in places)


def _in_steps(units: float) -> int:
    return round(_STEP * units)


_PATCH_LINE = (np.arange(_PATCH) - (_PATCH - 1) / 2) / _UNIT
_ACROSS, _DOWN = (units.ravel() for units in np.meshgrid(_PATCH_LINE, _PATCH_LINE))


@lru_cache(maxsize=4096)
def _discs(places: tuple[tuple[int, int], ...], radius: int) -> Index:
    return np.flatnonzero(_in_discs(places, radius))


@lru_cache(maxsize=4096)
def _in_square(half: float, pips: tuple[tuple[int, int], ...], radius: int) -> Index:
    square = (np.abs(_ACROSS) <= half) & (np.abs(_DOWN) <= half)
    return np.flatnonzero(square & ~_in_discs(pips, radius))


@lru_cache(maxsize=4096)
def _in_ring(outer: int, inner: int) -> Index:
    middle = ((0, 0),)
    return np.flatnonzero(_in_discs(middle, outer) & ~_in_discs(middle, inner))


def _in_discs(places: tuple[tuple[int, int], ...], radius: int) -> Flags:
    found = np.zeros(_ACROSS.shape, bool)
    for x, y in places:
        found |= (_ACROSS - x / _STEP) ** 2 + (_DOWN - y / _STEP) ** 2 <= (radius / _STEP) ** 2
    return found
