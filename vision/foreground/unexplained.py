"""Unexplained foreground: what is left on the baize once dice, markers and shadows are accounted for.

Decides what counts as a thing or a mark, and what is the gloss of a lamp.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.capture.quality import WHITE
from vision.field.view import PX_PER_MM, Box, Places, View
from vision.foreground.background import Mask, components
from vision.foreground.covered import DIE_RIM_MM, free_baize, mask_of_dice
from vision.foreground.edge_intrusion import find_intrusions
from vision.foreground.off_colour import find_off_colour
from vision.foreground.segment import Survey, survey_px
from vision.foreground.shadows import find_gloom, find_shadows
from vision.foreground.thing import UnexplainedThing, thing_of
from vision.libraries import cv2

_NEARBY_MM = 11  # twice how far from the middle of the smallest die something of it is seen
_WALL_MM = 9  # what reaches in from outside by less than this is the tray's wall
_THICK_MM = 3  # thinner things are fluff, seams and rims of shadows
_LEAST_MM2, _MARK_MM2 = 30.0, 9
GAP_MM, _FAT_MM = 5, 7  # pieces of a die are no farther apart; the edges of shadows stand out in narrower bands
_SHEET_MM = 17  # the stripes of a cloth are narrower
_LARGE_MM2, _EDGE_MM, _NO_EDGE = 800.0, 9, 18.0  # larger than this it has an edge of so many levels, or is light
_WHITE_MM2 = 90  # a small die would be hidden in so much of what is washed out


def find_unexplained(view: View, seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """Everything unexplained, largest first: on the baize (`find_things_on_baize`), across its edge
    (`find_intrusions`), and by its average colour alone (`find_off_colour`).
    """
    found = find_things_on_baize(seen, dice) + find_intrusions(view, seen, dice) + find_off_colour(seen, dice)
    return sorted(found, key=lambda thing: -thing.area_mm2)


def find_things_on_baize(seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """The things on the baize, without the markers and the given dice.

    `dice` are the outlines (n, 2) of the read dice on the baize in mm.
    """
    covered = mask_of_dice(seen, dice, DIE_RIM_MM)
    free = free_baize(seen, covered)
    gloom = find_gloom(seen) & free
    mask = (seen.foreground.odd & free) | (gloom & (1 - find_shadows(seen, covered)))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_THICK_MM, _THICK_MM))
    found = _find_things(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.uint8), seen)
    sheets = _find_fat(np.asarray(seen.seeds & free, np.uint8), _SHEET_MM)
    bright = _find_fat(np.asarray(seen.bright & free, np.uint8), _FAT_MM)
    return [*found, *sheets, *bright, *_find_washed_out(np.asarray(_white(seen) & free, np.uint8))]


def find_unexplained_marks(seen: Survey, dice: Sequence[Places]) -> list[Box]:
    """The boxes in view pixels of what is no cloth but thinner than a thing, and of large spots; largest first.

    Of a die whose body looks like the cloth in its shade they may be all that is seen: the rows of a black 6, say.
    """
    free = free_baize(seen, mask_of_dice(seen, dice, DIE_RIM_MM))
    foreground = seen.foreground
    spots = _fat_spots(np.asarray((foreground.odd | foreground.dark | seen.seeds) & free, np.uint8), _FAT_MM)
    left = np.asarray((foreground.odd | spots) & free, np.uint8)
    if not left.any():
        return []
    _, _, table, _ = components(left)
    large = sorted((row for row in table[1:].tolist() if row[cv2.CC_STAT_AREA] >= _MARK_MM2), key=lambda row: -row[-1])
    return [
        (x * PX_PER_MM, y * PX_PER_MM, (x + width) * PX_PER_MM, (y + height) * PX_PER_MM)
        for x, y, width, height, _ in large
    ]


def _fat_spots(marks: Mask, fat_mm: int) -> Mask:
    """The marks (h, w) with those near to each other joined, and without what is thinner than `fat_mm` even so."""
    joined = cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((GAP_MM, GAP_MM), np.uint8))
    return np.asarray(cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((fat_mm, fat_mm), np.uint8)), np.uint8)


def _find_fat(marks: Mask, fat_mm: int) -> list[UnexplainedThing]:
    """The things that show by their script alone, as a written sheet of the cloth's own lightness does, or by their
    lightness, as a die without pips in the cloth's own colour.
    """
    fat = _fat_spots(marks, fat_mm)
    if not fat.any():
        return []
    _, _, table, middles = components(fat)
    return [thing_of(row, middle, from_outside=False) for row, middle in zip(table[1:], middles[1:], strict=True)]


def has_foreground(seen: Survey, places_mm: Places) -> NDArray[np.bool_]:
    """True for the places (n, 2) in mm about which something is no plain cloth; beside the baize for all."""
    marks = np.asarray(seen.foreground.all | seen.seeds | seen.dim | (1 - seen.inside), np.uint8)
    near = cv2.dilate(marks, np.ones((_NEARBY_MM, _NEARBY_MM), np.uint8))
    height, width = near.shape
    x, y = np.round(survey_px(places_mm)).astype(int).T
    return np.asarray(near[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] > 0, np.bool_)


def _find_things(mask: Mask, seen: Survey) -> list[UnexplainedThing]:
    """The components of a mask that are large enough, but for the tray's wall and the gloss of a lamp."""
    if not mask.any():
        return []
    inside = seen.inside
    count, labels, table, middles = components(mask)
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    deep = np.zeros(mask.shape, np.uint8)
    deep[rows[0] + _WALL_MM : rows[-1] - _WALL_MM + 1, columns[0] + _WALL_MM : columns[-1] - _WALL_MM + 1] = 1
    found = []
    for index in range(1, count):
        x, y, width, height, area = (int(number) for number in table[index])
        if area < _LEAST_MM2:
            continue
        part = np.asarray(labels == index, np.uint8)
        outside = x <= columns[0] or y <= rows[0] or x + width > columns[-1] or y + height > rows[-1]
        white = _is_washed_out(part, seen)
        if (outside and not (deep & part).any()) or (area > _LARGE_MM2 and not white and _fades(part, seen)):
            continue
        found.append(thing_of(table[index], middles[index], outside, white))
    return found


