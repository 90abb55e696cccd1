"""The shadows that dice cast on the baize, and the light that translucent ones let through."""

import numpy as np

from hardware.sim.dice import SimulatedDie
from vision.capture.libraries import cv2
from vision.sim.canvas import BITS, Canvas, Real, hull_of_circles, px_per_mm, to_fixed_point, window
from vision.sim.solids import solid_of

_CONTACT = 0.3  # darkness of the baize under a die


def cast_shadow(canvas: Canvas, die: SimulatedDie) -> None:
    """Darken the baize where `die` blocks lamps and where it stands on it."""
    solid = solid_of(die)
    if die.lift_mm == 0:
        darken_foot(canvas, die)
    for lamp, share in canvas.light.shares():
        place = lamp.place_mm(canvas.layout)
        reach = lamp.height_mm / (lamp.height_mm - solid.core[:, 2:])
        ground = np.column_stack((place[:2] + (solid.core[:, :2] - place[:2]) * reach, np.zeros(len(solid.core))))
        soft = 0.35 + lamp.size_mm * die.look.edge_mm / lamp.height_mm / 3
        if die.look.material != "translucent":
            _shadow(canvas, ground, share, lamp.colour, solid.radius_mm, soft)
            continue
        # A translucent die stains the light, and gathers some in the middle of its shadow.
        red, green, blue = (1.0 - 0.75 * part / 255 for part in die.look.body)
        _shadow(canvas, ground, share, (red, green, blue), solid.radius_mm, soft)
        middle = ground.mean(axis=0)
        inner = middle + 0.35 * (ground - middle)
        red, green, blue = (-0.6 * part / 255 for part in die.look.body)
        _shadow(canvas, inner, share, (red, green, blue), 0.5, 1.2)


def darken_foot(canvas: Canvas, die: SimulatedDie) -> None:
    """Darken the ground around the foot of `die`."""
    solid = solid_of(die)
    low = solid.core[solid.core[:, 2] < die.lift_mm + solid.radius_mm + 2.0]
    foot = low * (1, 1, 0) + (0, 0, die.lift_mm)
    _shadow(canvas, foot, _CONTACT, (1, 1, 1), solid.radius_mm + 0.8, 1.0)


def _shadow(
    canvas: Canvas, ground: Real, depth: float, colour: tuple[float, float, float], grow_mm: float, soft_mm: float
) -> None:
    """Take `depth` of the light (less than 0 adds some) within the hull of `ground` (n, 3) grown by `grow_mm`."""
    scale = px_per_mm(canvas.optics, ground.mean(axis=0))
    outline = hull_of_circles(canvas.optics.project(ground), np.full(len(ground), grow_mm * scale))
    soft_px = soft_mm * scale
    where = window(outline, int(2.5 * soft_px) + 2, canvas.picture)
    if where is None:
        return
    left, top, right, bottom = where
    mask = np.zeros((bottom - top, right - left), np.float32)
    cv2.fillConvexPoly(mask, to_fixed_point(outline - (left, top)), 1.0, cv2.LINE_8, BITS)
    soft = cv2.GaussianBlur(mask, (0, 0), soft_px)
    part = canvas.picture[top:bottom, left:right]
    taken = 1 - depth * soft[:, :, None] * np.array(colour[::-1], np.float32)
    part[:] = np.clip(part * taken, 0, 255).astype(np.uint8)
