"""Looks closely at one suggested face: is every pip there, none else, and a die's square around them?"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

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
_MOST_UNEVEN = 60.0  # a marbled or shining body varies; beyond this it is another thing
_PIP_HALO = 0.3  # lens and sensor blur a pip's rim this far, in lattice units
_PLAIN_PIPS = 0.55  # four pips or more that stand out like this need no square about them
_LEAST_QUALITY = 0.6  # the spots of a lattice say this much by themselves
_USUAL_PITCH, _USUAL_ONE = 0.25, 0.21  # of the edge: pitch of the pips, radius of the pip of a 1 in half edges
_OTHER_TURN = 0.2  # two or three pips of a row of a 6 look like a face turned against its square: this much better
_ONE_EDGES = (2.5, 7.5)  # half the edge of a 1 in radii of its pip
_ROUND_OUT = 1.3  # a ray is followed this far beyond the largest half edge


@dataclass(frozen=True, slots=True)
class Demands:
    """What a face must have to be believed.

    `present` and `absent`: how much the places of its pips, and those where none may be, look like pips (0 is the
    body's colour, 1 the pips'); `stray`: the part of the face that may look like a pip without being one. Of the
    square about it: the part of the rays that end on it, and how many more than twice those that end inside, for
    many pips, for a few and for one. A ray that runs on says little: the side of a die has the colour of its top.
    Many pips say more themselves.
    """

    present: float
    absent: float
    stray: float
    many: tuple[float, float]
    few: tuple[float, float]
    one: tuple[float, float]


FIRM = Demands(0.5, 0.34, 0.05, (0.28, -0.3), (0.4, 0.05), (0.42, 0.3))
# For a second look with another reader beside it: spots where pips belong are enough, whatever glare, marble or a
# lack of edge make of the rest.
LENIENT = Demands(-1.0, 2.0, 1.0, (0.0, -2.0), (0.0, -2.0), (0.0, -2.0))


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
    places: NDArray[np.float64]
    aspect: float
    strength: float
    quality: float
    outline: Outline

    def moved(self, by: NDArray[np.float64]) -> "FaceFit":
        """The same face in a picture whose upper left corner lies at `by` (2)."""
        return replace(self, middle=self.middle + by, places=self.places + by)

    @property
    def corners(self) -> NDArray[np.float64]:
        """The corners (4, 2) of the face's square in view pixels."""
        turns = self.turn_rad + np.pi / 4 + np.arange(4) * np.pi / 2
        ring = np.column_stack((np.cos(turns), np.sin(turns)))
        return np.asarray(self.middle + ring * self.edge_px / math.sqrt(2), np.float64)


def look_at(
    picture: Pixels, candidate: Candidate, edges_px: tuple[float, float], demands: Demands = FIRM
) -> FaceFit | None:
    """Check a suggested face against the pixels; None when it is not one."""
    return (
        _look_at_one(picture, candidate, edges_px, demands)
        if candidate.value == 1
        else _look_at_many(picture, candidate, edges_px, demands)
    )


def _look_at_many(
    picture: Pixels, candidate: Candidate, edges_px: tuple[float, float], demands: Demands
) -> FaceFit | None:
    turn = candidate.turn_rad
    patch = _patch(picture, candidate.middle, turn, candidate.unit_px)
    pip_units = candidate.pip_px / candidate.unit_px
    for pattern in _patterns(candidate.value, candidate.shape):
        colours = _colours(patch, pattern, pip_units)
        if colours is None:
            continue
        pipness = _pipness(patch, *colours)
        worst = _pattern_fit(pipness, pattern, pip_units, demands)
        if worst is None:
            continue
        halves = _halves(candidate.unit_px, edges_px)
        if halves is None:
            return None
        rays = _rays(patch, pattern, pip_units, *colours, 0.5 / PITCH[0])
        outline = fit_square(rays, halves, 0.0)
        many = len(pattern.pips) > 3
        if not _square_enough(outline, FIRM.many) and (demands is LENIENT or (many and worst > _PLAIN_PIPS)):
            outline = Outline(min(max(0.5 / _USUAL_PITCH, halves[0]), halves[1]), 0.0, 0.0, 0.0)
        elif not _square_enough(outline, demands.many if many else demands.few):
            continue
        if demands is FIRM and not many and fit_square(rays, halves).agree > outline.agree + _OTHER_TURN:
            continue
        return _fit(candidate, turn, candidate.unit_px, colours, worst, outline)
    return None


