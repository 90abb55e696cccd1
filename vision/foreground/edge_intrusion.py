"""Notice a hand, or anything else, across the edge of the baize: it hides the step from cloth to wood.

This shows even a hand of the cloth's own hue, which no comparison of colours finds.
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
_NEUTRAL = 12.0  # levels added before taking a logarithm: nearly black pixels are mostly noise
_KEPT = 0.35  # part of the usual step from cloth to wood below which neither of them is seen
# A side is mostly hidden when its usual step, squared, is less than the first part of that of all sides together. Then
# only the rest is used, where the step has the second part of it, if that is more than the third part of the side.
_HIDDEN, _SHOWN, _LEAST_SHOWN = 0.2, 0.6, 0.15
_HUE = 0.12  # least change of hue of wood or cloth, as the logarithm of a ratio
_CLEAR = 0.1  # a smaller step, as the logarithm of a ratio, is lost in wood's own grain
_DIE_RIM_MM = 12.0  # twice how far outside a die at the edge its side may show
_LEAST_MM = 13  # a finger is no thinner, a knot in the wood no longer


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A side of the baize, in steps of a millimetre: the logarithms (n, 3) of the cloth and of the wood along it, and
    whether it is free of dice and markers (n).
    """

    cloth: NDArray[np.float64]
    wood: NDArray[np.float64]
    free: NDArray[np.bool_]

    @property
    def step(self) -> NDArray[np.float64]:
        """The step (n, 3) from wood to cloth."""
        return np.asarray(self.cloth - self.wood, np.float64)


def find_intrusions(view: View, seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """Return the things across the edge of the baize, where the step from cloth to wood is missing over a finger's
    breadth. `dice` are the outlines (n, 2) of the read dice on the baize in mm.

    Light and shadow change cloth and wood by the same factor; a thing that lies over both makes them alike. Where the
    hue of neither changes it may be a shadow on one of them. A side that is partly outside the picture is skipped.
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
    numbers = np.arange(hidden.size).reshape(hidden.shape)
    found = []
    for turn, side in sides.items():
        missing = _where_edge_is_missing(side, common)
        changes = np.flatnonzero(np.diff(np.concatenate(([False], missing, [False])).astype(np.int8)))
        for start, end in changes.reshape(-1, 2).tolist():
            if end - start >= _LEAST_MM:
                at = np.rot90(numbers, turn)[int(MARGIN_MM), int(MARGIN_MM) + (start + end) // 2]
                row, column = divmod(int(at), hidden.shape[1])
                # Its depth is unknown, and taken to be its width.
                x, y, half = column * PX_PER_MM, row * PX_PER_MM, (end - start) * PX_PER_MM / 2
                box = (x - half, y - half, x + half, y + half)
                found.append(UnexplainedThing(float(end - start) ** 2, (x, y), box, True))
    return found


def _sides_shown(view: View) -> list[bool]:
    """Return for each side of the baize (far, right, near, left) whether the picture shows the wood along it."""
    low, right, near = -_BEYOND_MM[1], view.field.width_mm + _BEYOND_MM[1], view.field.depth_mm + _BEYOND_MM[1]
    corners = view.field.at_px(np.array([[low, low], [right, low], [right, near], [low, near]], np.float64))
    height, width = view.pixels.shape[:2]
    inside = np.all((corners >= 0) & (corners <= (width - 1, height - 1)), axis=1).tolist()
    return [inside[side] and inside[(side + 1) % 4] for side in range(4)]


def _side_of(pixels: NDArray[np.uint8], hidden: Mask) -> _Side:
    """Return the upper side of a survey (h, w, 3)."""
    upper = int(MARGIN_MM)
    along = slice(upper, pixels.shape[1] - upper)
    within = pixels[upper + _WITHIN_MM[0] : upper + _WITHIN_MM[1], along]
    beyond = pixels[upper - _BEYOND_MM[1] : upper - _BEYOND_MM[0], along]
    free = np.asarray(~hidden[upper - _BEYOND_MM[1] : upper + _WITHIN_MM[1], along].any(axis=0), np.bool_)
    return _Side(_logarithm(within), _logarithm(beyond), free)


def _where_edge_is_missing(side: _Side, common: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each millimetre of a side of the baize whether cloth or wood is hidden there; `common` (3) is the
    usual step from cloth to wood on all sides together.
    """
    step, plain = side.step, side.free
    if not plain.any():
        return plain
    usual = np.median(step[plain], axis=0)
    power = float((common * common).sum())
    if float((usual * usual).sum()) < _HIDDEN * power:
        # A hand hides most of this side: only the rest of it, where the step is as on the other sides, is compared.
        plain = np.asarray(side.free & ((step * common).sum(axis=1) > _SHOWN * power), np.bool_)
        if plain.sum() <= _LEAST_SHOWN * side.free.sum():
            return np.zeros(plain.shape, np.bool_)
        usual = np.median(step[plain], axis=0)
    power = float((usual * usual).sum())
    if power < _CLEAR**2:
        return np.zeros(plain.shape, np.bool_)
    lost = np.asarray(side.free & ((step * usual).sum(axis=1) < _KEPT * power), np.bool_)
    if not lost.any():
        return lost
    # A shadow may fall on one of them alone, and leaves the hue of both.
    return np.asarray(lost & ((_off_hue(side.cloth, plain) > _HUE) | (_off_hue(side.wood, plain) > _HUE)), np.bool_)


def _off_hue(strip: NDArray[np.float64], free: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the distance (n) of the hue along a strip (n, 3) of logarithms from its usual hue."""
    off = strip - np.median(strip[free], axis=0)
    return np.asarray(np.linalg.norm(off - off.mean(axis=1, keepdims=True), axis=1), np.float64)


def _logarithm(strip: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the brightness (n, 3) along a strip (h, n, 3) as a logarithm, in which a factor is a difference."""
    mean = cv2.blur(np.ascontiguousarray(strip).mean(axis=0), (1, _SOFT_MM))
    return np.asarray(np.log(mean + _NEUTRAL), np.float64)
