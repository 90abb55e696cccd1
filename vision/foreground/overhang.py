"""Measures what lies at a die that was read: what sticks out beside it, and how much of it is no plain cloth."""

from collections.abc import Sequence

import numpy as np

from vision.field.view import Places
from vision.foreground.background import Mask, components
from vision.foreground.covered import free_baize, mask_of_dice
from vision.foreground.segment import Survey, cover, survey_px
from vision.libraries import cv2

_OVERHANG_RIM_MM, _OVERHANG_MM = 3.0, 7  # twice how well outlines are known; how far from a die it is looked for
_BODY_RIM_MM, _PIP_RIM_MM = 5.0, 2.0  # how far beside a die its shadow is looked for; how far a pip's edge is seen


def measure_overhangs(seen: Survey, dice: Sequence[Places]) -> tuple[float, ...]:
    """The area (mm2) of what sticks out beside each die in one piece with it and is neither cloth nor shadow.

    `dice` are the outlines (n, 2) on the baize in mm of what flat dice hide: a die that leans hides more on one
    side, and so does one that lies upon another.
    """
    free = free_baize(seen, mask_of_dice(seen, dice, _OVERHANG_RIM_MM))
    left = np.asarray(seen.foreground.odd & free, np.uint8)
    return tuple(_largest_touching(left, survey_px(outline)) for outline in dice)


def measure_body(seen: Survey, die: Places, pips: Sequence[Places]) -> float:
    """The area (mm2) at a die (its outline (n, 2) on the baize in mm) that is no plain cloth, without its pips (n, 2).

    Of a die of the cloth's own colour the sides are seen, and its shadow; of a crumb nothing but itself.
    """
    own = mask_of_dice(seen, pips, 2 * _PIP_RIM_MM)
    about = np.asarray(mask_of_dice(seen, [die], 2 * _BODY_RIM_MM) & (1 - own), np.uint8)
    return float(np.count_nonzero(seen.foreground.all & about))


def measure_cover(seen: Survey, die: Places) -> float:
    """The part (0..1) of what a die hides (its outline (n, 2) on the baize in mm) that is no plain cloth, or darker or
    lighter than that about it.
    """
    own = mask_of_dice(seen, [die], 0.0)
    marks = seen.foreground.all | seen.dim | seen.bright
    return float(np.count_nonzero(marks & own)) / max(1, int(np.count_nonzero(own)))


def _largest_touching(left: Mask, outline: Places) -> float:
    """The largest piece (pixels) that touches the outline, as far as it lies near to it."""
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - _OVERHANG_MM, 0)
    high = np.ceil(outline.max(axis=0)).astype(int) + _OVERHANG_MM + 1
    part = left[low[1] : high[1], low[0] : high[0]]
    if not part.any():
        return 0.0
    near, own = np.zeros(part.shape, np.uint8), np.zeros(part.shape, np.uint8)
    cover(near, outline - low, 2.0 * _OVERHANG_MM)
    cover(own, outline - low, _OVERHANG_RIM_MM + 2.0)
    count, labels, table, _ = components(np.asarray(part & near, np.uint8))
    return float(
        max((table[index, cv2.CC_STAT_AREA] for index in range(1, count) if own[labels == index].any()), default=0)
    )
