"""Find bodies beside dice: things as large as a die that may be its shadow, or another die that looks like a shadow."""

from collections.abc import Sequence

import numpy as np

from vision.capture import cv2
from vision.field import Places
from vision.field.view import MARGIN_MM, Places
from vision.foreground.covered import DIE_RIM_MM, free_baize, mask_of_dice
from vision.foreground.segment import Survey
from vision.foreground.unexplained import GAP_MM
from vision.libraries import cv2

_CLOSE_MM = 13  # the middle of a touching die is no farther than this from the other's outline
_SQUARE_MM, _FILLED = 13, 0.4  # a square as large as a die, and the part of it that the visible pieces of one fill
_APART_MM, _MOST = 8, 3  # least distance between bodies, and the most that are returned


def find_bodies_beside(seen: Survey, dice: Sequence[Places]) -> Places:
    """Return the places (n, 2) on the baize in mm, close to these dice, around which something as large as a die is
    neither cloth nor one of them. `dice` are the outlines (n, 2) on the baize in mm.
    """
    if not dice:
        return np.zeros((0, 2))
    covered = mask_of_dice(seen, dice, DIE_RIM_MM)
    x, y, width, height = cv2.boundingRect(covered)
    reach = _CLOSE_MM + _SQUARE_MM
    left, top = max(0, x - reach), max(0, y - reach)
    part = slice(top, y + height + reach), slice(left, x + width + reach)
    free = free_baize(seen, covered)[part]
    marks = np.asarray((seen.foreground.all | seen.seeds)[part] & free, np.uint8)
    whole = np.asarray(cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((GAP_MM, GAP_MM), np.uint8)), np.uint8)
    near = cv2.dilate(covered[part], np.ones((2 * _CLOSE_MM + 1, 2 * _CLOSE_MM + 1), np.uint8))
    # How full (0..1) of marks the square of a die around each pixel is, close to dice; elsewhere 0.
    share = cv2.boxFilter(np.asarray(whole & free, np.float32), -1, (_SQUARE_MM, _SQUARE_MM))
    filled = np.asarray(share * near, np.float32)
    found: list[tuple[int, int]] = []
    while len(found) < _MOST and filled.max() > _FILLED:
        row, column = divmod(int(filled.argmax()), filled.shape[1])
        found.append((column, row))
        up, before = max(0, row - _APART_MM), max(0, column - _APART_MM)
        filled[up : row + _APART_MM + 1, before : column + _APART_MM + 1] = 0
    return np.asarray(np.array(found, np.float64).reshape(-1, 2) + np.array((left, top)) - MARGIN_MM, np.float64)
