"""The square of a face about a known middle: how far its one colour reaches in every direction."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

_ANGLES = 72
_QUARTER = _ANGLES // 4
_STEPS = 48
_ROUNDED = 1.2  # a rounded corner lies this far out at most, in half edges (a sharp one at 1.41)
_NEAR = 0.09  # a ray agrees with the square within this part of the half edge
_CUT = 0.2  # a ray this much shorter than the square is cut off

_RAYS = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)


def _square_table() -> NDArray[np.float64]:
    """For every turn (a quarter in steps of one ray), the reach of each ray of a square of half edge 1."""
    turns = _RAYS[:_QUARTER, None]
    along = np.maximum(np.abs(np.cos(_RAYS - turns)), np.abs(np.sin(_RAYS - turns)))
    return np.minimum(1 / along, _ROUNDED)


_SQUARES = _square_table()


@dataclass(frozen=True, slots=True)
class Outline:
    """A square found about a middle: `half_px` half its edge, `turn_rad` 0..pi/2, `agree` 0..1 of the rays on it."""

    half_px: float
    turn_rad: float
    agree: float
    short: float


def reaches(like_body: NDArray[np.float32], limit_px: float) -> NDArray[np.float64]:
    """How far (72) from the middle of a square patch the body goes in every direction, in patch pixels.

    `like_body` (h, h) is 1 where the patch has the body's colour, 0 where not. A ray that never leaves the
    body reaches `limit_px`.
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


def fit_square(rays: NDArray[np.float64], halves: NDArray[np.float64], turn_rad: float | None = None) -> Outline:
    """The square on which most rays end; `halves` are the half edges to try, `turn_rad` its turn if known.

    `short` is the part of the rays that end clearly inside it: a square cut into is none.
    """
    turns = np.arange(_QUARTER)
    if turn_rad is not None:
        nearest = round(turn_rad / (_RAYS[1])) % _QUARTER
        turns = np.array([(nearest - 1) % _QUARTER, nearest, (nearest + 1) % _QUARTER])
    model = halves[:, None, None] * _SQUARES[None, turns]
    off = (rays - model) / halves[:, None, None]
    agree = (np.abs(off) < _NEAR).mean(axis=2)
    short = (off < -_CUT).mean(axis=2)
    score = agree - short
    best = np.unravel_index(int(np.argmax(score)), score.shape)
    half, turn = float(halves[best[0]]), float(_RAYS[turns[best[1]]])
    return Outline(half, turn, float(agree[best]), float(short[best]))
