"""Find dim bodies: darker than the cloth around them and as thick as a die; they may be dice whose pips do not stand
out.

A dark die may have the colour of shaded cloth, and is then not in the foreground: only its pips are visible. A body
apart from every die that was read is not the shadow of one.
"""

from collections.abc import Sequence

import numpy as np

from vision.field.view import MARGIN_MM, Places
from vision.foreground.background import components
from vision.foreground.covered import DIE_RIM_MM, free_baize, mask_of_dice
from vision.foreground.segment import Survey, survey_px
from vision.foreground.shadows import TOUCH_MM
from vision.libraries import cv2

_THICK_MM = 8  # the smallest die is thicker even with a pip or a lamp's reflection in its middle
_MOST = 4  # only the largest are returned: a cloth with more dark spots has a pattern of them


def find_dim_bodies(seen: Survey, dice: Sequence[Places]) -> Places:
    """Return the middles (n, 2) on the baize in mm of dim bodies apart from these dice; `dice` are the outlines (n, 2)
    on the baize in mm of the area that flat dice hide.
    """
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
    largest = 1 + np.argsort(-table[1:, cv2.CC_STAT_AREA])[:_MOST]
    return np.asarray(middles[largest] - MARGIN_MM, np.float64)


def lies_on_dim(seen: Survey, place_mm: Places) -> bool:
    """Return True when a place (2) on the baize in mm is dim."""
    height, width = seen.dim.shape
    x, y = np.round(survey_px(place_mm)).astype(int).tolist()
    return bool(seen.dim[min(max(y, 0), height - 1), min(max(x, 0), width - 1)])
