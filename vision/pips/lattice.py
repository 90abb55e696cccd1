"""Read the pips about a place: the one check of what the networks claim there.

The surroundings are compared with drawn faces of all values, in all turns and sizes. Pips that run together, that gloss
cuts into or that hardly differ from the body are no separate round spots; the face as a whole still has them where they
belong, and nothing elsewhere: so it correlates with the drawn face of its value.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Real, Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2
from vision.pips.patch import pips_of

_EDGE = 28.0  # pixels of a die's edge in the small picture that is compared: pips are 2 to 3 of them in radius
_EDGES = (0.72, 0.82, 0.93, 1.06, 1.2, 1.35)  # of dice of 11.5 to 21.6 mm, in usual edges; each is a seventh more
_DISC = 0.47  # edges from the middle: the disc holds all pips and lies within the face at any turn
_REACH = math.ceil(_DISC * _EDGE)
# Pixels of the small picture by which the middle may lie off the place: 2 mm, and of small dice 1.6. Every second one
# is tried, and those about the best of each value.
_OFF, _COARSE = 4, 2
_SIDE = 2 * (_REACH + _OFF + 1) + 1
_SMOOTH = 0.45  # smoothing in pixels of the small picture, which skips pixels
_PITCHES = (0.19, 0.215, 0.24, 0.265, 0.29)  # from middle to outer pip, in edges
_RADII = (0.3, 0.42)  # of pips, in pitches
_ONES = (0.07, 0.1, 0.14)  # of the pip of a 1, in edges
_STEP_DEG = 10.0  # an outer pip moves by less than half its radius
_FINER_DEG = (-5.0, -2.5, 0.0, 2.5, 5.0)  # ... and these steps of the turn that fits best are tried
_BESIDE = np.array([(across, down) for down in (-1, 0, 1) for across in (-1, 0, 1)])
_RIM = 0.6  # pixels of the small picture over which a pip's rim is soft
_DARK = 1.0  # added to the length of a disc, in levels: an even one is like nothing
_FEW = 40  # discs that make up all but 2 % of the worst drawn face, and all but 0.5 % of most
# The least likeness, and by how much a larger value may fit less well. Of 1,409 flat dice of throws drawn by two
# renderers 1,404 were so read by their pips alone, 3 had another value and 2 none; with 0.02 or 0.08 for the last 6 had
# another value.
_LIKE, _NEARLY = 0.75, 0.05
_SHAPES = ((1.0, 1.0), (1.0, 0.8), (0.78, 1.0), (0.6, 1.0))  # of a 6: its rows, and the pips of each, may lie closer


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """The pips of a value where they fit best about a place; places and lengths in pixels of the picture."""

    value: int
    middle: Real  # (2,)
    turn_rad: float
    pitch_px: float  # from the middle to the outer pips, along a side
    pip_px: float  # radius
    shape: tuple[float, float]  # see `pips_of`
    likeness: float  # correlation with the drawn face of the value, 0..1

    @property
    def places(self) -> Real:
        """The places (n, 2) of the pips."""
        return np.asarray(self.middle + _turned(self.value, self.shape, self.turn_rad) * self.pitch_px, np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A drawn face: its turn, and in edges the `pitch` from middle to outer pips and the `radius` of pips."""

    value: int
    turn_rad: float
    pitch: float
    radius: float
    shape: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A drawn face where it fits best.

    Its middle (2,) is in pixels of a small grey picture (n), in which dice of this edge have that of drawn ones; the
    likeness (0..1) is that to the picture there.
    """

    drawn: _Drawn
    edge_px: float
    plane: Real32
    middle: NDArray[np.intp]
    likeness: float


def read_pips(picture: Pixels, place: Real, usual_px: float) -> Lattice | None:
    """Return the lattice of the value that the pips about a place (2,) show, or None; dice have about the usual edge.

    Some pips of a face often make a face of fewer: of the values that fit nearly as well as the best, the largest
    counts.
    """
    best = [
        _finer(max(fits, key=lambda fit: fit.likeness))
        for fits in zip(*_fits_by_edge(picture, place, usual_px), strict=True)
    ]
    least = max(_LIKE, max(fit.likeness for fit in best) - _NEARLY)
    read = max((fit for fit in best if fit.likeness >= least), key=lambda fit: fit.drawn.value, default=None)
    if read is None:
        return None
    drawn, edge_px = read.drawn, read.edge_px
    return Lattice(
        drawn.value,
        place + (read.middle - _SIDE // 2) * (edge_px / _EDGE),
        drawn.turn_rad,
        drawn.pitch * edge_px,
        drawn.radius * edge_px,
        drawn.shape,
        read.likeness,
    )


def _fits_by_edge(picture: Pixels, place: Real, usual_px: float) -> Iterator[list[_Fit]]:
    """Return for each edge of dice the best fit of each value, from 1."""
    drawn, few, shares = _drawn_faces()
    for part in _EDGES:
        edge_px = part * usual_px
        planes = _planes_about(picture, place, edge_px)
        discs = planes[:, _pixels_of_coarse()].reshape(-1, few.shape[0])
        likeness = np.abs((discs @ few) @ shares) / _lengths(discs)[:, None]
        fits = []
        for own in _values():
            row, face = divmod(int(likeness[:, own].argmax()), own.stop - own.start)
            plane, at = divmod(row, len(_coarse()))
            here = float(likeness[row, own.start + face])
            fits.append(_Fit(drawn[own.start + face], edge_px, planes[plane], _coarse()[at], here))
        yield fits


def _finer(fit: _Fit) -> _Fit:
    """Return the same fit with its middle and its turn in finer steps."""
    near, drawn_discs = _near_turns(fit.drawn)
    middles = fit.middle + _BESIDE
    discs = _normalized(fit.plane[_pixels_of_discs(middles)])
    likeness = np.abs(discs @ drawn_discs.T)
    at, turn = divmod(int(likeness.argmax()), len(near))
    return replace(fit, drawn=near[turn], middle=middles[at], likeness=float(likeness[at, turn]))


@lru_cache(maxsize=512)  # of 11 kB each
def _near_turns(drawn: _Drawn) -> tuple[tuple[_Drawn, ...], Real32]:
    """Return the drawn face in finer steps of its turn, and their discs as rows (n, m)."""
    near = tuple(replace(drawn, turn_rad=drawn.turn_rad + math.radians(step)) for step in _FINER_DEG)
    return near, _discs_of(near)


def _planes_about(picture: Pixels, place: Real, edge_px: float) -> Real32:
    """Return the surroundings of a place in four small grey pictures, each as a row of pixels: (4, n)."""
    step = edge_px / _EDGE
    around = cv2.getRectSubPix(picture, (2 * math.ceil(_SIDE * step / 2) + 1,) * 2, (float(place[0]), float(place[1])))
    smooth = cv2.GaussianBlur(around, (0, 0), max(_SMOOTH, _SMOOTH * step))
    left = (len(around) - 1) / 2 - step * (_SIDE - 1) / 2
    way = np.array([[step, 0, left], [0, step, left]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    small = cv2.warpAffine(smooth, way, (_SIDE, _SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    # Pips may stand out in the usual grey, the least of the colours, red or blue.
    blue, green, red = cv2.split(small)
    planes = np.stack((cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), cv2.min(cv2.min(blue, green), red), red, blue))
    return np.asarray(planes.reshape(len(planes), -1), np.float32)


@cache
def _coarse() -> NDArray[np.intp]:
    """Return the middles (n, 2) that are tried first, across and down."""
    line = _SIDE // 2 + np.arange(-_OFF, _OFF + 1, _COARSE)
    return np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)


@cache
def _pixels_of_coarse() -> NDArray[np.intp]:
    return _pixels_of_discs(_coarse())


def _pixels_of_discs(middles: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the pixels (n, m) of a small picture in the discs about these middles (n, 2)."""
    across, down = (line[_inside()] for line in _lines())
    return np.asarray((middles[:, 1:] + down) * _SIDE + middles[:, :1] + across, np.intp)


