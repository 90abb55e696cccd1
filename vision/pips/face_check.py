"""Decide whether a suggested face is one: every pip present, no others, and a die's square around them."""

import math
from dataclasses import dataclass, replace

import numpy as np

from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.pips.face_candidates import PITCH, Candidate
from vision.pips.patch import (
    REACH,
    ROUND_OUT,
    Colours,
    Likeness,
    Outline,
    colours_of,
    fit_square,
    measure_likeness,
    most_that_agree,
    patch_of,
    patterns,
    rays_of,
)

_PLAIN_PIPS = 0.55  # four pips or more that stand out like this need no square around them
_LEAST_QUALITY = 0.6  # spots on a lattice alone have this quality
_USUAL_PITCH, _USUAL_ONE = 0.25, 0.21  # of the edge: pitch of the pips, radius of the pip of a 1 in half edges
_CONTRARY = 20.0  # a pip is clearly lighter or darker by this many levels; less may be marble or shine
_ONE_EDGES = (2.5, 7.5)  # half the edge of a 1 in radii of its pip


@dataclass(frozen=True, slots=True)
class Demands:
    """The demands on a face; there are two sets, for a first look and for one with a second opinion.

    `present` and `absent`: how much the places of its pips, and the empty ones, look like pips (0 is the body's colour,
    1 the pips'); `stray`: the part of the face that may look like a pip without being one. `many`, `few` and `one` are
    the demands on the square of a face with many pips, a few or one: the minimum share of rays that end on it, and the
    margin by which it must exceed twice the share ending inside. A ray that passes the edge proves little: the side of
    a die has the colour of its top. Many pips are better evidence themselves.
    """

    present: float
    absent: float
    stray: float
    many: tuple[float, float]
    few: tuple[float, float]
    one: tuple[float, float]


FIRM = Demands(0.5, 0.34, 0.05, (0.28, -0.3), (0.4, 0.05), (0.42, 0.3))
# For a second look, confirmed by the network: spots where pips belong are enough, whatever glare, marble or a missing
# edge do to the rest.
LENIENT = Demands(-1.0, 2.0, 1.0, (0.0, -2.0), (0.0, -2.0), (0.0, -2.0))


@dataclass(frozen=True, slots=True, eq=False)
class FaceFit:
    """A face that passed the check, with everything that settles later doubts."""

    value: int
    middle: Real
    turn_rad: float
    edge_px: float
    pip_px: float
    light: bool
    body: Real  # colour (BGR)
    pip: Real  # colour (BGR)
    spots: tuple[int, ...]  # indices of the spots that are its pips
    places: Real  # (n, 2): those of its pips
    aspect: float  # how round the pips are
    strength: float  # how much the pips stand out
    quality: float  # 0..1: how well all of it fits
    outline: Outline

    def moved(self, by: Real) -> "FaceFit":
        """Return the same face in a picture whose upper left corner lies at `by` (2)."""
        return replace(self, middle=self.middle + by, places=self.places + by)

    @property
    def corners(self) -> Real:
        """The corners (4, 2) of the face's square in view pixels."""
        turns = self.turn_rad + np.pi / 4 + np.arange(4) * np.pi / 2
        ring = np.column_stack((np.cos(turns), np.sin(turns)))
        return np.asarray(self.middle + ring * self.edge_px / math.sqrt(2), np.float64)


def check_face(
    picture: Pixels, candidate: Candidate, edges_px: tuple[float, float], demands: Demands = FIRM
) -> FaceFit | None:
    """Check a suggested face against the pixels; return None when it is not one."""
    check = _check_single_pip if candidate.value == 1 else _check_several_pips
    face = check(picture, candidate, edges_px, demands)
    if face is None:
        return None
    # If seemingly dark pips are lighter than the body in every colour, or light ones darker, they are rings around
    # pips. Where a lamp shines such rings make a 4 of a 5 whose middle pip has a ring of its own brightness.
    darker = face.body - face.pip
    return None if bool(((darker if face.light else -darker) > _CONTRARY).all()) else face


