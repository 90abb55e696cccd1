"""Things that do not belong into the field: coin, pencil, paper, key, a loose tile; on the baize, or on dice."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from hardware.sim.dice import Colour
from vision.capture.arrays import Real
from vision.libraries import cv2
from vision.sim.canvas import BITS, Canvas, to_fixed_point, window
from vision.sim.table import LIT

Left = Literal["coin", "pencil", "paper", "key"]
LEFT: tuple[Left, ...] = get_args(Left)  # things that people leave in the field
Kind = Left | Literal["tile"]
_TURNS = np.linspace(0, 2 * math.pi, 40, endpoint=False)
_CIRCLE = np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))


@dataclass(frozen=True, slots=True)
class Thing:
    """A foreign object in the field: its middle in mm, its turn, its length in mm, its colour (red, green, blue)."""

    kind: Kind
    x_mm: float
    y_mm: float
    angle_rad: float
    length_mm: float
    colour: Colour
    lift_mm: float = 0.0  # height above the baize: a thing that lies on dice, and not under them, is above it


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """A flat part of a thing: its outline (n, 2) in parts of its length, its brightness, its height over the baize."""

    outline: Real
    shade: float
    high_mm: float
    colour: Colour | None = None


def paint_things(canvas: Canvas, things: Sequence[Thing]) -> None:
    """Draw things that lie on the baize, each with its shadow; of those that lie on dice only the shadow."""
    for thing in things:
        # The shadow is that of its first piece, lamp by lamp.
        piece = PIECES[thing.kind][0]
        outline, high_mm = outline_of(thing, piece.outline), piece.high_mm + thing.lift_mm
        for lamp, share in canvas.light.shares():
            place = lamp.place_mm(canvas.layout)[:2]
            ground = place + (outline - place) * (lamp.height_mm / (lamp.height_mm - high_mm))
            _blend(canvas, ground, 0.0, None, share, 0.8 + high_mm * lamp.size_mm / lamp.height_mm)
        if not thing.lift_mm:
            _paint_thing(canvas, thing)


def paint_upon(canvas: Canvas, things: Sequence[Thing]) -> None:
    """Draw the things that lie on dice, once the dice are drawn."""
    for thing in things:
        if thing.lift_mm:
            _paint_thing(canvas, thing)


def _paint_thing(canvas: Canvas, thing: Thing) -> None:
    for piece in PIECES[thing.kind]:
        red, green, blue = (min(255.0, part * piece.shade) for part in piece.colour or thing.colour)
        outline, high_mm = outline_of(thing, piece.outline), piece.high_mm + thing.lift_mm
        _blend(canvas, outline, high_mm, (blue, green, red), 1.0, 0.0)


def outline_of(thing: Thing, outline: Real) -> Real:
    """Return an outline (n, 2) of a piece, in parts of the length of its thing, where it lies in mm."""
    cosine, sine = math.cos(thing.angle_rad), math.sin(thing.angle_rad)
    turned = thing.length_mm * outline @ np.array([[cosine, sine], [-sine, cosine]])
    return np.asarray(turned + np.array([thing.x_mm, thing.y_mm]), np.float64)


def _blend(
    canvas: Canvas, outline: Real, high_mm: float, colour: tuple[float, ...] | None, share: float, soft_px: float
) -> None:
    """Fill `outline` (n, 2) mm with a colour (BGR) in the light there; without a colour: darken it by `share`."""
    points = canvas.optics.project(np.column_stack((outline, np.full(len(outline), high_mm))))
    where = window(points, int(3 * soft_px) + 2, canvas.picture)
    if where is None:
        return
    left, top, right, bottom = where
    part = canvas.picture[top:bottom, left:right]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(mask, [to_fixed_point(points - (left, top))], 255, cv2.LINE_AA, BITS)
    cover = mask.astype(np.float32) / 255
    if soft_px > 0:
        cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), soft_px), np.float32)
    bright = canvas.bright[top:bottom, left:right].astype(np.float32) / LIT
    painted = part * (1 - share) if colour is None else bright * np.array(colour, np.float32)
    part[:] = np.clip(part + cover[:, :, None] * (painted - part), 0, 255).astype(np.uint8)


def _box(left: float, top: float, right: float, bottom: float) -> Real:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


_TEETH = ((0.02, 0.0), *((0.1 + 0.045 * step, (0.1, 0.05)[step % 2]) for step in range(9)), (0.5, 0.0), (0.5, -0.05))
_SIDES = ((0, 0.85), (1, 1.15), (2, 0.7))


PIECES = {
    "coin": (
        _Piece(0.5 * _CIRCLE, 0.7, 1.0),
        _Piece(0.49 * _CIRCLE, 1.2, 2.0),
        _Piece(0.45 * _CIRCLE, 0.95, 2.0),
        *(_Piece(0.42 * _CIRCLE[step] + 0.012 * _CIRCLE[::4], 1.12, 2.0) for step in range(0, 40, 2)),
        # The neck and the head on it.
        _Piece(np.array([(-0.13, 0.1), (0.13, 0.08), (0.22, 0.3), (-0.2, 0.3)]), 1.1, 2.0),
        _Piece(0.2 * _CIRCLE * (0.75, 1.0) + (0.02, -0.06), 1.15, 2.0),
    ),
    "pencil": (
        _Piece(_box(-0.5, -0.021, 0.42, 0.021), 0.6, 4.0),
        *(_Piece(_box(-0.5, -0.02 + 0.0133 * row, 0.4, -0.0066 + 0.0133 * row), shade, 7.0) for row, shade in _SIDES),
        # A cone of wood, its lead, the ring of metal and the rubber.
        _Piece(np.array([(0.4, -0.02), (0.5, -0.004), (0.5, 0.004), (0.4, 0.02)]), 1.0, 6.0, (222, 184, 135)),
        _Piece(np.array([(0.475, -0.008), (0.505, 0.0), (0.475, 0.008)]), 1.0, 6.0, (50, 50, 54)),
        _Piece(_box(-0.5, -0.02, -0.45, 0.02), 1.0, 7.2, (190, 190, 195)),
        _Piece(_box(-0.53, -0.019, -0.5, 0.019), 1, 7, (214, 130, 130)),
    ),
    "paper": (
        _Piece(np.array([(-0.5, -0.35), (0.5, -0.33), (0.49, 0.35), (-0.48, 0.33)]), 1.0, 1.0),
        # A fold, and lines of ink.
        _Piece(np.array([(0.06, -0.34), (0.5, -0.33), (0.5, 0.35), (0.02, 0.34)]), 0.94, 1.0),
        *(
            _Piece(_box(-0.4, -0.24 + 0.09 * row, 0.38 - 0.07 * (row % 3), -0.225 + 0.09 * row), 1, 1, (70, 70, 90))
            for row in range(6)
        ),
    ),
    "key": (
        _Piece(np.array([(-0.2, -0.05), (-0.2, 0.05), *_TEETH]), 1.0, 2.0),
        # The bow, the groove of the blade, and the hole of the bow.
        _Piece(0.19 * _CIRCLE - (0.32, 0.0), 1.0, 2.0),
        _Piece(0.15 * _CIRCLE - (0.32, 0.0), 1.12, 2.0),
        _Piece(_box(-0.15, -0.02, 0.46, -0.005), 0.7, 2.0),
        _Piece(0.055 * _CIRCLE - (0.42, 0.0), 1.0, 0.0, (20, 24, 20)),
    ),
    "tile": (
        _Piece(_box(-0.5, -0.27, 0.5, 0.27), 0.7, 4.0),
        _Piece(_box(-0.5, -0.27, 0.5, 0.27), 1.0, 8.0),
        _Piece(_box(-0.05, -0.16, 0.05, 0.16), 0.35, 8.0),
    ),
}
