"""Notices a hand, or anything else, across the edge of the baize: it hides the step there from cloth to wood.

That shows even a hand of the cloth's own hue, which no look at colours tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.field.view import MARGIN_MM, PX_PER_MM, Places, View
from vision.foreground.background import Mask
from vision.foreground.covered import mask_of_dice
from vision.foreground.segment import Survey
from vision.foreground.thing import UnexplainedThing
from vision.libraries import cv2

_WITHIN_MM, _BEYOND_MM = (3, 7), (5, 10)  # from the edge, the cloth and the wood that are compared
_SOFT_MM = 5  # grain and weave are evened out over this length
_NEUTRAL = 12.0  # levels added before a logarithm is taken: what is nearly black is mostly noise
_KEPT = 0.35  # part of the usual step from cloth to wood below which neither of them is seen
# A side is mostly hidden when its usual step is, squared, less than the first part of that of all sides together: then
# the rest is looked at, which has the second part of it, if it is more than the third part of the side.
_HIDDEN, _SHOWN, _LEAST_SHOWN = 0.2, 0.6, 0.15
_HUE = 0.12  # the logarithm of a ratio by which the hue of wood or cloth must change there
_CLEAR = 0.1  # a smaller step, as the logarithm of a ratio, is lost in wood's own grain
_DIE_RIM_MM = 12.0  # twice how far beside a die at the edge its side may be seen
_LEAST_MM = 13  # a finger is no thinner, a knot in the wood no longer


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A side of the baize: the logarithms (n, 3) of the cloth and of the wood along it, a millimetre each, and where
    neither dice nor markers hide them (n).
    """

    cloth: NDArray[np.float64]
    wood: NDArray[np.float64]
    free: NDArray[np.bool_]

    @property
    def step(self) -> NDArray[np.float64]:
        """The step (n, 3) from wood to cloth."""
        return np.asarray(self.cloth - self.wood, np.float64)


def find_intrusions(view: View, seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """The things across the edge of the baize: there the step from cloth to wood is missing over a finger's breadth.

    `dice` are the outlines (n, 2) of the read dice on the baize in mm.

    Light and shadow change cloth and wood by the same factor; what lies over both makes them alike. Where that
    changes the hue of neither it may be a shadow on one of them. A side that is not wholly in the picture says nothing.
    """
    hidden = np.asarray(mask_of_dice(seen, dice, _DIE_RIM_MM) | seen.all_markers, np.uint8)
    sides = {
        turn: _side_of(np.rot90(seen.pixels, turn), np.rot90(hidden, turn))
        for turn, shown in enumerate(_sides_shown(view))
        if shown
    }
    steps = np.concatenate([np.zeros((0, 3)), *(side.step[side.free] for side in sides.values())])
    if len(steps) == 0:
        return []
    common = np.median(steps, axis=0)
    return [
        _thing(hidden.shape, turn, start, end)
        for turn, side in sides.items()
        for start, end in _runs(_where_edge_is_missing(side, common))
    ]


def _sides_shown(view: View) -> list[bool]:
    """True for each side of the baize (far, right, near, left) along which the picture shows the wood."""
    low, right, near = -_BEYOND_MM[1], view.field.width_mm + _BEYOND_MM[1], view.field.depth_mm + _BEYOND_MM[1]
    corners = view.field.at_px(np.array([[low, low], [right, low], [right, near], [low, near]], np.float64))
    height, width = view.pixels.shape[:2]
    inside = np.all((corners >= 0) & (corners <= (width - 1, height - 1)), axis=1).tolist()
    return [inside[side] and inside[(side + 1) % 4] for side in range(4)]


def _thing(shape: tuple[int, ...], turn: int, start: int, end: int) -> UnexplainedThing:
    """The thing along a stretch of the edge of a survey so often turned: for all that is known as deep as wide."""
    places = np.rot90(np.arange(shape[0] * shape[1]).reshape(shape), turn)
    row, column = divmod(int(places[int(MARGIN_MM), int(MARGIN_MM) + (start + end) // 2]), shape[1])
    x, y, half = column * PX_PER_MM, row * PX_PER_MM, (end - start) * PX_PER_MM / 2
    return UnexplainedThing(float(end - start) ** 2, (x, y), (x - half, y - half, x + half, y + half), True)


def _side_of(pixels: NDArray[np.uint8], hidden: Mask) -> _Side:
    """The upper side of a survey (h, w, 3)."""
    upper = int(MARGIN_MM)
    along = slice(upper, pixels.shape[1] - upper)
    within = pixels[upper + _WITHIN_MM[0] : upper + _WITHIN_MM[1], along]
    beyond = pixels[upper - _BEYOND_MM[1] : upper - _BEYOND_MM[0], along]
    free = np.asarray(~hidden[upper - _BEYOND_MM[1] : upper + _WITHIN_MM[1], along].any(axis=0), np.bool_)
    return _Side(_logarithm(within), _logarithm(beyond), free)


def _where_edge_is_missing(side: _Side, common: NDArray[np.float64]) -> NDArray[np.bool_]:
    """True for each millimetre of a side of the baize at which cloth or wood is hidden; `common` (3) is the step from
    cloth to wood that is usual on all sides together.
    """
    step, plain = side.step, _plain_part(side, common)
    if not plain.any():
        return plain
    usual = np.median(step[plain], axis=0)
    power = float((usual * usual).sum())
    if power < _CLEAR**2:
        return np.zeros(plain.shape, np.bool_)
    lost = np.asarray(side.free & ((step * usual).sum(axis=1) < _KEPT * power), np.bool_)
    if not lost.any():
        return lost
    # A shadow may fall on one of them alone, and leaves both their hue.
    return np.asarray(lost & ((_off_hue(side.cloth, plain) > _HUE) | (_off_hue(side.wood, plain) > _HUE)), np.bool_)


def _plain_part(side: _Side, common: NDArray[np.float64]) -> NDArray[np.bool_]:
    """True for each millimetre by which the usual step of a side is told: all that is free, but where a hand hides most
    of the side the rest, at which the step is that of the other sides.
    """
    if not side.free.any():
        return side.free
    usual = np.median(side.step[side.free], axis=0)
    power = float((common * common).sum())
    if float((usual * usual).sum()) >= _HIDDEN * power:
        return side.free
    shown = np.asarray(side.free & ((side.step * common).sum(axis=1) > _SHOWN * power), np.bool_)
    return shown if shown.sum() > _LEAST_SHOWN * side.free.sum() else np.zeros(shown.shape, np.bool_)


def _off_hue(strip: NDArray[np.float64], free: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The distance of the hue along a strip (n, 3) of logarithms from its usual one, (n)."""
    off = strip - np.median(strip[free], axis=0)
    return np.asarray(np.linalg.norm(off - off.mean(axis=1, keepdims=True), axis=1), np.float64)


def _logarithm(strip: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The brightness (n, 3) along a strip (h, n, 3), in which a factor is a difference."""
    mean = cv2.blur(np.ascontiguousarray(strip).mean(axis=0), (1, _SOFT_MM))
    return np.asarray(np.log(mean + _NEUTRAL), np.float64)


def _runs(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The first and the last place and one of every unbroken row of marked ones that is long enough."""
    steps = np.flatnonzero(np.diff(np.concatenate(([False], marked, [False])).astype(np.int8)))
    return [(int(start), int(end)) for start, end in steps.reshape(-1, 2) if end - start >= _LEAST_MM]
