"""Finds the dice of a custom set on the baize: where their colour fills the outline of a die, and a face fits."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.capture.arrays import Mask, Places, Real
from vision.custom_dice.body import Body
from vision.custom_dice.faces import DiceSet, Doubtful, Recognised, recognise
from vision.custom_dice.fitting import compare, rings_at, sharpen
from vision.custom_dice.shapes import Shape
from vision.field.pose import project_to_plane
from vision.field.view import MARGIN_MM, PX_PER_MM, Box, Cutout, View
from vision.foreground.survey import Survey
from vision.libraries import cv2

_STEP_PX = 4  # places are tried a millimetre apart
_FILLED = 0.86  # a die fills this part of the disc where it lies: highlights and shaded facets are excluded
_ENOUGH = 0.3  # part of the disc of a die that must have its colour before it is searched
_WORTH = 0.45  # places that correlate less are not examined closely
_CLOSE_MM = 1.6  # a drawing may look like a hole in the body up to this width
_ABOUT_MM = 4.0  # a crop goes this far beyond the compared disc
_BESIDE_MM = 8.0  # the top of a die at the wall is seen this far outside the baize
_AWAY_PX = 2.0  # a face found nearer than this to the place of the search was examined well
_MOST_DICE = 24


@dataclass(frozen=True, slots=True, eq=False)
class FoundDie:
    """A die of a custom set: its face, its middle in view pixels and its outline (n, 2) on the baize in mm."""

    answer: Recognised | Doubtful
    middle: Real
    outline_mm: Places
    taught: DiceSet


def find_custom_dice(view: View, seen: Survey, boxes: Sequence[Box], taught: DiceSet) -> list[FoundDie]:
    """Return the dice of a set in these pieces of a view, each once, the clearest first; places are in view pixels."""
    view = replace(view, height_mm=taught.shape.height_mm)
    places: list[tuple[float, float, float]] = []
    for part in map(view.cut_out, boxes):
        for body in taught.bodies:
            places += _likely_places(view, part, body, taught)
    found: list[FoundDie] = []
    # No die lies on a bare marker, nor far off the baize.
    left, top, right, bottom = view.baize
    beside, bare = _BESIDE_MM * PX_PER_MM, seen.unoccluded_markers
    free = []
    for score, x, y in places:
        column, row = np.round(view.on_baize(np.array([[x, y]]))[0] + MARGIN_MM).astype(int)
        on_marker = bare[min(max(row, 0), bare.shape[0] - 1), min(max(column, 0), bare.shape[1] - 1)]
        if left - beside < x < right + beside and top - beside < y < bottom + beside and not on_marker:
            free.append((score, x, y))
    # Of crowded places the best ones are kept: dice cannot be nearer to one another.
    least_px = 0.9 * taught.shape.least_apart_mm * PX_PER_MM
    kept: list[tuple[float, float]] = []
    for _, x, y in sorted(free, reverse=True):
        if all(np.hypot(x - other[0], y - other[1]) >= least_px for other in kept):
            kept.append((x, y))
    for x, y in kept[:_MOST_DICE]:
        die = _recognise_at(view, x, y, taught)
        if die is None:
            continue
        if isinstance(die.answer, Doubtful) and np.hypot(*(die.middle - (x, y))) >= _AWAY_PX:
            # A doubtful die that seems to lie elsewhere is examined there once more.
            die = _recognise_at(view, float(die.middle[0]), float(die.middle[1]), taught) or die
        found.append(die)
    return found


def crop_about(view: View, x: float, y: float, shape: Shape) -> Cutout:
    """Cut out the piece of a view around the middle of a face that is enough to recognise it."""
    half = round((shape.drawn_mm + _ABOUT_MM) * PX_PER_MM)
    x, y = round(x), round(y)
    return view.cut_out((x - half, y - half, x + half + 1, y + half + 1))


def outline_of(view: View, x: float, y: float, turn_rad: float, shape: Shape) -> Places:
    """Return the part of the baize that a die with the middle of its top at this place hides: (n, 2) in mm, convex."""
    return shape.outline_mm(view.at_mm(np.array([[x, y]]))[0], turn_rad, view.field.camera_mm)


def body_mask(like: Mask) -> Mask:
    """Fill the drawings on a mask (h, w) of the colour of a body: 0 or 1."""
    size = 2 * round(_CLOSE_MM * PX_PER_MM / 2) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    closed = cv2.morphologyEx(like, cv2.MORPH_CLOSE, kernel)
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(closed)
    cv2.drawContours(filled, contours, -1, 1, cv2.FILLED)
    return np.asarray(filled, np.uint8)


def _likely_places(view: View, part: Cutout, body: Body, taught: DiceSet) -> list[tuple[float, float, float]]:
    """Return score and place (score, x, y) in view pixels where a top face of this body may have its middle."""
    like = body.colour_mask(part.pixels)
    shape = taught.shape
    if like.sum() < _ENOUGH * np.pi * (shape.drawn_mm * PX_PER_MM) ** 2:
        return []
    places = _filled_places(view, part, body_mask(like), shape)
    if not len(places):
        return []
    ink = sharpen(body.ink(part.pixels), taught.radius_px)
    scores = compare(rings_at(ink, places, taught.radius_px), taught.spectra).max(axis=(1, 2))
    chosen = scores >= _WORTH
    corner = (part.left, part.top)
    return [
        (float(score), float(x), float(y))
        for score, (x, y) in zip(scores[chosen], places[chosen] + corner, strict=True)
    ]


def _filled_places(view: View, part: Cutout, mask: Mask, shape: Shape) -> Places:
    """Return the places (n, 2) of a part around which the mask fills the widest disc of the die.

    That disc may lie lower than the top face: the camera sees it nearer to its own foot.
    """
    height, width = mask.shape
    x, y = np.meshgrid(np.arange(0, width, _STEP_PX), np.arange(0, height, _STEP_PX))
    places = np.column_stack((x.ravel(), y.ravel())).astype(np.float64)
    widest_mm, radius_mm = shape.widest
    corner = np.array([part.left, part.top])
    shown = project_to_plane(view.at_mm(places + corner), widest_mm, view.height_mm, view.field.camera_mm)
    shown = (shown + MARGIN_MM) * PX_PER_MM - corner
    radius = round(0.94 * radius_mm * PX_PER_MM)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)).astype(np.float32)
    part_filled = cv2.filter2D(
        mask.astype(np.float32), cv2.CV_32F, kernel / kernel.sum(), borderType=cv2.BORDER_CONSTANT
    )
    column, row = np.round(shown).astype(int).T
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    places, column, row = places[inside], column[inside], row[inside]
    return np.asarray(places[part_filled[row, column] >= _FILLED], np.float64)


def _recognise_at(view: View, x: float, y: float, taught: DiceSet) -> FoundDie | None:
    crop = crop_about(view, x, y, taught.shape)
    answer = recognise(crop.pixels, (taught,))
    if not isinstance(answer, (Recognised, Doubtful)):
        return None
    middle = np.add(answer.middle, (crop.left, crop.top))
    outline = outline_of(view, float(middle[0]), float(middle[1]), answer.turn_rad, taught.shape)
    return FoundDie(answer, middle, outline, taught)
