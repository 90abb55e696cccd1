"""Find shadows on the baize: dark areas that the dice that were read explain."""

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Mask
from vision.foreground.background import components
from vision.foreground.survey import Survey, free_baize
from vision.libraries import cv2

_TOUCH_MM = 17  # twice how far from its die a shadow may begin: its darkest part may be cloth-coloured
_OWN_MM, _PIP_MM2 = 7, 4  # marks nearer than half of the first belong to the die; smaller ones are ignored
_EDGE_OF_SHADOW_MM = 5  # twice the width of a shadow's edge
_LONG_SHADOW_MM = 60  # from its die: the largest die under a lamp 20 degrees high casts 55 mm
_PLAIN = 0.04  # part of a shadow's area that may be something else: the pips of a black die cover more


def find_gloom(seen: Survey) -> Mask:
    """Return a mask of everything darker than the cloth, with or without a discernible hue: shadows and dark dice."""
    return np.asarray(seen.foreground.dark | seen.foreground.shade, np.uint8)


def find_shadows(seen: Survey, dice: Mask) -> Mask:
    """Return a mask of the gloom of the free baize that is the shadow of a read die.

    It begins at the die, ends near it, and holds only baize: what is no cloth there, and possible pips, tell a dark die
    beside another from its shadow.
    """
    free = free_baize(seen, dice)
    marks = np.asarray((seen.foreground.odd | seen.seeds) & free, np.uint8)
    gloom = np.asarray(find_gloom(seen) & free, np.uint8)
    shadow = np.zeros(gloom.shape, np.uint8)
    if not dice.any() or not gloom.any():
        return shadow
    beside = cv2.dilate(dice, np.ones((_TOUCH_MM, _TOUCH_MM), np.uint8))
    marks = np.asarray(marks & (cv2.dilate(dice, np.ones((_OWN_MM, _OWN_MM), np.uint8)) == 0), np.uint8)
    _, labels, table, _ = components(gloom)
    far = cv2.distanceTransform(1 - dice, cv2.DIST_L2, 3) > _LONG_SHADOW_MM
    for index in set(labels[beside.view(np.bool_)].tolist()) - {0} - set(labels[far].tolist()):
        box, area = _box_of(table[index], _EDGE_OF_SHADOW_MM), int(table[index, cv2.CC_STAT_AREA])
        part = np.asarray(labels[box] == index, np.uint8)
        hull = np.zeros(part.shape, np.uint8)
        cv2.fillConvexPoly(hull, cv2.convexHull(np.asarray(cv2.findNonZero(part), np.int32)), 1)
        # The edge of a shadow stands out as pips do.
        inner = cv2.erode(hull, np.ones((_EDGE_OF_SHADOW_MM, _EDGE_OF_SHADOW_MM), np.uint8))
        if _is_plain(np.asarray(cv2.bitwise_and(marks[box], inner), np.uint8), area):
            shadow[box] |= part
    return shadow


def _box_of(row: NDArray[np.int32], rim: int) -> tuple[slice, slice]:
    """Return the rows and columns of a component with this row of the table, and of a rim around it."""
    x, y, width, height = row[: cv2.CC_STAT_AREA].tolist()
    return slice(max(0, y - rim), y + height + rim), slice(max(0, x - rim), x + width + rim)


def _is_plain(marks: Mask, area: int) -> bool:
    """Return True when a shadow of this area holds no mark as large as a pip, and few others."""
    if int(marks.sum()) >= _PLAIN * area:
        return False
    _, _, table, _ = components(marks)
    return int(table[1:, cv2.CC_STAT_AREA].max(initial=0)) < _PIP_MM2
