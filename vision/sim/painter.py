"""Draws dice and their shadows into a picture, in true perspective and in the light that falls on them."""

from collections.abc import Sequence

import numpy as np

from hardware.sim.dice import SimulatedDie
from vision.capture.libraries import cv2
from vision.sim.canvas import Canvas, silhouette, window
from vision.sim.drawn_die import DrawnDie
from vision.sim.shadows import cast_shadow, darken_foot
from vision.sim.solids import solid_of


def paint_dice(canvas: Canvas, dice: Sequence[SimulatedDie], smears_px: Sequence[float] = ()) -> None:
    """Draw dice with their shadows. `smears_px` blurs each of them (standard deviation in px); empty: none."""
    smears = smears_px or [0.0] * len(dice)
    for die in dice:
        cast_shadow(canvas, die)
    # Lower dice come first, then those farther from the foot of the camera: they may be hidden, but never hide another.
    x, y, _ = canvas.optics.pinhole_mm
    order = [(die.lift_mm, -((die.x_mm - x) ** 2 + (die.y_mm - y) ** 2), index) for index, die in enumerate(dice)]
    for _, _, index in sorted(order):
        _paint_die(canvas, dice[index], smears[index])


def _paint_die(canvas: Canvas, die: SimulatedDie, smear_px: float) -> None:
    solid = solid_of(die)
    outline = silhouette(solid, canvas.optics)
    where = window(outline, int(3 * smear_px) + 2, canvas.picture)
    if where is None:
        return
    left, top, right, bottom = where
    if die.lift_mm > 0:
        darken_foot(canvas, die)
    drawn = DrawnDie(canvas, die, solid, outline, where)
    size = (right - left, bottom - top)
    colour, alpha = (cv2.resize(sheet, size, interpolation=cv2.INTER_AREA) for sheet in (drawn.colour(), drawn.cover))
    if smear_px > 0:
        colour, alpha = (cv2.GaussianBlur(sheet, (0, 0), smear_px) for sheet in (colour, alpha))
    part = canvas.picture[top:bottom, left:right]
    part[:] = np.clip(part + alpha[:, :, None] * (colour - part), 0, 255).astype(np.uint8)
