"""Find dim bodies apart from dice, and measure what shows at a die: beside it, its body, and what it covers."""

from collections.abc import Sequence

import numpy as np

from vision.capture.arrays import Places
from vision.field.view import MARGIN_MM
from vision.foreground.background import components
from vision.foreground.shadows import TOUCH_MM
from vision.foreground.survey import DIE_RIM_MM, Survey, cover, free_baize, mask_of_dice, survey_px
from vision.libraries import cv2

_THICK_MM = 8  # the smallest die is thicker even with a pip or a lamp's reflection in its middle
_DIM_BODIES_MOST = 4  # only the largest are returned: a cloth with more dark spots has a pattern of them


def find_dim_bodies(seen: Survey, dice: Sequence[Places]) -> Places:
    """Return the middles (n, 2) in mm of dim bodies apart from these dice (outlines of what they hide, in mm)."""
    if not seen.dim.any():
        return np.zeros((0, 2))
    covered = mask_of_dice(seen, dice, DIE_RIM_MM)
    count, labels, _, _ = components(np.asarray(seen.dim & free_baize(seen, covered), np.uint8))
    near = cv2.dilate(covered, np.ones((TOUCH_MM, TOUCH_MM), np.uint8)) > 0
    apart = np.ones(count, np.uint8)
    apart[labels[near]] = 0
    apart[0] = 0  # the background
    thick = cv2.morphologyEx(apart[labels], cv2.MORPH_OPEN, np.ones((_THICK_MM, _THICK_MM), np.uint8))
    if not thick.any():
        return np.zeros((0, 2))
    _, _, table, middles = components(np.asarray(thick, np.uint8))
    largest = 1 + np.argsort(-table[1:, cv2.CC_STAT_AREA])[:_DIM_BODIES_MOST]
    return np.asarray(middles[largest] - MARGIN_MM, np.float64)


def lies_on_dim(seen: Survey, place_mm: Places) -> bool:
    """Return True when a place (2) on the baize in mm is dim."""
    height, width = seen.dim.shape
    x, y = np.round(survey_px(place_mm)).astype(int).tolist()
    return bool(seen.dim[min(max(y, 0), height - 1), min(max(x, 0), width - 1)])


_OVERHANG_RIM_MM, _OVERHANG_MM = 3.0, 7  # twice how well outlines are known; how far from a die an overhang may reach
_BODY_RIM_MM, _PIP_RIM_MM = 5.0, 2.0  # how far from a die its shadow may lie; how far a pip's edge shows


def measure_overhangs(seen: Survey, dice: Sequence[Places]) -> tuple[float, ...]:
    """Return for each die the area (mm2) of the largest piece that touches it and is neither cloth nor shadow.

    `dice` are the outlines (n, 2) on the baize in mm of the area that flat dice hide: a die that leans hides more on
    one side, and so does one that lies on another.
    """
    free = free_baize(seen, mask_of_dice(seen, dice, _OVERHANG_RIM_MM))
    left = np.asarray(seen.foreground.odd & free, np.uint8)
    found = []
    for outline in map(survey_px, dice):
        low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - _OVERHANG_MM, 0)
        high = np.ceil(outline.max(axis=0)).astype(int) + _OVERHANG_MM + 1
        part = left[low[1] : high[1], low[0] : high[0]]
        if not part.any():
            found.append(0.0)
            continue
        near, own = np.zeros(part.shape, np.uint8), np.zeros(part.shape, np.uint8)
        cover(near, outline - low, 2.0 * _OVERHANG_MM)
        cover(own, outline - low, _OVERHANG_RIM_MM + 2.0)
        count, labels, table, _ = components(np.asarray(part & near, np.uint8))
        touching = (index for index in range(1, count) if own[labels == index].any())
        found.append(float(max((table[index, cv2.CC_STAT_AREA] for index in touching), default=0)))
    return tuple(found)


def measure_body(seen: Survey, die: Places, pips: Sequence[Places]) -> float:
    """Return the area (mm2) at a die (its outline (n, 2) in mm), apart from its pips, that is not plain cloth.

    A die of the cloth's own colour shows its sides and its shadow; a crumb shows only itself.
    """
    own = mask_of_dice(seen, pips, 2 * _PIP_RIM_MM)
    about = np.asarray(mask_of_dice(seen, [die], 2 * _BODY_RIM_MM) & (1 - own), np.uint8)
    return float(np.count_nonzero(seen.foreground.all & about))


def measure_cover(seen: Survey, die: Places) -> float:
    """Return the part 0..1 of the area hidden by a die (its outline in mm) that differs from the cloth around it."""
    own = mask_of_dice(seen, [die], 0.0)
    marks = seen.foreground.all | seen.dim | seen.bright
    return float(np.count_nonzero(marks & own)) / max(1, int(np.count_nonzero(own)))
