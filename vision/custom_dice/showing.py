"""Finds dice that are shown to be learnt, of which only the shape is known: cubes or icosahedra."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Real
from vision.capture.frame import Pixels
from vision.custom_dice.body import Body, two_colours
from vision.custom_dice.finding import body_mask, crop_about
from vision.custom_dice.shapes import Shape
from vision.field.field import Field
from vision.field.view import MARGIN_MM, PX_PER_MM, Box, Cutout, View, box_of_mm, view_of
from vision.foreground.background import components, widened
from vision.foreground.survey import Survey, look_over
from vision.foreground.things import HAND_MM2
from vision.libraries import cv2
from vision.reading import Point, Sides

EDGES_MM: dict[Sides, tuple[float, float]] = {6: (10.0, 24.0), 20: (8.0, 22.0)}
_LEAST_MM2, _LARGEST_MM2 = 12, 1600
_JOINED_MM = 2
_RIM_MM = 6  # a thinner thing along the edge is the shadow of the wall, or the end of the baize
_ABOUT_PX = 5.0 * PX_PER_MM
_MIDDLE_PX = 6.5 * PX_PER_MM  # about the size of the smallest top face: more body than drawing
_FITS, _FITS_KNOWN = 0.78, 0.7  # least common part of mask and outline; a tinted shadow takes some
_LEAST_INK = 0.03  # part of a face that is drawn on
_LEAST_CONTRAST = 40.0  # levels between body and drawing

Trouble = Literal["hand", "no_die", "two_things", "edge", "plain"]


@dataclass(frozen=True, slots=True)
class _Lump:
    """Something on the baize: its area, its box in view pixels, whether it reaches the edge of the examined part."""

    area_mm2: float
    box: Box
    at_edge: bool

    @property
    def middle(self) -> Point:
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True, slots=True, eq=False)
class ShownDie:
    """A die that is shown: its place in mm, its turn, its shape, the crop of its top face, the colour of its body."""

    at_mm: tuple[float, float]
    turn_rad: float
    shape: Shape
    crop: Pixels
    bgr: Real


@dataclass(frozen=True, slots=True)
class ShownDice:
    """The dice on the baize that can be learnt, or a trouble with its place in the picture."""

    dice: tuple[ShownDie, ...] = ()
    trouble: Trouble | None = None
    at_px: Point | None = None


def look_for_dice(pixels: Pixels, field: Field, sides: Sides, edge_mm: float | None = None) -> ShownDice:
    """Find all dice on the baize, each lying alone. `edge_mm` is their edge; None: it is measured, and one for all."""
    seen = _look(pixels, field, sides, edge_mm)
    if edge_mm is None and seen.trouble is None:
        return _look(pixels, field, sides, float(np.median([die.shape.edge_mm for die in seen.dice])))
    return seen


def _look(pixels: Pixels, field: Field, sides: Sides, edge_mm: float | None) -> ShownDice:
    view = view_of(pixels, field, 0.0)
    dice: list[ShownDie] = []
    for lump in _lumps(look_over(view).seen):
        at = view.original(*lump.middle)
        if lump.area_mm2 > HAND_MM2:
            return ShownDice((), "hand", at)
        shown = _measure_die(view, lump, sides, edge_mm) if lump.area_mm2 < _LARGEST_MM2 else None
        if shown is None:
            return ShownDice((), "edge" if lump.at_edge else "two_things", at)
        half = round(0.7 * shown.shape.drawn_mm * PX_PER_MM)
        y, x = (side // 2 for side in shown.crop.shape[:2])
        body, drawing, part = two_colours(shown.crop[y - half : y + half + 1, x - half : x + half + 1])
        if part < _LEAST_INK or float(np.linalg.norm(drawing - body)) < _LEAST_CONTRAST:
            return ShownDice((), "plain", at)
        dice.append(shown)
    return ShownDice(tuple(dice)) if dice else ShownDice((), "no_die")


def _lumps(seen: Survey) -> list[_Lump]:
    """Return the things on the baize, each with everything near it: of a black die only the pips may stand out."""
    mask = (seen.foreground.odd | seen.foreground.dark | seen.seeds) & seen.inside & (1 - seen.unoccluded_markers)
    _, labels, table, _ = components(widened(np.asarray(mask, np.uint8), _JOINED_MM))
    areas = np.bincount(labels[mask > 0], minlength=len(table))
    rows, columns = np.flatnonzero(seen.inside.any(axis=1)), np.flatnonzero(seen.inside.any(axis=0))
    lumps = []
    for (x, y, width, height), area in zip(table[1:, :4].tolist(), areas[1:].tolist(), strict=True):
        if area >= _LEAST_MM2:
            at_edge = x < columns[0] + 1 or y < rows[0] + 1 or x + width > columns[-1] or y + height > rows[-1]
            if at_edge and min(width, height) - 2 * _JOINED_MM < _RIM_MM:
                continue
            lumps.append(_Lump(area, box_of_mm(x, y, x + width, y + height), at_edge))
    return lumps


def _measure_die(view: View, lump: _Lump, sides: Sides, edge_mm: float | None) -> ShownDie | None:
    """Measure the die in a box of the view of the baize; None when its outline is not that of a die."""
    left, top, right, bottom = lump.box
    part = view.cut_out((left - _ABOUT_PX, top - _ABOUT_PX, right + _ABOUT_PX, bottom + _ABOUT_PX))
    # The colour of the body is that of most of the middle of the thing.
    column, row = round(lump.middle[0] - part.left), round(lump.middle[1] - part.top)
    near = round(_MIDDLE_PX)
    about = np.s_[max(0, row - near) : row + near, max(0, column - near) : column + near]
    bgr, _, _ = two_colours(part.pixels[about])
    filled = body_mask(Body("", bgr, np.array([1.0, 0.0, 0.0]), 0.0).colour_mask(part.pixels))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
    _, labels = cv2.connectedComponents(cv2.morphologyEx(filled, cv2.MORPH_OPEN, kernel))
    counts = np.bincount(np.asarray(labels[about], np.int64).ravel(), minlength=2)
    counts[0] = 0
    whole = np.asarray((labels == np.argmax(counts)) & (labels > 0), np.uint8)
    # Where body and baize blend into one another, half of the pixels belong to the body.
    mask = widened(whole, 1)
    fitted = _fit(view, part, mask, sides, edge_mm)
    if fitted is None:
        return None
    x, y, turn, edge = fitted
    shape = Shape(sides, edge)
    above = view_of(view.pixels, view.field, shape.height_mm)
    at = (np.array([x, y]) + MARGIN_MM) * PX_PER_MM
    crop = crop_about(above, float(at[0]), float(at[1]), shape).pixels
    return ShownDie((x, y), turn, shape, crop, bgr)


def _fit(
    view: View, part: Cutout, mask: NDArray[np.uint8], sides: Sides, edge_mm: float | None
) -> tuple[float, float, float, float] | None:
    """Return place, turn and edge of the die whose outline covers the mask best; None when none fits well."""
    area = float(mask.sum()) / PX_PER_MM**2
    least, most = EDGES_MM[sides]
    guess = edge_mm or float(np.clip(np.sqrt(area / (1.15 if sides == 6 else 2.3)), least, most))
    moments = cv2.moments(mask, binaryImage=True)
    if not moments["m00"]:
        return None
    inner = np.array([moments["m10"], moments["m01"]]) / moments["m00"] + (part.left, part.top)
    centre = inner / PX_PER_MM - MARGIN_MM
    # The middle of the outline belongs to half the height of the die.
    foot, high = view.field.camera_mm[:2], float(view.field.camera_mm[2])
    centre = foot + (centre - foot) * (1 - Shape(sides, guess).height_mm / 2 / high)

    def overlap(tried: Real) -> float:
        """Return the part 0..1 of mask and outline together that they have in common."""
        outline = Shape(sides, float(tried[3])).outline_mm(tried[:2], float(tried[2]), view.field.camera_mm)
        points = (outline + MARGIN_MM) * PX_PER_MM - (part.left, part.top)
        drawn = np.zeros_like(mask)
        hull = cv2.convexHull(np.asarray(points, np.float32))
        cv2.fillConvexPoly(drawn, np.round(np.asarray(hull) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        both = int((drawn & mask).sum())
        return both / max(1, int(drawn.sum()) + int(mask.sum()) - both)

    turns = np.arange(6) * np.pi / 12 if sides == 6 else np.zeros(1)
    starts = [np.array([*centre, turn, guess]) for turn in turns]
    best = _climb(max(starts, key=overlap), overlap, np.array([1.5, 1.5, 0.2 * (sides == 6), 1.2 * (edge_mm is None)]))
    if overlap(best) < (_FITS if edge_mm is None else _FITS_KNOWN) or not least <= best[3] <= most:
        return None
    return float(best[0]), float(best[1]), float(best[2]), float(best[3])


def _climb(start: Real, height: Callable[[Real], float], steps: Real) -> Real:
    best, top = start, height(start)
    for _ in range(6):
        moved = True
        while moved:
            moved = False
            for index in np.flatnonzero(steps):
                for sign in (-1, 1):
                    tried = best.copy()
                    tried[index] += sign * steps[index]
                    value = height(tried)
                    if value > top + 1e-4:
                        best, top, moved = tried, value, True
        steps = steps / 2
    return best
