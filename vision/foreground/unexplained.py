"""Unexplained foreground: what is left on the baize once dice, markers and shadows are accounted for.

Decides what counts as a thing or a mark, what is a shadow or gloss, and how much sticks out beside each die.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture import WHITE, cv2
from vision.field import PX_PER_MM, Box, Places
from vision.foreground.background import Mask, components
from vision.foreground.segment import Survey, cover, survey_px
from vision.reading import Point

_NEARBY_MM = 11  # twice how far from the middle of the smallest die something of it is seen
_WALL_MM = 9  # what reaches in from outside by less than this is the tray's wall
SHADE_MM, _ALONG_MM = 25, 40  # the shadow of a wall is no wider, and no shorter
_THICK_MM = 3  # thinner things are fluff, seams and rims of shadows
_LEAST_MM2, _MARK_MM2 = 30.0, 9
GAP_MM, _FAT_MM = 5, 7  # pieces of a die are no farther apart; the edges of shadows stand out in narrower bands
_SHEET_MM = 17  # the stripes of a cloth are narrower
DIE_RIM_MM = 5.0  # twice how far beside its outline a die may be seen
_OVERHANG_RIM_MM, _OVERHANG_MM = 3.0, 7  # twice how well outlines are known; how far from a die it is looked for
_BODY_RIM_MM, _PIP_RIM_MM = 5.0, 2.0  # how far beside a die its shadow is looked for; how far a pip's edge is seen
_LARGE_MM2, _EDGE_MM, _NO_EDGE = 800.0, 9, 18.0  # larger than this it has an edge of so many levels, or is light
_WHITE_MM2 = 90  # a small die would be hidden in so much of what is washed out
TOUCH_MM = 17  # twice how far from the die that casts it a shadow may begin: its darkest part may be cloth-coloured
_PIP_PX = 1  # about a place, what a pip would cover
_OWN_MM, _PIP_MM2 = 7, 4  # marks nearer than half of it are the die's own; a smaller one is none
_PIP_MM = 5  # pips are no wider
_EDGE_OF_SHADOW_MM = 5  # twice how far within a shadow its edge is seen
_LONG_SHADOW_MM = 60  # from its die: of the largest die under a lamp 20 degrees high 55 mm
_PLAIN = 0.04  # part of a shadow's area that may be something else: the pips of a black die are more


@dataclass(frozen=True, slots=True)
class UnexplainedThing:
    """Something on the baize that no die, marker or shadow explains: while it lies there nothing is read.

    `middle` and `box` are in view pixels. It may reach in `from_outside`, and be `washed_out` by light, so that
    anything may lie there.
    """

    area_mm2: float
    middle: Point
    box: Box
    from_outside: bool
    washed_out: bool = False


def find_things_on_baize(seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """The things on the baize, without the markers and the given dice.

    `dice` are the outlines (n, 2) of the read dice on the baize in mm.
    """
    covered = mask_of_dice(seen, dice, DIE_RIM_MM)
    free = free_baize(seen, covered)
    gloom = _gloom(seen) & free
    mask = (seen.foreground.odd & free) | (gloom & (1 - _shadows(seen, covered)))
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


def lies_in_shadow(seen: Survey, place_mm: Places, dice: Sequence[Places]) -> bool:
    """True when a place (2) of the baize lies in the shadow of these dice, or of the wall, and on nothing else."""
    covered = mask_of_dice(seen, dice, DIE_RIM_MM)
    shadows = _shadows(seen, covered)
    x, y = np.round(survey_px(place_mm[None])).astype(int)[0]
    around = shadows[max(0, y - _PIP_PX) : y + _PIP_PX + 1, max(0, x - _PIP_PX) : x + _PIP_PX + 1]
    return bool(around.size and around.all())


def mask_of_dice(seen: Survey, dice: Sequence[Places], rim_mm: float) -> Mask:
    """1 where dice of these outlines lie, half of the rim more."""
    covered = np.zeros(seen.inside.shape, np.uint8)
    for outline in dice:
        cover(covered, survey_px(outline), rim_mm)
    return covered


def free_baize(seen: Survey, covered: Mask) -> Mask:
    """1 where the baize is neither `covered` nor under a marker."""
    return np.asarray(seen.inside & (1 - covered) & (1 - seen.all_markers), np.uint8)


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


def _gloom(seen: Survey) -> Mask:
    return np.asarray(seen.foreground.dark | seen.foreground.shade, np.uint8)


def _shadows(seen: Survey, dice: Mask) -> Mask:
    """1 where the gloom of the free baize is the shadow of a read die or of the wall."""
    free = free_baize(seen, dice)
    marks = np.asarray((seen.foreground.odd | seen.seeds) & free, np.uint8)
    gloom = np.asarray(_gloom(seen) & free, np.uint8)
    return _shadows_of_dice(dice, gloom, marks) | _shadow_of_wall(seen.foreground.shade & free, seen.inside, marks)


def _shadows_of_dice(dice: Mask, gloom: Mask, marks: Mask) -> Mask:
    """1 where the gloom is the shadow of a read die: it begins at it, ends near it, and nothing but baize lies in it.

    `marks` are what is no cloth, and what may be pips: a dark die beside another looks like its shadow but for them.
    """
    shadow = np.zeros(gloom.shape, np.uint8)
    if not dice.any() or not gloom.any():
        return shadow
    beside = cv2.dilate(dice, np.ones((TOUCH_MM, TOUCH_MM), np.uint8))
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
    """The rows and columns of a component with this row of the table, and of a rim about it."""
    x, y, width, height = row[: cv2.CC_STAT_AREA].tolist()
    return slice(max(0, y - rim), y + height + rim), slice(max(0, x - rim), x + width + rim)


def _is_plain(marks: Mask, area: int) -> bool:
    """True when there is no mark as large as a pip in so large a shadow, and little else."""
    if int(marks.sum()) >= _PLAIN * area:
        return False
    _, _, table, _ = components(marks)
    return int(table[1:, cv2.CC_STAT_AREA].max(initial=0)) < _PIP_MM2


def _shadow_of_wall(shade: Mask, inside: Mask, marks: Mask) -> Mask:
    """1 where shade lies along the edge: the wall's shadow, tinted by its wood.

    What reaches in farther is none; nor what is as short as a die, or bears `marks` as large as pips: it is one.
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


def thing_of(
    row: NDArray[np.int32], middle: NDArray[np.float64], from_outside: bool, washed_out: bool = False
) -> UnexplainedThing:
    """A component of a survey, with its row of the table (5) and its middle (2), as a thing of the view."""
    x, y, width, height, area = row.tolist()
    across, down = middle.tolist()
    box = (x * PX_PER_MM, y * PX_PER_MM, (x + width) * PX_PER_MM, (y + height) * PX_PER_MM)
    return UnexplainedThing(float(area), (across * PX_PER_MM, down * PX_PER_MM), box, bool(from_outside), washed_out)


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
