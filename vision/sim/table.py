"""The empty table under the simulated camera: wooden tray, baize, markers, walls, and the light on them."""

import math
import random
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hardware.box import FieldLayout
from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.field.markers import draw_marker
from vision.libraries import cv2
from vision.sim.canvas import BITS, to_fixed_point
from vision.sim.cloth import Cloth, dye, lay_cloth, shades_of
from vision.sim.light import Light
from vision.sim.optics import Optics

RIM_MM = 12.0  # width of the rim of the tray around the baize
LIT = 160  # grey level of light of strength 1 in a map of the light
_PER_MM = 3  # texels of the drawing of the table in a millimetre
_BESIDE_MM = (140, 60)  # wood around the field that is drawn; farther off it is mirrored
_CELL = 8  # place and brightness are computed for every eighth pixel and interpolated
_MODULE = 4  # texels of the drawing of a marker in one of its modules
_WALL_SHADE = (0.62, 0.9, 0.5, 0.74)  # brightness of the far, right, near and left wall relative to their top

Values = NDArray[np.integer[Any] | np.floating[Any]]


@dataclass(frozen=True, slots=True)
class EmptyTable:
    """An empty table."""

    optics: Optics
    layout: FieldLayout
    cloth: Cloth = field(default_factory=Cloth)
    markers: tuple[int, ...] = (0, 1, 2, 3)  # numbers of those that are there
    seed: int = 0  # determines how crooked the markers were glued
    wall_mm: float = 0.0  # height of its walls (0: none)
    size_px: tuple[int, int] = (1280, 720)


@lru_cache(maxsize=4)
def light_table(table: EmptyTable, light: Light) -> tuple[Pixels, Pixels]:
    """Light a table: its picture, and the map of the light, both (h, w, 3) uint8 BGR; in the map `LIT` is 1."""
    places, shape = _coarse(table.optics, table.size_px)
    coarse = np.clip(np.round(LIT * light.on_baize(places, table.layout)), 0, 255).astype(np.uint8)
    bright = np.asarray(_fine(coarse.reshape(*shape, 3), table.size_px), np.uint8)
    picture = np.asarray(cv2.multiply(paint_table(table), bright, scale=1 / LIT), np.uint8)
    return picture, bright


