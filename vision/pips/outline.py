"""Find the square outline of a face around a known middle: how far its one colour reaches in every direction."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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

Real = NDArray[np.float64]


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
    """A square around a middle: `half_px` half its edge, `turn_rad` 0..pi/2, `agree` 0..1 the part of the rays on it.

    `short` is the part of the rays that end clearly inside it: a square with cuts is not a face.
    """

    half_px: float
    turn_rad: float
    agree: float
    short: float


def measure_reaches(like_body: NDArray[np.float32], limit_px: float) -> Real:
    """Return the distance from the middle of a square patch to which the body goes in every direction (72), in its
    pixels.

    `like_body` (h, h) is 1 where the patch has the body's colour, 0 elsewhere. A ray that never leaves the body reaches
    `limit_px`.
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


def most_that_agree(rays: Real, largest: float) -> float:
    """Return the largest possible part of the rays on a square with half an edge of at most `largest`: those that do
    not run beyond all its corners, wherever its sides lie.
    """
    return np.count_nonzero(rays < (_ROUNDED + _NEAR) * largest) / _ANGLES


def fit_square(rays: Real, halves: tuple[float, float], turn_rad: float | None = None) -> Outline:
    """Return the square on which most rays end; half its edge lies within `halves`, and `turn_rad` is its rotation if
    known.

    A square around the middle is tried first; where none fits well each side is searched separately, so that the pips
    need not lie exactly in the middle.
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
