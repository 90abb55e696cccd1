"""Find shadows on the baize: dark areas that the dice that were read, or the wall, explain."""

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Mask
from vision.foreground.background import components
from vision.foreground.survey import Survey, free_baize
from vision.libraries import cv2

SHADE_MM, _ALONG_MM = 25, 40  # a wall's shadow is no wider, and no shorter
_TOUCH_MM = 17  # twice how far from its die a shadow may begin: its darkest part may be cloth-coloured
_OWN_MM, _PIP_MM2 = 7, 4  # marks nearer than half of the first belong to the die; smaller ones are ignored
_PIP_MM = 5  # pips are no wider
_EDGE_OF_SHADOW_MM = 5  # twice the width of a shadow's edge
_LONG_SHADOW_MM = 60  # from its die: the largest die under a lamp 20 degrees high casts 55 mm
_PLAIN = 0.04  # part of a shadow's area that may be something else: the pips of a black die cover more


def find_gloom(seen: Survey) -> Mask:
    """Return a mask of everything darker than the cloth, with or without a discernible hue: shadows and dark dice."""
    return np.asarray(seen.foreground.dark | seen.foreground.shade, np.uint8)


def find_shadows(seen: Survey, dice: Mask) -> Mask:
    """Return a mask of the gloom of the free baize that is the shadow of a read die or of the wall."""
    free = free_baize(seen, dice)
    marks = np.asarray((seen.foreground.odd | seen.seeds) & free, np.uint8)
    gloom = np.asarray(find_gloom(seen) & free, np.uint8)
    return _shadows_of_dice(dice, gloom, marks) | _shadow_of_wall(seen.foreground.shade & free, seen.inside, marks)


def _shadows_of_dice(dice: Mask, gloom: Mask, marks: Mask) -> Mask:
    """Return a mask of the gloom that is the shadow of a die: it begins at the die, ends near it, and holds only baize.

    `marks` are pixels that are no cloth, and possible pips: only they tell a dark die beside another from its shadow.
    """
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


def _shadow_of_wall(shade: Mask, inside: Mask, marks: Mask) -> Mask:
    """Return a mask of the shade along the edge: the wall's shadow, tinted by its wood.

    Shade that reaches farther in, is as short as a die, or bears `marks` as large as pips is not the wall's.
    """
    if not shade.any():
        return shade
    edge = inside - cv2.erode(inside, np.ones((3, 3), np.uint8))
    reach = 2 * SHADE_MM + 1
    deep = cv2.erode(inside, np.ones((reach, reach), np.uint8))
    count, labels, table, _ = components(shade)
    of_wall = np.zeros(count, np.uint8)
    of_wall[labels[edge > 0]] = 1
    of_wall[labels[deep > 0]] = 0
    of_wall[table[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1) < _ALONG_MM] = 0
    of_wall[0] = 0  # the background
    whole = cv2.morphologyEx(of_wall[labels], cv2.MORPH_CLOSE, np.ones((_PIP_MM, _PIP_MM), np.uint8))
    inner = cv2.erode(whole, np.ones((_EDGE_OF_SHADOW_MM, _EDGE_OF_SHADOW_MM), np.uint8), borderValue=0)
    for index in np.flatnonzero(of_wall).tolist():
        box = _box_of(table[index], 0)
        within = cv2.bitwise_and(marks[box], np.asarray(inner[box], np.uint8))
        of_wall[index] = _is_plain(np.asarray(within, np.uint8), int(table[index, cv2.CC_STAT_AREA]))
    return np.asarray(of_wall[labels], np.uint8)
