"""The solids of dice: vertices, faces and how they lie in the field, in millimetres.

Field coordinates (x right, y near, z up) are left-handed: `across x along = normal` for somebody who sees the
face from outside with `across` to the right and `along` downwards.
"""

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from hardware.sim.dice import SimulatedDie
from vision.capture.arrays import Real

# Outward directions on a cube whose 1, 2 and 3 run anticlockwise about their corner; a left-handed one swaps 3 and 4.
_CUBE = {1: (0, 0, 1), 2: (0, 1, 0), 3: (1, 0, 0), 4: (-1, 0, 0), 5: (0, -1, 0), 6: (0, 0, -1)}
_GOLDEN = (1 + math.sqrt(5)) / 2
# The corners of the triangles of an icosahedron, and the number of each of them on a common die.
_TRIANGLES = (
    *((0, 2, 8), (0, 2, 9), (0, 4, 6), (0, 4, 8), (0, 6, 9), (1, 3, 10), (1, 3, 11)),
    *((1, 4, 6), (1, 4, 10), (1, 6, 11), (2, 5, 7), (2, 5, 8), (2, 7, 9), (3, 5, 7)),
    *((3, 5, 10), (3, 7, 11), (4, 8, 10), (5, 8, 10), (6, 9, 11), (7, 9, 11)),
)
_VALUES = (20, 2, 10, 8, 12, 19, 1, 17, 3, 7, 4, 14, 18, 11, 9, 13, 16, 6, 15, 5)


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One face: its value, middle, outward normal, its directions to the right and down, its corners (n, 3)."""

    value: int
    middle: Real
    normal: Real
    across: Real
    along: Real
    outline: Real

    @property
    def reach_mm(self) -> float:
        """Return half the edge of the smallest square along its directions that holds the face."""
        offsets = self.outline - self.middle
        return float(np.abs(np.column_stack((offsets @ self.across, offsets @ self.along))).max())


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A convex solid with rounded edges: the hull of balls of `radius_mm` around its `core`."""

    middle: Real  # (3,)
    faces: tuple[Face, ...]
    corners: Real  # sharp ones (n, 3)
    core: Real  # corners (n, 3) drawn in so far that the balls touch the faces
    radius_mm: float


@lru_cache(maxsize=512)
def solid_of(die: SimulatedDie) -> Solid:
    """Return the solid of `die` where it lies, its lowest point `lift_mm` above the baize."""
    faces, corners = _shape(die.look.sides, die.look.left_handed)
    inner = min(float(face.middle @ face.normal) for face in faces) * die.look.edge_mm
    cosine, sine = math.cos(die.angle_rad), math.sin(die.angle_rad)
    about_plumb = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    # Rodrigues' rotation that tips the vertical towards `lean_to_rad`.
    x, y = math.cos(die.lean_to_rad), math.sin(die.lean_to_rad)
    across = np.array([[0.0, 0.0, x], [0.0, 0.0, y], [-x, -y, 0.0]])
    lean = np.eye(3) + math.sin(die.lean_rad) * across + (1 - math.cos(die.lean_rad)) * across @ across
    # The turn that brings the value up, and the other one to the near side.
    value, beside = die.value, die.near_value
    up, towards = (next(face.normal for face in faces if face.value == wanted) for wanted in (value, beside))
    near = towards - (towards @ up) * up
    length = float(np.linalg.norm(near))
    if length < 1e-6:
        raise ValueError(f"{beside} lies beside no {value}: it must be neither the same nor the opposite face")
    near = near / length
    turn = lean @ about_plumb @ np.array([np.cross(near, up), near, up])
    radius = min(die.look.rounding * die.look.edge_mm, 0.9 * inner)
    sharp = die.look.edge_mm * corners @ turn.T
    core = (inner - radius) / inner * sharp
    middle = np.array([die.x_mm, die.y_mm, die.lift_mm + radius - np.min(core[:, 2])])
    placed = tuple(
        Face(
            face.value,
            middle + die.look.edge_mm * (turn @ face.middle),
            turn @ face.normal,
            turn @ face.across,
            turn @ face.along,
            middle + die.look.edge_mm * face.outline @ turn.T,
        )
        for face in faces
    )
    return Solid(middle, placed, sharp + middle, core + middle, radius)


def gap_mm(one: SimulatedDie, other: SimulatedDie) -> float:
    """Return the gap between two dice in mm; negative when one is inside the other.

    The largest gap between their shadows on a line, over the lines that decide it for two convex solids: normals of
    faces, normals of two edges, and the lines between their nearest corners (separating axis theorem).
    """
    first, second = solid_of(one), solid_of(other)
    normals = [face.normal for solid in (first, second) for face in solid.faces]
    edges = np.cross(_edges(first)[:, None], _edges(second)[None]).reshape(-1, 3)
    between = (second.core[None] - first.core[:, None]).reshape(-1, 3)
    nearest = between[np.argsort(np.linalg.norm(between, axis=1))[:4]]
    axes = np.concatenate((normals, edges, nearest))
    lengths = np.linalg.norm(axes, axis=1)
    axes = np.asarray(axes[lengths > 1e-6] / lengths[lengths > 1e-6, None], np.float64)
    low, high = first.core @ axes.T, second.core @ axes.T
    apart = np.maximum(high.min(axis=0) - low.max(axis=0), low.min(axis=0) - high.max(axis=0))
    return float(apart.max()) - first.radius_mm - second.radius_mm


def _edges(solid: Solid) -> Real:
    """Return the directions (n, 3) of the edges of a solid."""
    steps = [face.outline - np.roll(face.outline, 1, axis=0) for face in solid.faces]
    directions = np.concatenate(steps)
    directions = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    upper = directions * np.where(directions @ (1.0, 0.618, 0.382) < 0, -1.0, 1.0)[:, None]
    return np.unique(np.round(upper, 9), axis=0)


@cache
def _shape(sides: int, left_handed: bool) -> tuple[tuple[Face, ...], Real]:
    """Return faces and corners of a solid of edge 1 around the origin."""
    faces, hand = [], (-1.0, 1.0, 1.0) if left_handed else (1.0, 1.0, 1.0)
    if sides == 20:
        # Numbered as dice with twenty sides commonly are: opposite faces add to 21.
        plane = [(0.0, a, b * _GOLDEN) for a in (-1, 1) for b in (-1, 1)]
        points = np.array([point[turn:] + point[:turn] for turn in range(3) for point in plane]) / 2 * hand
        for value, picked in zip(_VALUES, _TRIANGLES, strict=True):
            outline = points[list(picked)]
            middle = outline.mean(axis=0)
            normal = middle / np.linalg.norm(middle)
            along = middle - outline[0]  # the first corner is at the top of the number
            along = along / np.linalg.norm(along)
            faces.append(Face(value, middle, normal, np.cross(along, normal), along, outline))
    else:
        for value, direction in _CUBE.items():
            normal = np.array(direction, float) * hand
            across = np.array((0.0, 1.0, 0.0)) if value in (3, 4) else np.array((1.0, 0.0, 0.0))
            along = np.cross(normal, across)
            outline = np.array([normal + a * across + b * along for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
            faces.append(Face(value, normal / 2, normal, across, along, outline / 2))
    corners = np.unique(np.round(np.concatenate([face.outline for face in faces]), 9), axis=0)
    return tuple(faces), corners