def _check_several_pips(
    picture: Pixels, candidate: Candidate, edges_px: tuple[float, float], demands: Demands
) -> FaceFit | None:
    turn = candidate.turn_rad
    patch = patch_of(picture, candidate.middle, turn, candidate.unit_px)
    pip_units = candidate.pip_px / candidate.unit_px
    for pattern in patterns(candidate.value, candidate.shape):
        colours = colours_of(patch, pattern, pip_units)
        if colours is None:
            continue
        worst = _clearness(measure_likeness(patch, colours, pattern, pip_units), demands)
        if worst is None:
            continue
        # The least and largest half edge in lattice units of a die with such a lattice.
        least = max(0.5 / PITCH[1], edges_px[0] / 2 / candidate.unit_px)
        most = min(0.5 / PITCH[0], edges_px[1] / 2 / candidate.unit_px)
        if least >= most:
            return None
        rays = rays_of(patch, pattern, pip_units, colours, 0.5 / PITCH[0])
        outline = fit_square(rays, (least, most), 0.0)
        many = len(pattern.pips) > 3
        if not _is_square_enough(outline, FIRM.many) and (demands is LENIENT or (many and worst > _PLAIN_PIPS)):
            outline = Outline(min(max(0.5 / _USUAL_PITCH, least), most), 0.0, 0.0, 0.0)
        elif not _is_square_enough(outline, demands.many if many else demands.few):
            continue
        return _fit(candidate, turn, candidate.unit_px, colours, worst, outline)
    return None


def _check_single_pip(
    picture: Pixels, candidate: Candidate, edges_px: tuple[float, float], demands: Demands
) -> FaceFit | None:
    # The pip of a 1 may be small or, on many dice, large: only the square around it gives the size.
    most_px = min(edges_px[1] / 2, candidate.pip_px * _ONE_EDGES[1])
    scale = most_px * ROUND_OUT / (REACH - 0.2)
    patch = patch_of(picture, candidate.middle, 0.0, scale)
    pip_units = candidate.pip_px / scale
    (pattern,) = patterns(1)
    colours = colours_of(patch, pattern, pip_units)
    if colours is None:
        return None
    low, high = max(edges_px[0] / 2, candidate.pip_px * _ONE_EDGES[0]) / scale, most_px / scale
    if high <= low:
        return None
    rays = rays_of(patch, pattern, pip_units, colours, high)
    if most_that_agree(rays, high) < demands.one[0]:
        return None
    outline = fit_square(rays, (low, high))
    if demands is LENIENT and not _is_square_enough(outline, FIRM.one):
        outline = Outline(min(max(candidate.pip_px / _USUAL_ONE / scale, low), high), 0.0, 0.0, 0.0)
    elif not _is_square_enough(outline, demands.one):
        return None
    edge = 2 * outline.half_px * scale
    refined = patch_of(picture, candidate.middle, outline.turn_rad, edge * 0.26)
    worst = _clearness(measure_likeness(refined, colours, pattern, candidate.pip_px / (edge * 0.26)), demands)
    return None if worst is None else _fit(candidate, outline.turn_rad, scale, colours, worst, outline)


def _clearness(seen: Likeness, demands: Demands) -> float | None:
    """Return how clearly the pattern stands out, 0..1 and more; None when a pip is missing or is one too many."""
    if seen.present < demands.present or seen.absent > demands.absent or seen.stray > demands.stray:
        return None
    return seen.present - max(seen.absent, 0.0)


def _is_square_enough(outline: Outline, least: tuple[float, float]) -> bool:
    return outline.agree >= least[0] and outline.agree - 2 * outline.short >= least[1]


def _fit(
    candidate: Candidate, turn: float, unit_px: float, colours: Colours, worst: float, outline: Outline
) -> FaceFit:
    contrast = min(1.0, float(np.linalg.norm(colours.pip - colours.body)) / 120)
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
        colours.body,
        colours.pip,
        candidate.spots,
        candidate.places,
        candidate.aspect,
        candidate.strength,
        quality,
        outline,
    )
