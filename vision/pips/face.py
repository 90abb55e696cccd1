"""Measure the face of a die whose pips were read: its square, its colours, and how well all of it fits."""

import math
from dataclasses import dataclass

import numpy as np

from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.pips.lattice import Lattice
from vision.pips.patch import REACH, ROUND_OUT, Outline, colours_of, fit_square, patch_of, pips_of, rays_of

_EDGES = (0.69, 1.34)  # of dice of 12 to 20 mm with the error of measurement, in usual edges
# From middle to outer pip, and the radius of the pip of a 1, both in edges: on most dice, and on any die the first.
_PITCHES, _USUAL_PITCH, _USUAL_ONE = (0.19, 0.31), 0.25, 0.105
_ONE_EDGES = (2.5, 7.5)  # half the edge of a 1 in radii of its pip
# The least part of the rays that end on the square of a face with several pips and of a 1, and the margin by which it
# must exceed twice the part that ends inside; otherwise the square is as large as such pips usually have.
_SQUARE, _SQUARE_OF_ONE = (0.28, -0.3), (0.42, 0.3)
_CLEAR = 0.8  # part of the rays on a square that leaves no doubt about it
_CONTRAST = 120.0  # distance of the colours of body and pips, in levels, that leaves no doubt about the pips


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """The top of a die as its pips show it; places and lengths in pixels of the view."""

    value: int
    middle: Real
    turn_rad: float
    edge_px: float
    pip_px: float  # radius
    body: Real  # colour (BGR)
    pip: Real  # colour (BGR)
    places: Real  # (n, 2): those of its pips
    quality: float  # 0..1: how well all of it fits

    @property
    def corners(self) -> Real:
        """The corners (4, 2) of the face's square."""
        turns = self.turn_rad + np.pi / 4 + np.arange(4) * np.pi / 2
        ring = np.column_stack((np.cos(turns), np.sin(turns)))
        return np.asarray(self.middle + ring * self.edge_px / math.sqrt(2), np.float64)


def measure_face(picture: Pixels, pips: Lattice, usual_px: float, corner: Real) -> Face | None:
    """Return the face with these pips, for dice of about the usual edge; None where they have the colour of the body.

    `corner` (2,) is the place in the view of the upper left corner of the picture.
    """
    one = pips.value == 1
    # The pip of a 1 may be small or, on many dice, large: only the square around it gives the size.
    largest = min(_EDGES[1] * usual_px / 2, pips.pip_px * _ONE_EDGES[1])
    unit_px = largest * ROUND_OUT / (REACH - 0.2) if one else pips.pitch_px
    patch = patch_of(picture, pips.middle, 0.0 if one else pips.turn_rad, unit_px)
    face, pip_units = pips_of(pips.value, pips.shape), pips.pip_px / unit_px
    colours = colours_of(patch, face, pip_units)
    if colours is None:
        return None
    least, most = (part * usual_px / 2 / unit_px for part in _EDGES)
    if one:
        usual, demands = pip_units / (2 * _USUAL_ONE), _SQUARE_OF_ONE
        least, most = max(least, pip_units * _ONE_EDGES[0]), largest / unit_px
    else:
        usual, demands = 0.5 / _USUAL_PITCH, _SQUARE
        least, most = max(least, 0.5 / _PITCHES[1]), min(most, 0.5 / _PITCHES[0])
    if least >= most:
        return None
    rays = rays_of(patch, face, pip_units, colours, most if one else 0.5 / _PITCHES[0])
    square = fit_square(rays, (least, most), None if one else 0.0)
    if square.agree < demands[0] or square.agree - 2 * square.short < demands[1]:
        square = Outline(min(max(usual, least), most), 0.0, 0.0, 0.0)
    contrast = min(1.0, float(np.linalg.norm(colours.pip - colours.body)) / _CONTRAST)
    quality = pips.likeness * (0.5 + 0.5 * min(1.0, square.agree / _CLEAR)) * (0.7 + 0.3 * contrast)
    turn = square.turn_rad if one else pips.turn_rad
    edge_px = 2 * square.half_px * unit_px
    places = pips.places + corner
    return Face(
        pips.value, pips.middle + corner, turn, edge_px, pips.pip_px, colours.body, colours.pip, places, quality
    )
