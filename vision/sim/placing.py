"""The places of simulated dice in the field: within its walls, off the markers, apart from one another."""

import math
import random
from collections.abc import Iterable

from hardware.box import FieldLayout
from hardware.sim.dice import DieLook, SimulatedDie
from vision.sim.solids import gap_mm, solid_of
from vision.sim.table import marker_middles

_CLEAR_MM = 2.5  # least distance of dice that lie apart
_BESIDE_MM = 5.0  # a die nearer to a marker may hide a part of it
CLOSE_MM = 0.02  # dice that touch are closer than this


def any_die(rng: random.Random, look: DieLook, x_mm: float = 0.0, y_mm: float = 0.0) -> SimulatedDie:
    """Draw a die of this look with any value up and any turn."""
    value = rng.randint(1, look.sides)
    near = rng.choice([other for other in range(1, look.sides + 1) if other not in (value, look.sides + 1 - value)])
    return SimulatedDie(value, near, x_mm, y_mm, rng.uniform(0, 2 * math.pi), look)


def is_free(
    die: SimulatedDie, others: Iterable[SimulatedDie], layout: FieldLayout, clear_mm: float = _CLEAR_MM
) -> bool:
    """Return True if `die` lies in the field, on no marker, at least `clear_mm` from every other die."""
    return is_inside(die, layout) and all(are_apart(die, other, clear_mm) for other in others)


def is_inside(die: SimulatedDie, layout: FieldLayout) -> bool:
    """Return True if `die` lies in the field and leaves the markers, including their white rims, visible."""
    left, far, right, near = reach_mm(die)
    half = layout.marker_mm * 0.7 + _BESIDE_MM
    is_on_marker = any(
        left < x + half and right > x - half and far < y + half and near > y - half for x, y in marker_middles(layout)
    )
    return is_between_walls(die, layout) and not is_on_marker


def is_between_walls(die: SimulatedDie, layout: FieldLayout) -> bool:
    """Return True if `die` lies in the field, on a marker or not."""
    left, far, right, near = reach_mm(die)
    out_mm = max(-left, -far, right - layout.width_mm, near - layout.depth_mm)
    return out_mm <= CLOSE_MM


def reach_mm(die: SimulatedDie) -> tuple[float, float, float, float]:
    """Return the left, far, right and near end of a die in mm."""
    solid = solid_of(die)
    left, far = (solid.core.min(axis=0)[:2] - solid.radius_mm).tolist()
    right, near = (solid.core.max(axis=0)[:2] + solid.radius_mm).tolist()
    return left, far, right, near


def are_apart(one: SimulatedDie, other: SimulatedDie, clear_mm: float) -> bool:
    """Return True if two dice are at least `clear_mm` apart."""
    far = math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
    if far > 0.95 * (one.look.edge_mm + other.look.edge_mm) + clear_mm:
        return True
    return gap_mm(one, other) >= clear_mm
