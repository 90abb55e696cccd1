"""What lies on the baize: everything that has neither the baize's colour nor that of its shadows."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field import Field
from vision.reading import Point
from vision.view import View

_RIM_MM = 3.0  # at the wall the baize curls and is dark: not looked at
_MARKER_RIM_MM = 6.0  # a marker with its white rim, laid by hand
_UNSEEN_RIM_MM = 8.0  # ... and one whose place is only inferred
_WALL_MM = 9  # what reaches in from outside by less than this is the tray's wall
_SHADOW, _SHINE = 0.22, 1.55  # baize in shadow and in lamp light, as parts of its usual brightness
_OFF_COLOUR = 15.0  # grey levels away from any brightness of the baize
_THICK_MM = 3  # thinner things are fluff, seams and rims of shadows
_LEAST_MM2 = 30.0
_TOUCH_MM = 5  # a shadow begins this near to the die that casts it
_PLAIN = 0.04  # part of a shadow's area that may be something else: the pips of a black die are more

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on the baize: its area, its middle and its box (left, top, right, bottom) in view pixels, and
    whether it reaches in from outside.
    """

    area_mm2: float
    middle: Point
    box: tuple[float, float, float, float]
    from_outside: bool


def things_on_baize(view: View, field: Field, dice_px: Sequence[NDArray[np.float64]]) -> list[Thing]:
    """The things on the baize, largest first, without the markers and the given dice.

    `dice_px` are the outlines (n, 2) of the read dice in view pixels. The work is done at one pixel a
    millimetre.
    """
    scale = 1 / view.px_per_mm
    small = cv2.resize(view.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    inside = _inside(view, small.shape[:2])
    odd, dark = _not_baize(np.asarray(small, np.float32), inside)
    dice = np.zeros(odd.shape, np.uint8)
    for outline in dice_px:
        _cover(dice, outline * scale, 5.0)
    known = dice.copy()
    for quad in view.marker_quads(field).values():
        _cover(known, quad * scale, 2 * _MARKER_RIM_MM)
    for quad in view.unseen_quads(field).values():
        _cover(known, quad * scale, 2 * _UNSEEN_RIM_MM)
    free = inside & (1 - known)
    odd, dark = odd & free, dark & free
    mask = odd | (dark & (1 - _cast_by(dice, dark, odd)))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_THICK_MM, _THICK_MM))
    return _things(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.uint8), inside, view)


def _cast_by(dice: Mask, dark: Mask, odd: Mask) -> Mask:
    """1 where the dark is the shadow of a read die: it begins at the die, and nothing but baize lies in it."""
    shadow = np.zeros(dark.shape, np.uint8)
    if not dice.any() or not dark.any():
        return shadow
    beside = cv2.dilate(dice, np.ones((_TOUCH_MM, _TOUCH_MM), np.uint8))
    _, labels = cv2.connectedComponents(dark, connectivity=8)
    for index in set(np.unique(labels[beside > 0]).tolist()) - {0}:
        part = np.asarray(labels == index, np.uint8)
        hull = np.zeros(dark.shape, np.uint8)
        cv2.fillConvexPoly(hull, cv2.convexHull(np.asarray(cv2.findNonZero(part), np.int32)), 1)
        if int((odd & hull).sum()) < _PLAIN * int(part.sum()):
            shadow |= part
    return shadow


def _inside(view: View, shape: tuple[int, ...]) -> Mask:
    left, top, right, bottom = (edge / view.px_per_mm for edge in view.baize)
    inside = np.zeros(shape, np.uint8)
    inside[round(top + _RIM_MM) : round(bottom - _RIM_MM), round(left + _RIM_MM) : round(right - _RIM_MM)] = 1
    return inside


def _not_baize(small: NDArray[np.float32], inside: Mask) -> tuple[Mask, Mask]:
    """1 where a pixel is not the baize's colour made brighter or darker; and 1 where it is too dark to tell."""
    colour = np.median(small[inside > 0], axis=0)
    strength = float(colour @ colour) + 1e-6
    brightness = small @ colour / strength
    off = np.linalg.norm(small - brightness[:, :, None] * colour, axis=2)
    usual = float(np.median(off[inside > 0]))
    odd = (off > _OFF_COLOUR + 3 * usual) | (brightness > _SHINE)
    return np.asarray(odd, np.uint8), np.asarray(~odd & (brightness < _SHADOW), np.uint8)


def _cover(mask: Mask, outline: NDArray[np.float64], rim: float) -> None:
    hull = cv2.convexHull(np.asarray(outline, np.float32))
    points = np.round(np.asarray(hull)).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 1)
    cv2.polylines(mask, [points], True, 1, max(1, round(rim)))


def _things(mask: Mask, inside: Mask, view: View) -> list[Thing]:
    count, labels, table, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
    wide = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_RECT, (_WALL_MM, _WALL_MM)))
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    found = []
    for index in range(1, count):
        x, y, width, height, area = (int(number) for number in table[index])
        if area < _LEAST_MM2:
            continue
        outside = x <= columns[0] or y <= rows[0] or x + width > columns[-1] or y + height > rows[-1]
        if outside:
            area = int(wide[labels == index].sum())
            if area == 0:
                continue
        middle = (float(middles[index][0]) * view.px_per_mm, float(middles[index][1]) * view.px_per_mm)
        box = tuple(view.px_per_mm * side for side in (x, y, x + width, y + height))
        found.append(Thing(float(area), middle, (box[0], box[1], box[2], box[3]), outside))
    return sorted(found, key=lambda thing: -thing.area_mm2)