def _lengths(discs: Real32) -> Real32:
    """Return the lengths (n) of discs without their mean and slope, to which drawn faces are orthogonal."""
    plain = discs @ _plain()
    rest = np.einsum("nm,nm->n", discs, discs) - np.einsum("nk,nk->n", plain, plain)
    return np.asarray(np.sqrt(np.maximum(rest, 0.0)) + _DARK, np.float32)


def _turned(value: int, shape: tuple[float, float], turn_rad: float) -> Real:
    """Return the places (n, 2) of the pips of a face with a pitch of 1."""
    cosine, sine = math.cos(turn_rad), math.sin(turn_rad)
    upright = np.array(pips_of(value, shape))
    return np.asarray(upright @ np.array([[cosine, sine], [-sine, cosine]]), np.float64)


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
    down, across = np.mgrid[-_REACH : _REACH + 1, -_REACH : _REACH + 1]
    return across, down


@cache
def _plain() -> Real32:
    """Return the constant and the two slopes over the disc as orthonormal columns, (n, 3)."""
    inside = _inside()
    columns = np.column_stack([np.ones(int(inside.sum())), *(line[inside] for line in _lines())])
    return np.asarray(np.linalg.qr(columns)[0], np.float32)


@cache
def _drawn_faces() -> tuple[tuple[_Drawn, ...], Real32, Real32]:
    """Return every drawn face, by value; and discs (m, k) of which their shares (k, n) nearly make up every one's disc:
    comparing with those is a fifth of the work.
    """
    plain = (1.0, 1.0)
    drawn = [_Drawn(1, 0.0, 0.25, radius, plain) for radius in _ONES]
    for value in range(2, 7):
        # A quarter turn maps a 4 or 5 to itself, half a turn the others.
        turns = np.radians(np.arange(0, 90 if value in (4, 5) else 180, _STEP_DEG)).tolist()
        ways = product(_SHAPES if value == 6 else (plain,), _PITCHES, _RADII, turns)
        drawn += [_Drawn(value, turn, pitch, radius * pitch, shape) for shape, pitch, radius, turn in ways]
    rows = np.concatenate([_discs_of(list(alike)) for _, alike in groupby(drawn, key=lambda face: face.value)])
    few = np.ascontiguousarray(np.linalg.eigh(rows.T @ rows)[1][:, -_FEW:])
    return tuple(drawn), few, np.ascontiguousarray((rows @ few).T)


def _discs_of(drawn: Sequence[_Drawn]) -> Real32:
    """Return the discs (n, m) of drawn faces of one value: about 1 in the pips and 0 beside them."""
    at = np.stack([line[_inside()] for line in _lines()], axis=1).astype(np.float32)
    pips = np.array([_turned(face.value, face.shape, face.turn_rad) * face.pitch for face in drawn], np.float32)
    pips *= np.float32(_EDGE)
    away = (at**2).sum(axis=1) + ((pips**2).sum(axis=2)[:, :, None] - 2 * pips @ at.T)
    nearest = np.sqrt(np.maximum(away.min(axis=1), 0))
    radii = np.array([[face.radius * _EDGE] for face in drawn], np.float32)
    return _normalized(np.asarray(1 / (1 + np.exp((nearest - radii) / np.float32(_RIM))), np.float32))


@cache
def _values() -> tuple[slice, ...]:
    """Return for each value, from 1, which of the drawn faces are its own."""
    values = [face.value for face in _drawn_faces()[0]]
    return tuple(slice(values.index(value), values.index(value) + values.count(value)) for value in range(1, 7))
