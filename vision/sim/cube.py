"""The shape of a die: corners, faces and pips in space, and which value lies on which side."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.sim.dice import SimulatedDie

Real = NDArray[np.float64]

# A common 16 mm die has pips of 3.3 mm, 4.2 mm from middle to middle, and edges rounded by about 2 mm.
PIP_RADIUS = 0.103
PITCH = 0.262
ROUNDING = 0.12

# Each value's outward direction on a die whose 1, 2 and 3 run anticlockwise about their corner.
_AXES = {1: (1, 0, 0), 2: (0, 1, 0), 3: (0, 0, 1), 4: (0, 0, -1), 5: (0, -1, 0), 6: (-1, 0, 0)}
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_CIRCLE = np.column_stack(
    (np.cos(np.linspace(0, 2 * math.pi, 20, endpoint=False)), np.sin(np.linspace(0, 2 * math.pi, 20, endpoint=False)))
)


@dataclass(frozen=True, slots=True)
class Face:
    """One face in field coordinates (mm): its middle, its outward normal, its two directions, its value."""

    middle: Real
    normal: Real
    across: Real
    along: Real
    value: int

    def outline(self, half_mm: float) -> Real:
        """The corners (4, 3) of the square of half edge `half_mm` about the middle."""
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return np.array([self.middle + half_mm * (a * self.across + b * self.along) for a, b in signs])

    def pips(self, edge_mm: float) -> list[Real]:
        """The rims (20, 3) of the pips."""
        rims = []
        for column, row in _PIPS[self.value]:
            centre = self.middle + PITCH * edge_mm * (column * self.across + row * self.along)
            rim = PIP_RADIUS * edge_mm * _CIRCLE
            rims.append(centre + rim[:, :1] * self.across + rim[:, 1:] * self.along)
        return rims


def faces_of(die: SimulatedDie) -> tuple[Face, ...]:
    """The top face and the four beside it: near, right, far, left at angle 0."""
    half = die.look.edge_mm / 2
    cosine, sine = math.cos(die.angle_rad), math.sin(die.angle_rad)
    right = np.array([cosine, sine, 0.0])
    near = np.array([-sine, cosine, 0.0])
    up = np.array([0.0, 0.0, 1.0])
    middle = np.array([die.x_mm, die.y_mm, half])
    right_value = _right_of(die.value, die.near_value)
    return (
        Face(middle + half * up, up, right, near, die.value),
        Face(middle + half * near, near, right, up, die.near_value),
        Face(middle + half * right, right, near, up, right_value),
        Face(middle - half * near, -near, right, up, 7 - die.near_value),
        Face(middle - half * right, -right, near, up, 7 - right_value),
    )


def corners_of(die: SimulatedDie, inset_mm: float) -> Real:
    """The eight corners (8, 3) of the cube, drawn in by `inset_mm` on every side."""
    top, near, right, *_ = faces_of(die)
    half = die.look.edge_mm / 2 - inset_mm
    middle = top.middle - die.look.edge_mm / 2 * top.normal
    offsets = [(a, b, c) for a in (-half, half) for b in (-half, half) for c in (-half, half)]
    return np.array([middle + a * right.normal + b * near.normal + c * top.normal for a, b, c in offsets])


def _right_of(top: int, near: int) -> int:
    axis = np.cross(_AXES[top], _AXES[near])
    return next(value for value, direction in _AXES.items() if tuple(axis) == direction)
