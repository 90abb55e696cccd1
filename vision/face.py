"""Looks closely at one suggested face: is every pip there, none else, and a die's square around them?"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels
from vision.lattice import PITCH, Candidate
from vision.outline import Outline, fit_square, reaches

_PATCH = 72  # the face is brought to a patch of this many pixels
_REACH = 3.4  # ... that shows this many lattice units from its middle to its rim
_UNIT = (_PATCH - 1) / 2 / _REACH  # one lattice unit in patch pixels

Place = tuple[float, float]

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
class _Pattern:
    """The places of the pips of one value and the places that must be empty, in lattice units."""

    pips: tuple[Place, ...]
    empty: tuple[Place, ...]


def _patterns(value: int, shape: Place = (1.0, 1.0)) -> list[_Pattern]:
    """The ways in which a value may be drawn; `shape` brings rows nearer to each other."""
    ways = []
    for pips in _PATTERNS[value]:
        empty = tuple(place for place in _GRID if place not in pips)
        ways.append(_Pattern(_scaled(pips, shape), _scaled(empty, shape)))
    return ways


def _scaled(places: tuple[Place, ...], shape: Place) -> tuple[Place, ...]:
    return tuple((x * shape[0], y * shape[1]) for x, y in places)


_LEAST_CONTRAST = 26.0  # distance of body and pip in the colour cube
# A step in colour of this size, or of this part of the body's own brightness, ends the face.
_EDGE_CONTRAST, _EDGE_PART = 22.0, 0.1
_PIP_HALO = 0.3  # lens and sensor blur a pip's rim this far, in lattice units
_PIP_PRESENT, _PIP_ABSENT = 0.5, 0.34  # 0 is the body's colour, 1 the pips'
# The square about the face: rays that must end on it, and how many more than twice those that end inside. A ray
# that runs on says little: the side of a die has the colour of its top. Many pips say more themselves.
_MANY, _FEW, _ONE = (0.28, -0.3), (0.4, 0.05), (0.42, 0.3)
_OTHER_TURN = 0.2  # two or three pips of a row of a 6 look like a face turned against its square: this much better
_ONE_EDGES = (2.5, 7.5)  # half the edge of a 1 in radii of its pip
_ROUND_OUT = 1.3  # a ray is followed this far beyond the largest half edge
_STRAY = 0.05  # part of the face that may look like a pip without being one


@dataclass(frozen=True, slots=True, eq=False)
class FaceFit:
    """A face that passed the look: its value, place and size in view pixels, colours (BGR), how round
    (`aspect`) and strong its pips are, and 0..1 for the fit."""

    value: int
    middle: NDArray[np.float64]
    turn_rad: float
    edge_px: float
    pip_px: float
    light: bool
    body: NDArray[np.float64]
    pip: NDArray[np.float64]
    spots: tuple[int, ...]
    aspect: float
    strength: float
    quality: float
    outline: Outline

    @property
    def corners(self) -> NDArray[np.float64]:
        """The corners (4, 2) of the face's square in view pixels."""
        turns = self.turn_rad + np.pi / 4 + np.arange(4) * np.pi / 2
        ring = np.column_stack((np.cos(turns), np.sin(turns)))
        return np.asarray(self.middle + ring * self.edge_px / math.sqrt(2), np.float64)


def look_at(picture: Pixels, candidate: Candidate, edges_px: tuple[float, float]) -> FaceFit | None:
    """Check a suggested face against the pixels; None when it is not one."""
    return (
        _look_at_one(picture, candidate, edges_px)
        if candidate.value == 1
        else _look_at_many(picture, candidate, edges_px)
    )


def _look_at_many(picture: Pixels, candidate: Candidate, edges_px: tuple[float, float]) -> FaceFit | None:
    turn = candidate.turn_rad
    patch = _patch(picture, candidate.middle, turn, candidate.unit_px)
    pip_units = candidate.pip_px / candidate.unit_px
    for pattern in _patterns(candidate.value, candidate.shape):
        colours = _colours(patch, pattern, pip_units)
        if colours is None:
            continue
        pipness = _pipness(patch, *colours)
        worst = _pattern_fit(pipness, pattern, pip_units)
        if worst is None:
            continue
        halves = np.linspace(0.5 / PITCH[1], 0.5 / PITCH[0], 28)
        allowed = (halves * 2 * candidate.unit_px > edges_px[0]) & (halves * 2 * candidate.unit_px < edges_px[1])
        if not allowed.any():
            return None
        rays = _rays(patch, pattern, pip_units, *colours, float(halves[-1]))
        outline = fit_square(rays, halves[allowed], 0.0)
        if not _square_enough(outline, _MANY if len(pattern.pips) > 3 else _FEW):
            continue
        if len(pattern.pips) < 4 and fit_square(rays, halves[allowed]).agree > outline.agree + _OTHER_TURN:
            continue
        return _fit(candidate, turn, candidate.unit_px, colours, worst, outline)
    return None


def _look_at_one(picture: Pixels, candidate: Candidate, edges_px: tuple[float, float]) -> FaceFit | None:
    # The pip of a 1 may be small or, on many dice, large: the square about it must tell the size.
    most_px = min(edges_px[1] / 2, candidate.pip_px * _ONE_EDGES[1])
    scale = most_px * _ROUND_OUT / (_REACH - 0.2)
    patch = _patch(picture, candidate.middle, 0.0, scale)
    pip_units = candidate.pip_px / scale
    (pattern,) = _patterns(1)
    colours = _colours(patch, pattern, pip_units)
    if colours is None:
        return None
    low, high = max(edges_px[0] / 2, candidate.pip_px * _ONE_EDGES[0]) / scale, most_px / scale
    if high <= low:
        return None
    rays = _rays(patch, pattern, pip_units, *colours, high)
    outline = fit_square(rays, np.linspace(low, high, 40))
    if not _square_enough(outline, _ONE):
        return None
    edge = 2 * outline.half_px * scale
    refined = _patch(picture, candidate.middle, outline.turn_rad, edge * 0.26)
    pips = candidate.pip_px / (edge * 0.26)
    worst = _pattern_fit(_pipness(refined, *colours), pattern, pips)
    return None if worst is None else _fit(candidate, outline.turn_rad, scale, colours, worst, outline)


