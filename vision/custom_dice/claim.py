"""Reads the dice that are laid on the baize for a claim, while the other dice of all players lie next to it.

Next to the baize nothing is read and nothing is in doubt; a die over its edge is refused.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from vision.capture.arrays import Mask, Places
from vision.capture.frame import Pixels
from vision.custom_dice.body import Body
from vision.custom_dice.faces import DiceSet, Recognised
from vision.custom_dice.finding import FoundDie, find_custom_dice
from vision.custom_dice.misfits import is_raised, refuse_not_flat, refuse_other_tint
from vision.custom_dice.reader import Advice, find_refusal, readings_of
from vision.custom_dice.regions import find_regions
from vision.field.field import Field
from vision.field.view import MARGIN_MM, PX_PER_MM, Box, View, box_of_mm, view_of
from vision.foreground.background import components, widened
from vision.foreground.survey import Survey, look_over
from vision.foreground.unexplained import find_unexplained_marks
from vision.libraries import cv2
from vision.reading import Reading, Reason, read, refused

_LAY_APART = Advice(
    "lay it elsewhere, by itself.",
    "I see something that is none of your dice: take it away, or lay the dice apart.",
    "One die is lying on another or touching something: lay them side by side on the baize.",
    "One die lies over the edge of the baize: lay it on the baize, or beside it.",
)
_EDGE_MM = 2.0  # accuracy of the edge of the baize
_WOODEN = 0.5  # a colour that covers more of the wood along a side is that of the wood
_SPECK_MM2 = 4
_AT_EDGE_MM, _ABOUT_MM = 3, 20  # how near the baize a thing may reach in; how much around it shows a whole die
_PIECE_MM2, _BROAD = 20, np.ones((3, 3), np.uint8)  # every die shows more of its colour; edges of dice are narrower
_SMALLEST_MM = 8.0  # no die is smaller
_ACROSS_EDGE_MM = 5  # the rim of the baize, which is not examined, and a little more
_ABOUT_DIE_MM, _NEAR_DIE_MM = 3, 2


def read_claim(pixels: Pixels, field: Field, taught: DiceSet) -> Reading:
    """Read the dice of a custom set that lie on the baize, each with its colour; those next to it are ignored."""
    view = view_of(pixels, field, taught.shape.height_mm)
    seen = look_over(view).seen
    boxes = [*find_regions(seen), *_boxes_at_edge(view, seen, taught)]
    left, top, right, bottom = view.baize
    found = [
        die
        for die in find_custom_dice(view, seen, boxes, taught)
        # A thing outside that is not clearly a die lies farther off.
        if isinstance(die.answer, Recognised) or (left < die.middle[0] < right and top < die.middle[1] < bottom)
        if _reach_mm(view, die)[0] > _EDGE_MM
    ]
    over_edge = next((die for die in found if _reach_mm(view, die)[1] > _EDGE_MM and not is_raised(view, die)), None)
    refusal = find_refusal(view, seen, found, over_edge, _LAY_APART, _outlines_beside(seen, found, taught))
    return (
        refusal
        or _refuse_left_over(view, seen, found, taught)
        or refuse_other_tint(view, seen, found)
        or refuse_not_flat(view, found)
        or read(readings_of(view, found))
    )


def _refuse_left_over(view: View, seen: Survey, found: Sequence[FoundDie], taught: DiceSet) -> Reading | None:
    """Refuse a thing with the colour or marks of a die that was not found: a black one may pass for a shadow."""
    free = seen.inside & (1 - seen.all_markers) & (1 - widened(_mask_of(seen, found), _NEAR_DIE_MM))
    places: list[tuple[float, float]] = []
    for body in taught.bodies:
        like = np.asarray(body.colour_mask(seen.pixels) & free, np.uint8)
        _, _, table, middles = components(np.asarray(cv2.morphologyEx(like, cv2.MORPH_OPEN, _BROAD), np.uint8))
        large = table[1:, cv2.CC_STAT_AREA] >= _PIECE_MM2
        places += [(float(x) * PX_PER_MM, float(y) * PX_PER_MM) for x, y in middles[1:][large]]
    for left, top, right, bottom in find_unexplained_marks(seen, [die.outline_mm for die in found]):
        if min(right - left, bottom - top) >= _SMALLEST_MM * PX_PER_MM:
            places.append(((left + right) / 2, (top + bottom) / 2))
    if not places:
        return None
    return refused(Reason.UNEXPLAINED, _LAY_APART.unexplained, at_px=view.original(*places[0]))


def _reach_mm(view: View, die: FoundDie) -> tuple[float, float]:
    """Return how far a die reaches into the baize, and how far out of it, in mm; negative where it does not."""
    middle = view.at_mm(die.middle[None])
    turns = die.answer.turn_rad + np.pi / 4 + np.arange(4) * np.pi / 2
    corners = middle + die.taught.shape.edge_mm * np.sqrt(0.5) * np.column_stack((np.cos(turns), np.sin(turns)))
    within = np.minimum(corners, (view.field.width_mm, view.field.depth_mm) - corners).min(axis=1)
    return float(within.max()), -float(within.min())


def _boxes_at_edge(view: View, seen: Survey, taught: DiceSet) -> list[Box]:
    """Return boxes in view pixels around things with the colour of a die just outside the baize: they may reach in."""
    left, top, right, bottom = (round(side / PX_PER_MM) for side in view.baize)
    edge = np.zeros(seen.inside.shape, np.uint8)
    edge[top - _AT_EDGE_MM : bottom + _AT_EDGE_MM, left - _AT_EDGE_MM : right + _AT_EDGE_MM] = 1
    edge[top:bottom, left:right] = 0
    boxes: list[Box] = []
    for side, (column, row) in _sides(seen.inside.shape):
        coloured = _dice_coloured(seen.pixels[side], taught.bodies)
        _, _, table, _ = components(np.asarray(coloured & edge[side], np.uint8))
        for x, y, width, height, area in table[1:].tolist():
            if area >= _SPECK_MM2:
                left, top = x + column - _ABOUT_MM, y + row - _ABOUT_MM
                boxes.append(box_of_mm(left, top, left + width + 2 * _ABOUT_MM, top + height + 2 * _ABOUT_MM))
    return boxes


def _outlines_beside(seen: Survey, found: Sequence[FoundDie], taught: DiceSet) -> list[Places]:
    """Return the outlines (n, 2) in mm of things with the colour of a die next to the baize, not over its edge.

    Dice lie there as they fell, even on one another, and are not read.
    """
    # Where the baize is no cloth and none of these dice lies: something there may reach in from outside.
    odd = seen.foreground.odd & seen.inside & (1 - seen.all_markers)
    odd = np.asarray(odd & (1 - widened(_mask_of(seen, found), _ABOUT_DIE_MM)), np.uint8)
    reaching_in = widened(odd, _ACROSS_EDGE_MM)
    outlines: list[Places] = []
    for side, corner in _sides(seen.inside.shape):
        coloured = _dice_coloured(seen.pixels[side], taught.bodies)
        count, labels, table, _ = components(coloured)
        for index in range(1, count):
            piece = np.asarray(labels == index, np.uint8)
            if table[index, cv2.CC_STAT_AREA] >= _SPECK_MM2 and not (piece & reaching_in[side]).any():
                points = np.asarray(cv2.findNonZero(piece), np.float64).reshape(-1, 2)
                outlines.append(points + corner - MARGIN_MM)
    return outlines


def _sides(shape: tuple[int, ...]) -> Iterator[tuple[tuple[slice, slice], tuple[int, int]]]:
    """Yield the four strips of a survey outside the baize: each as slices, and its first column and row."""
    (height, width), margin, whole = shape, int(MARGIN_MM), slice(None)
    for first in (0, height - margin):
        yield (slice(first, first + margin), whole), (0, first)
    for first in (0, width - margin):
        yield (whole, slice(first, first + margin)), (first, 0)


def _dice_coloured(pixels: Pixels, bodies: Sequence[Body]) -> Mask:
    """Return 1 where a strip (h, w, 3) has the colour of a body, unless most of it has: then it is the wood."""
    coloured = np.zeros(pixels.shape[:2], np.uint8)
    for body in bodies:
        like = body.colour_mask(pixels)
        if like.mean() < _WOODEN:
            coloured |= like
    return coloured


def _mask_of(seen: Survey, found: Sequence[FoundDie]) -> Mask:
    dice = np.zeros(seen.inside.shape, np.uint8)
    for die in found:
        hull = cv2.convexHull(np.asarray(die.outline_mm + MARGIN_MM, np.float32))
        cv2.fillConvexPoly(dice, np.round(np.asarray(hull)).astype(np.int32), 1)
    return dice