def _find_washed_out(white: Mask) -> list[UnexplainedThing]:
    """The places where a lamp leaves nothing but white on light cloth too: a die may lie in it."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_FAT_MM, _FAT_MM))
    fat = np.asarray(cv2.morphologyEx(white, cv2.MORPH_OPEN, kernel), np.uint8)
    if not fat.any():
        return []
    _, _, table, middles = components(fat)
    rows = zip(table[1:], middles[1:], strict=True)
    return [thing_of(row, middle, False, True) for row, middle in rows if row[cv2.CC_STAT_AREA] > _WHITE_MM2]


def _is_washed_out(part: Mask, seen: Survey) -> bool:
    """True when so much is white that a die may lie in it."""
    return int(np.count_nonzero(_white(seen) & part)) > _WHITE_MM2


def _white(seen: Survey) -> Mask:
    """1 where every colour is as bright as the camera can tell."""
    return np.asarray(cv2.inRange(seen.pixels, np.full(3, WHITE), np.full(3, 255)), np.uint8) & np.uint8(1)


def _fades(part: Mask, seen: Survey) -> bool:
    """True when what is so large has no edge: the gloss of a lamp on the cloth."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_EDGE_MM, _EDGE_MM))
    whole = cv2.morphologyEx(part, cv2.MORPH_CLOSE, kernel)
    within = (whole > 0) & (cv2.erode(whole, kernel) == 0) & (seen.inside > 0)
    about = (cv2.dilate(whole, kernel) > 0) & (whole == 0) & (seen.inside > 0)
    if not (within.any() and about.any()):
        return False
    step = np.median(seen.pixels[within], axis=0) - np.median(seen.pixels[about], axis=0)
    # Gloss adds light of every colour: what takes from one and adds to another is none.
    return float(step.max(initial=0.0) - step.min(initial=0.0)) < _NO_EDGE