@lru_cache(maxsize=20)
def paint_table(table: EmptyTable) -> Pixels:
    """Paint a table in even light: (h, w, 3) uint8 BGR. Painted flat first, then seen through the lens."""
    places, shape = _coarse(table.optics, table.size_px)
    texels = (places + _BESIDE_MM) * _PER_MM - 0.5
    looks_at = _fine(texels.astype(np.float32).reshape(*shape, 2), table.size_px)
    layout, (aside, beyond) = table.layout, _BESIDE_MM
    width, depth = (round(side * _PER_MM) for side in (layout.width_mm, layout.depth_mm))
    size = (width + 2 * aside * _PER_MM, depth + 2 * beyond * _PER_MM)
    flat = dye(shades_of("wood", table.cloth.variant, size), table.cloth.surround, 0.3)
    left, far, rim = aside * _PER_MM, beyond * _PER_MM, round(RIM_MM * _PER_MM)
    part = np.s_[far - rim : far + depth + rim, left - rim : left + width + rim]
    flat[part] = dye(shades_of("wood", 1, size)[part], table.cloth.rim, 0.15)
    flat[far : far + depth, left : left + width] = lay_cloth(table.cloth, (width, depth))
    rng = random.Random(f"markers/{table.seed}")
    for number, middle in enumerate(marker_middles(layout)):
        turn_rad = rng.uniform(-0.05, 0.05)
        if number in table.markers:
            _glue_marker(flat, number, middle, layout.marker_mm, turn_rad)
    across, down = cv2.split(looks_at)
    seen = cv2.remap(flat, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    picture = np.asarray(seen, np.uint8)
    if table.wall_mm > 0:
        # Of each wall the camera sees the inner side and the top.
        wood = dye(shades_of("wood", 2, table.size_px), table.cloth.rim, 0.2)
        inner, outer = _ring(table.layout, 0.0), _ring(table.layout, RIM_MM)
        for side, shade in enumerate(_WALL_SHADE):
            ends = [side, (side + 1) % 4]
            foot, top, back = inner[ends], inner[ends] + (0, 0, table.wall_mm), outer[ends] + (0, 0, table.wall_mm)
            _clad(picture, wood, table.optics, np.concatenate((foot, top[::-1])), shade)
            _clad(picture, wood, table.optics, np.concatenate((top, back[::-1])), 1.15)
    return picture


def _coarse(optics: Optics, size_px: tuple[int, int]) -> tuple[Real, tuple[int, int]]:
    """Return the places (n, 2) on the baize of the middles of coarse cells, one more on each side of the picture."""
    columns, rows = (math.ceil(side / _CELL) + 2 for side in size_px)
    x, y = np.meshgrid((np.arange(columns) - 0.5) * _CELL - 0.5, (np.arange(rows) - 0.5) * _CELL - 0.5)
    return optics.lift(np.column_stack((x.ravel(), y.ravel()))), (rows, columns)


def _fine(coarse: Values, size_px: tuple[int, int]) -> Values:
    rows, columns = coarse.shape[:2]
    grown = cv2.resize(coarse, (columns * _CELL, rows * _CELL), interpolation=cv2.INTER_LINEAR)
    return np.ascontiguousarray(grown[_CELL : _CELL + size_px[1], _CELL : _CELL + size_px[0]])


def marker_middles(layout: FieldLayout) -> tuple[tuple[float, float], ...]:
    """Return the places (x, y) of the middles of the markers 0..3, in mm."""
    inset = layout.marker_margin_mm + layout.marker_mm / 2
    right, near = layout.width_mm - inset, layout.depth_mm - inset
    return (inset, inset), (right, inset), (right, near), (inset, near)


def _glue_marker(flat: Pixels, number: int, middle_mm: tuple[float, float], edge_mm: float, turn_rad: float) -> None:
    """Lay one marker with its printed white rim (one module wide)."""
    # Matt paper: black is 30, white 225.
    marker = draw_marker(number, 6 * _MODULE)
    rimmed = cv2.copyMakeBorder(marker, _MODULE, _MODULE, _MODULE, _MODULE, cv2.BORDER_CONSTANT, value=(255,))
    drawing = np.asarray(30 + rimmed.astype(np.float32) * (195 / 255), np.uint8)
    texels = drawing.shape[0]
    scale = edge_mm * _PER_MM / (texels - 2 * _MODULE)  # the rim lies outside the edge of the marker
    half = math.ceil(0.8 * texels * scale)
    column, row = (round((place + beside) * _PER_MM) for place, beside in zip(middle_mm, _BESIDE_MM, strict=True))
    cosine, sine, middle = math.cos(turn_rad) * scale, math.sin(turn_rad) * scale, (texels - 1) / 2
    place = np.array(
        [[cosine, -sine, half - 0.5 - (cosine - sine) * middle], [sine, cosine, half - 0.5 - (sine + cosine) * middle]]
    )
    size = (2 * half, 2 * half)
    cover = cv2.warpAffine(np.full_like(drawing, 255), place, size, flags=cv2.INTER_LINEAR)
    printed = cv2.warpAffine(drawing, place, size, flags=cv2.INTER_LINEAR, borderValue=225)
    part = flat[row - half : row + half, column - half : column + half]
    cv2.copyTo(cv2.cvtColor(printed, cv2.COLOR_GRAY2BGR), np.where(cover > 127, 255, 0).astype(np.uint8), part)


def _ring(layout: FieldLayout, out_mm: float) -> Real:
    right, near = layout.width_mm + out_mm, layout.depth_mm + out_mm
    return np.array([(-out_mm, -out_mm, 0.0), (right, -out_mm, 0.0), (right, near, 0.0), (-out_mm, near, 0.0)])


def _clad(picture: Pixels, wood: Pixels, optics: Optics, corners: Real, shade: float) -> None:
    """Cover the part of the picture between `corners` (4, 3) with wood; long sides bend as the lens does."""
    steps = np.linspace(0, 1, 9)[:, None]
    sides = [one + steps * (other - one) for one, other in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    outline = to_fixed_point(optics.project(np.concatenate(sides)))
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [outline], 255, cv2.LINE_8, BITS)
    cv2.copyTo(cv2.convertScaleAbs(wood, alpha=shade), mask, picture)
