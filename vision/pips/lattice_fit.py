"""Compare the surroundings of a place with drawn faces, in all turns and sizes: a reader without spots.

Pips that run together, that gloss cuts into or that hardly differ from the body are not separate round spots. The face
as a whole still has them where its lattice expects them, and nothing elsewhere: so it correlates with the drawn face of
its value, and clearly less with every other one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Real, Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2
from vision.pips.face_candidates import Candidate
from vision.pips.patch import patterns

# The least correlation (0..1) with a drawn face. Of some 100 dice in photographs nearly all with visible pips had 0.83
# or more, but a part of a face, or a place beside one, may have as much as 0.9: alone this says little. Of 700 rendered
# dice of any colours, seen from any side, the network was nearly certain (0.85) of the value of the likest face in 601,
# and one of these had another value.
_LIKE = 0.65
_EDGE = 28.0  # pixels of a die's edge in the small picture that is compared: pips are 2 to 3 of them in radius
_DISC = 0.47  # edges from the middle: the disc holds all pips and lies within the face at any rotation
_OFF = 6  # pixels of the small picture that the middle may lie off the place, a fifth of an edge
_SMOOTH = 0.45  # smoothing in pixels of the small picture, which skips pixels
_PITCHES = (0.19, 0.215, 0.24, 0.265, 0.29)  # from middle to outer pip, in edges
_RADII = (0.3, 0.42)  # of pips, in pitches
_ONES = (0.07, 0.1, 0.14)  # of the pip of a 1, in edges
_STEP_DEG = 7.5  # an outer pip moves by a third of its radius
_RIM = 0.6  # pixels of the small picture over which a pip's rim is soft
_FEW = 80  # discs that make up all but 8 % of the worst drawn face, and all but 5 % of most
_SHAPES = ((1.0, 1.0), (1.0, 0.8), (0.78, 1.0), (0.6, 1.0))  # of a 6, as in `Candidate`


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A drawn face: its rotation, and in edges the `pitch` from middle to outer pips and the `radius` of pips."""

    value: int
    turn_rad: float
    pitch: float
    radius: float
    shape: tuple[float, float]

    @property
    def pips(self) -> Real:
        """The places (n, 2) of its pips from its middle, in edges."""
        cosine, sine = math.cos(self.turn_rad), math.sin(self.turn_rad)
        upright = np.array(patterns(self.value, self.shape)[0].pips)
        return np.asarray(upright @ np.array([[cosine, sine], [-sine, cosine]]) * self.pitch, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Best:
    """The drawn face most like the surroundings: its likeness (0..1), which face, and where (pixels of the picture)."""

    likeness: float
    drawn: _Drawn
    light: bool
    middle: Real
    edge_px: float


def fit_lattice(picture: Pixels, place: Real, edges_px: Sequence[float]) -> tuple[Candidate, float] | None:
    """Return the best face around a place, for dice with one of these edges, and its likeness, or None."""
    best = max((_likest(picture, place, edge_px) for edge_px in edges_px), key=lambda found: found.likeness)
    if best.likeness < _LIKE:
        return None
    drawn, edge_px = best.drawn, best.edge_px
    unit_px, radius_px = drawn.pitch * edge_px, drawn.radius * edge_px
    turn = drawn.turn_rad + math.atan2(drawn.shape[1], drawn.shape[0])
    reach = math.hypot(*drawn.shape) * unit_px * np.array([math.cos(turn), math.sin(turn)])
    places, light, value = best.middle + drawn.pips * edge_px, best.light, drawn.value
    face = Candidate(value, best.middle, reach, unit_px, radius_px, light, (), places, 1.0, 0.0, drawn.shape)
    return face, best.likeness


def _likest(picture: Pixels, place: Real, edge_px: float) -> _Best:
    """Return the drawn face most like the surroundings in any of the grey pictures, for dice of this edge."""
    inside = _inside()
    side, step = len(inside) + 2 * _OFF, edge_px / _EDGE
    around = cv2.getRectSubPix(picture, (2 * math.ceil(side * step / 2) + 1,) * 2, (float(place[0]), float(place[1])))
    smooth = cv2.GaussianBlur(around, (0, 0), max(_SMOOTH, _SMOOTH * step))
    left = (len(around) - 1) / 2 - step * (side - 1) / 2
    way = np.array([[step, 0, left], [0, step, left]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    warped = cv2.warpAffine(smooth, way, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    small = np.asarray(warped, np.float32)
    # Pips may stand out in the usual grey, the least of the colours, red or blue.
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    # The discs around all 169 possible middles, row by row.
    parts = []
    for plane in (grey, small.min(axis=2), small[..., 2], small[..., 0]):
        windows = np.lib.stride_tricks.sliding_window_view(plane, inside.shape)
        parts.append(_normalized(windows[:, :, inside].reshape(-1, int(inside.sum()))))
    discs = np.concatenate(parts)
    drawn, rows = _all_drawn()
    few, shares = _in_few()
    part, face = divmod(int(np.abs((discs @ few) @ shares).argmax()), len(drawn))
    likeness = float(discs[part] @ rows[face])
    down, across = divmod(part % (2 * _OFF + 1) ** 2, 2 * _OFF + 1)
    middle = place + np.array([across - _OFF, down - _OFF]) * (edge_px / _EDGE)
    return _Best(abs(likeness), drawn[face], likeness > 0, middle, edge_px)


def _normalized(rows: Real32) -> Real32:
    """Return the rows without their mean and their slope across and down, which light causes; each of length 1."""
    plain = _plain()
    rest = rows - (rows @ plain) @ plain.T
    return np.asarray(rest / (np.linalg.norm(rest, axis=1, keepdims=True) + 1e-6), np.float32)


@cache
def _inside() -> Flags:
    across, down = _lines()
    return np.asarray(np.hypot(across, down) <= _DISC * _EDGE, np.bool_)


def _lines() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    reach = math.ceil(_DISC * _EDGE)
    down, across = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    return across, down


@cache
def _plain() -> Real32:
    """Return the constant and the two slopes over the disc as orthonormal columns, (n, 3)."""
    inside = _inside()
    columns = np.column_stack([np.ones(int(inside.sum())), *(line[inside] for line in _lines())])
    return np.asarray(np.linalg.qr(columns)[0], np.float32)


@cache
def _all_drawn() -> tuple[tuple[_Drawn, ...], Real32]:
    """Return every drawn face, and their discs as rows, (n, m)."""
    plain = (1.0, 1.0)
    drawn = [_Drawn(1, 0.0, 0.25, radius, plain) for radius in _ONES]
    for value in range(2, 7):
        # A quarter turn maps a 4 or 5 to itself, half a turn the others.
        turns = np.radians(np.arange(0, 90 if value in (4, 5) else 180, _STEP_DEG)).tolist()
        ways = product(_SHAPES if value == 6 else (plain,), _PITCHES, _RADII, turns)
        drawn += [_Drawn(value, turn, pitch, radius * pitch, shape) for shape, pitch, radius, turn in ways]
    at = np.stack([line[_inside()] for line in _lines()], axis=1).astype(np.float32)
    discs = []
    for _, group in groupby(drawn, key=lambda face: face.value):
        # 1 in the pips and 0 beside them, for all faces of one value.
        alike = tuple(group)
        pips = np.array([face.pips for face in alike], np.float32) * _EDGE
        away = (at**2).sum(axis=1) + ((pips**2).sum(axis=2)[:, :, None] - 2 * pips @ at.T)
        nearest = np.sqrt(np.maximum(away.min(axis=1), 0))
        radii = np.array([[face.radius * _EDGE] for face in alike], np.float32)
        discs.append(np.asarray(1 / (1 + np.exp((nearest - radii) / np.float32(_RIM))), np.float32))
    return tuple(drawn), _normalized(np.concatenate(discs))


@cache
def _in_few() -> tuple[Real32, Real32]:
    """Return discs (m, k) that nearly make up every drawn face, and their shares (k, n): a fifth of the work."""
    rows = _all_drawn()[1]
    few = np.linalg.eigh(rows.T @ rows)[1][:, -_FEW:]
    return np.ascontiguousarray(few), np.ascontiguousarray((rows @ few).T)
