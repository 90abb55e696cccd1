"""Find unexplained foreground: everything left on the baize after dice, markers and shadows are accounted for.

This decides what counts as a thing or a mark, and what is only the gloss of a lamp.
"""

from collections.abc import Sequence

import numpy as np

from vision.capture.arrays import Mask, Places
from vision.capture.quality import WHITE
from vision.field.view import Box, View, box_of_mm
from vision.foreground.background import components
from vision.foreground.shadows import find_gloom, find_shadows
from vision.foreground.survey import DIE_RIM_MM, Survey, cover, free_baize, mask_of_dice, survey_px
from vision.foreground.things import UnexplainedThing, find_intrusions, find_off_colour, thing_of
from vision.libraries import cv2

_WALL_MM = 9  # something that reaches in by less than this is the tray's wall
_THICK_MM = 3  # thinner things are fluff, seams and rims of shadows
_LEAST_MM2, _MARK_MM2 = 30.0, 9
_GAP_MM, _FAT_MM = 5, 7  # pieces of a die are no farther apart; the edges of shadows stand out in narrower bands
_SHEET_MM = 17  # the stripes of a cloth are narrower
_LARGE_MM2, _EDGE_MM, _NO_EDGE = 800.0, 9, 18.0  # a larger thing has an edge of this many levels, or is light
_OVERHANG_RIM_MM, _OVERHANG_MM = 3.0, 7  # twice how well outlines are known; how far from a die an overhang may reach
_WHITE_MM2 = 90  # a washed-out area of this size may hide a small die


def find_unexplained(view: View, seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """Return everything on the baize, across its edge or of another colour that is unexplained, the largest first."""
    found = find_things_on_baize(seen, dice) + find_intrusions(view, seen, dice) + find_off_colour(seen, dice)
    return sorted(found, key=lambda thing: -thing.area_mm2)


def find_things_on_baize(seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """Return the things on the baize, without the markers and the given dice.

    `dice` are the outlines (n, 2) of the read dice on the baize in mm.
    """
    covered = mask_of_dice(seen, dice, DIE_RIM_MM)
    free = free_baize(seen, covered)
    gloom = find_gloom(seen) & free
    mask = (seen.foreground.odd & free) | (gloom & (1 - find_shadows(seen, covered)))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_THICK_MM, _THICK_MM))
    found = _find_things(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.uint8), seen)
    found += _find_sheets(np.asarray(seen.seeds & free, np.uint8))
    # Where a lamp leaves nothing but white, on light cloth too, a die may be hidden.
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_FAT_MM, _FAT_MM))
    white = np.asarray(cv2.morphologyEx(np.asarray(_white(seen) & free, np.uint8), cv2.MORPH_OPEN, kernel), np.uint8)
    if white.any():
        _, _, table, middles = components(white)
        rows = zip(table[1:], middles[1:], strict=True)
        found += [thing_of(row, middle, False, True) for row, middle in rows if row[cv2.CC_STAT_AREA] > _WHITE_MM2]
    return found


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


def find_unexplained_marks(seen: Survey, dice: Sequence[Places]) -> list[Box]:
    """Return boxes in view pixels of what is no cloth but too thin for a thing, and of large spots; largest first.

    They may be all that shows of a die whose body looks like shaded cloth: the rows of a black 6, for example.
    """
    free = free_baize(seen, mask_of_dice(seen, dice, DIE_RIM_MM))
    foreground = seen.foreground
    spots = _fat_spots(np.asarray((foreground.odd | foreground.dark | seen.seeds) & free, np.uint8), _FAT_MM)
    left = np.asarray((foreground.odd | spots) & free, np.uint8)
    if not left.any():
        return []
    _, _, table, _ = components(left)
    large = sorted((row for row in table[1:].tolist() if row[cv2.CC_STAT_AREA] >= _MARK_MM2), key=lambda row: -row[-1])
    return [box_of_mm(x, y, x + width, y + height) for x, y, width, height, _ in large]


def _fat_spots(marks: Mask, fat_mm: int) -> Mask:
    """Return the marks (h, w) with nearby ones joined, and without parts still thinner than `fat_mm`."""
    joined = cv2.morphologyEx(marks, cv2.MORPH_CLOSE, np.ones((_GAP_MM, _GAP_MM), np.uint8))
    return np.asarray(cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((fat_mm, fat_mm), np.uint8)), np.uint8)


def _find_sheets(marks: Mask) -> list[UnexplainedThing]:
    """Return things that show only by their writing, like a light sheet."""
    fat = _fat_spots(marks, _SHEET_MM)
    if not fat.any():
        return []
    _, _, table, middles = components(fat)
    return [thing_of(row, middle, from_outside=False) for row, middle in zip(table[1:], middles[1:], strict=True)]


def _find_things(mask: Mask, seen: Survey) -> list[UnexplainedThing]:
    """Return the components of a mask that are large enough, except the tray's wall and the gloss of a lamp."""
    if not mask.any():
        return []
    count, labels, table, middles = components(mask)
    left, top, across, down = cv2.boundingRect(seen.inside)
    deep = np.zeros(mask.shape, np.uint8)
    deep[top + _WALL_MM : top + down - _WALL_MM, left + _WALL_MM : left + across - _WALL_MM] = 1
    washed_out = _white(seen)
    found = []
    for index in range(1, count):
        x, y, width, height, area = (int(number) for number in table[index])
        if area < _LEAST_MM2:
            continue
        part = np.asarray(labels == index, np.uint8)
        outside = x <= left or y <= top or x + width >= left + across or y + height >= top + down
        white = int(np.count_nonzero(washed_out & part)) > _WHITE_MM2  # a die may lie in it
        if (outside and not (deep & part).any()) or (area > _LARGE_MM2 and not white and _fades(part, seen)):
            continue
        found.append(thing_of(table[index], middles[index], outside, white))
    return found


def _white(seen: Survey) -> Mask:
    """Return a mask of the pixels in which every colour is as bright as the camera can measure."""
    return np.asarray(cv2.inRange(seen.pixels, np.full(3, WHITE), np.full(3, 255)), np.uint8) & np.uint8(1)


def _fades(part: Mask, seen: Survey) -> bool:
    """Return True when a large thing has no edge: it is the gloss of a lamp on the cloth."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_EDGE_MM, _EDGE_MM))
    whole = cv2.morphologyEx(part, cv2.MORPH_CLOSE, kernel)
    within = (whole > 0) & (cv2.erode(whole, kernel) == 0) & (seen.inside > 0)
    about = (cv2.dilate(whole, kernel) > 0) & (whole == 0) & (seen.inside > 0)
    if not (within.any() and about.any()):
        return False
    step = np.median(seen.pixels[within], axis=0) - np.median(seen.pixels[about], axis=0)
    # Gloss adds light of every colour; a step that lowers one colour and raises another is an edge.
    return float(step.max(initial=0.0) - step.min(initial=0.0)) < _NO_EDGE