def _halves(unit_px: float, edges_px: tuple[float, float]) -> tuple[float, float] | None:
    """The least and largest half edge in lattice units; None when no die has such a lattice."""
    least = max(0.5 / PITCH[1], edges_px[0] / 2 / unit_px)
    most = min(0.5 / PITCH[0], edges_px[1] / 2 / unit_px)
    return (least, most) if least < most else None


def _look_at_one(
    picture: Pixels, candidate: Candidate, edges_px: tuple[float, float], demands: Demands
) -> FaceFit | None:
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
    outline = fit_square(rays, (low, high))
    if demands is LENIENT and not _square_enough(outline, FIRM.one):
        outline = Outline(min(max(candidate.pip_px / _USUAL_ONE / scale, low), high), 0.0, 0.0, 0.0)
    elif not _square_enough(outline, demands.one):
        return None
    edge = 2 * outline.half_px * scale
    refined = _patch(picture, candidate.middle, outline.turn_rad, edge * 0.26)
    pips = candidate.pip_px / (edge * 0.26)
    worst = _pattern_fit(_pipness(refined, *colours), pattern, pips, demands)
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
    quality = (
        max(_LEAST_QUALITY, min(1.0, worst)) * (0.5 + 0.5 * min(1.0, outline.agree / 0.8)) * (0.7 + 0.3 * contrast)
    )
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
        candidate.places,
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


def _disc(place: Place, radius: float) -> NDArray[np.bool_]:
    return _discs((place,), radius)


@lru_cache
def _square(half: float) -> NDArray[np.bool_]:
    return np.asarray((np.abs(_ACROSS) <= half) & (np.abs(_DOWN) <= half))


def _pips(pattern: _Pattern, radius: float) -> NDArray[np.bool_]:
    return _discs(pattern.pips, radius)


def _discs(places: tuple[Place, ...], radius: float) -> NDArray[np.bool_]:
    """1 within `radius` of one of the places; a fiftieth of a unit is much less than a pixel."""
    return _exact_discs(tuple((round(50 * x), round(50 * y)) for x, y in places), round(50 * radius))


@lru_cache(maxsize=2048)
def _exact_discs(places: tuple[tuple[int, int], ...], radius: int) -> NDArray[np.bool_]:
    found = np.zeros(_ACROSS.shape, bool)
    for x, y in places:
        found |= (_ACROSS - x / 50) ** 2 + (_DOWN - y / 50) ** 2 <= (radius / 50) ** 2
    return found


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


def _pattern_fit(pipness: NDArray[np.float64], pattern: _Pattern, pip_units: float, demands: Demands) -> float | None:
    """How clearly the pattern stands out (0..1 and more); None when a pip is missing or one too many."""
    present = min(_mean(pipness, place, pip_units) for place in pattern.pips)
    absent = max(_mean(pipness, place, pip_units) for place in pattern.empty)
    face = _square(1.35) & ~_pips(pattern, 1.45 * pip_units)
    stray = float((pipness[face] > 0.5).mean())
    if present < demands.present or absent > demands.absent or stray > demands.stray:
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
    step = max(_EDGE_CONTRAST, _EDGE_PART * float(np.linalg.norm(body)), min(2.5 * usual, _MOST_UNEVEN))
    like = (off < step).astype(np.float32)
    like[_pips(pattern, pip_units + _PIP_HALO)] = 1.0
    limit = min(high * _ROUND_OUT, _REACH) * _UNIT
    return reaches(like, limit) / _UNIT
