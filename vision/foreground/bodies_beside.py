"""Bodies beside dice: what is as large as a die and may be its shadow, or another die that looks like one."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.field.view import MARGIN_MM, Places
from vision.foreground.background import Mask
from vision.foreground.covered import DIE_RIM_MM, free_baize, mask_of_dice
from vision.foreground.segment import Survey
from vision.foreground.unexplained import GAP_MM
from vision.libraries import cv2

_CLOSE_MM = 13  # the middle of a die that touches another is no farther from that one's outline
_SQUARE_MM, _FILLED = 13, 0.4  # a square as large as a die, and the part of it that the seen pieces of one fill
_APART_MM, _MOST = 8, 3  # how far bodies are from each other, and how many are told at most


def find_bodies_beside(seen: Survey, dice: Sequence[Places]) -> Places:
    """The places (n, 2) of the baize in mm, close to these dice, about which something as large as a die is neither
    cloth nor one of them. `dice` are the outlines (n, 2) on the baize in mm.
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
    return np.asarray(_peaks(_how_filled(marks, free, covered[part])) + np.array((left, top)) - MARGIN_MM, np.float64)


def _how_filled(marks: Mask, free: Mask, dice: Mask) -> NDArray[np.float32]:
    """By how much (0..1) marks fill the square of a die about each pixel (h, w) close to dice; elsewhere 0."""
    whole = np.asarray(cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((GAP_MM, GAP_MM), np.uint8)), np.uint8)
    near = cv2.dilate(dice, np.ones((2 * _CLOSE_MM + 1, 2 * _CLOSE_MM + 1), np.uint8))
    filled = cv2.boxFilter(np.asarray(whole & free, np.float32), -1, (_SQUARE_MM, _SQUARE_MM))
    return np.asarray(filled * near, np.float32)


def _peaks(filled: NDArray[np.float32]) -> Places:
    """The places (n, 2) that are filled most; what is filled is emptied about them."""
    found: list[tuple[int, int]] = []
    while len(found) < _MOST and filled.max() > _FILLED:
        row, column = divmod(int(filled.argmax()), filled.shape[1])
        found.append((column, row))
        up, left = max(0, row - _APART_MM), max(0, column - _APART_MM)
        filled[up : row + _APART_MM + 1, left : column + _APART_MM + 1] = 0
    return np.array(found, np.float64).reshape(-1, 2)