def _square_enough(outline: Outline, least: tuple[float, float]) -> bool:
    return outline.agree >= least[0] and outline.agree - 2 * outline.short >= least[1]


def _fit(
    candidate: Candidate,
    turn: float,
    unit_px: float,
    colours: tuple[NDArray[np.float64], NDArray[np.float64]],
    worst: float,
    outline: Outline,
) -> FaceFit:
    body, pip = colours
    contrast = min(1.0, float(np.linalg.norm(pip - body)) / 120)
    quality = min(1.0, worst) * (0.5 + 0.5 * min(1.0, outline.agree / 0.8)) * (0.7 + 0.3 * contrast)
    return FaceFit(
        candidate.value,
        candidate.middle,
        turn,
        2 * outline.half_px * unit_px,
        candidate.pip_px,
        candidate.light,
        body,
        pip,
        candidate.spots,
        candidate.aspect,
        candidate.strength,
        quality,
        outline,
    )


def _patch(picture: Pixels, middle: NDArray[np.float64], turn: float, unit_px: float) -> NDArray[np.float32]:
    """The surroundings of a face, turned upright, (72, 72, 3) float32."""
    scale = unit_px / _UNIT
    cosine, sine = math.cos(turn) * scale, math.sin(turn) * scale
    half = (_PATCH - 1) / 2
    to_view = np.array(
        [
            [cosine, -sine, middle[0] - (cosine - sine) * half],
            [sine, cosine, middle[1] - (sine + cosine) * half],
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpAffine(picture, to_view, (_PATCH, _PATCH), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(patch, np.float32)


def _units() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    line = (np.arange(_PATCH) - (_PATCH - 1) / 2) / _UNIT
    across, down = np.meshgrid(line, line)
    return across, down


_ACROSS, _DOWN = _units()


def _disc(place: tuple[float, float], radius: float) -> NDArray[np.bool_]:
    return np.asarray((_ACROSS - place[0]) ** 2 + (_DOWN - place[1]) ** 2 <= radius**2)


def _square(half: float) -> NDArray[np.bool_]:
    return np.asarray((np.abs(_ACROSS) <= half) & (np.abs(_DOWN) <= half))


def _pips(pattern: _Pattern, radius: float) -> NDArray[np.bool_]:
    return np.asarray(np.any([_disc(place, radius) for place in pattern.pips], axis=0), np.bool_)


def _colours(
    patch: NDArray[np.float32], pattern: _Pattern, pip_units: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """The colours of body and pips (BGR); None when they are too much alike."""
    inside = _disc((0, 0), 2.6 * pip_units) if len(pattern.pips) == 1 else _square(1.3)
    body = np.median(patch[inside & ~_pips(pattern, 1.5 * pip_units)], axis=0).astype(np.float64)
    pip = np.median(patch[_pips(pattern, 0.6 * pip_units)], axis=0).astype(np.float64)
    return None if np.linalg.norm(pip - body) < _LEAST_CONTRAST else (body, pip)


def _pipness(patch: NDArray[np.float32], body: NDArray[np.float64], pip: NDArray[np.float64]) -> NDArray[np.float64]:
    """0 where the patch has the body's colour, 1 where it has the pips'."""
    axis = pip - body
    return np.asarray((patch - body) @ axis / (axis @ axis), np.float64)


def _pattern_fit(pipness: NDArray[np.float64], pattern: _Pattern, pip_units: float) -> float | None:
    """How clearly the pattern stands out (0..1 and more); None when a pip is missing or one too many."""
    present = min(_mean(pipness, place, pip_units) for place in pattern.pips)
    absent = max(_mean(pipness, place, pip_units) for place in pattern.empty)
    face = _square(1.35) & ~_pips(pattern, 1.45 * pip_units)
    stray = float((pipness[face] > 0.5).mean())
    if present < _PIP_PRESENT or absent > _PIP_ABSENT or stray > _STRAY:
        return None
    return present - max(absent, 0.0)


def _mean(pipness: NDArray[np.float64], place: Place, pip_units: float) -> float:
    return float(pipness[_disc(place, 0.6 * pip_units)].mean())


def _rays(
    patch: NDArray[np.float32],
    pattern: _Pattern,
    pip_units: float,
    body: NDArray[np.float64],
    pip: NDArray[np.float64],
    high: float,
) -> NDArray[np.float64]:
    """How far the body reaches from the middle, in lattice units; its own pips do not stop a ray."""
    inner = _square(1.2) if len(pattern.pips) > 1 else _disc((0, 0), 2.4 * pip_units)
    plain = inner & ~_pips(pattern, 1.5 * pip_units)
    off = np.linalg.norm(patch - body, axis=2)
    usual = float(np.percentile(off[plain], 80))
    step = max(_EDGE_CONTRAST, _EDGE_PART * float(np.linalg.norm(body)), 2.5 * usual)
    like = (off < step).astype(np.float32)
    like[_pips(pattern, pip_units + _PIP_HALO)] = 1.0
    limit = min(high * _ROUND_OUT, _REACH) * _UNIT
    return reaches(like, limit) / _UNIT
