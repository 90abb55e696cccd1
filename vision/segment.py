"""What lies on the baize: where to look for dice, and what is left when the dice are known."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cloth import Grey, Ground, Mask, components, ground_of
from vision.frame import Pixels
from vision.quality import WHITE
from vision.reading import Point
from vision.straight import followed
from vision.view import MARGIN_MM, PX_PER_MM, Box, Places, View, overview

RIM_MM = 3.0  # at the wall the baize curls and is dark: not looked at
_MARKER_RIM_MM = 6.0  # a marker with its white rim, laid by hand
_MARKER_ABOUT_MM = 11.0  # its rim stands out from the mean this far about it
_WALL_MM = 9  # what reaches in from outside by less than this is the tray's wall
_THICK_MM = 3  # thinner things are fluff, seams and rims of shadows
_LEAST_MM2, _MARK_MM2 = 30.0, 9
_DIE_RIM_MM = 5.0  # twice how far beside its outline a die may be seen
_OVERHANG_RIM_MM, _OVERHANG_MM = 3.0, 7  # twice how well outlines are known; how far from a die it is looked for
_LARGE_MM2, _EDGE_MM, _NO_EDGE = 800.0, 9, 18.0  # larger than this it has an edge of so many levels, or is light
_WHITE_MM2 = 90  # a small die would be hidden in so much of what is washed out
_TOUCH_MM = 17  # twice how far from the die that casts it a shadow may begin: its darkest part may be cloth-coloured
_OWN_MM, _PIP_MM2 = 7, 4  # marks nearer than half of it are the die's own; a smaller one is none
_EDGE_OF_SHADOW_MM = 5  # twice how far within a shadow its edge is seen
_PLAIN = 0.04  # part of a shadow's area that may be something else: the pips of a black die are more
# What stands out like a pip: the mean of so many mm against that of so many, in grey levels and against the usual.
_PIP_MM, _ABOUT_MM = 2.5, 9.0
_STANDS_OUT, _ABOVE_USUAL = 14.0, 5.0
_BESIDE = np.ones((2, 2), np.uint8)  # what stands out is not lost where pixels are left out
_HAIR_MM, _LINE_MM, _LONG_MM = 2, 5, 25
_SPECK_MM2 = 3
_NEARBY_MM = 11  # twice how far from the middle of the smallest die something of it is seen
_JOINED_MM = 4  # what is nearer to each other than twice this belongs together
_AROUND_MM, _LEAST_HALF_MM = 5.0, 14.0  # what is cut out about it, so that a whole die is in it


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on the baize: its area, its middle and its box in view pixels, whether it reaches in from outside, and
    whether it is washed out by light, so that anything may lie there.
    """

    area_mm2: float
    middle: Point
    box: Box
    from_outside: bool
    washed_out: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The field in small, one pixel a millimetre: its pixels (h, w, 3), what is no cloth, what may be pips, and where
    the baize, the bare markers and all markers (`glued`) are.
    """

    pixels: Pixels
    ground: Ground
    seeds: Mask
    inside: Mask
    markers: Mask
    glued: Mask


def survey(view: View, whole_markers: Iterable[Places]) -> Survey:
    """Look over the whole field; `whole_markers` are the corners (4, 2) in view pixels of those that lie bare."""
    small = view.small
    above = overview(view)
    straight = followed(small.pixels, above)
    inside = _inside(view, straight.shape[:2])
    bare, about, glued = (np.zeros(inside.shape, np.uint8) for _ in range(3))
    for quad in view.marker_quads().values():
        _cover(glued, _small_px(view.on_baize(quad)), 2 * _MARKER_RIM_MM)
    for quad in whole_markers:
        _cover(bare, _small_px(view.on_baize(quad)), 2 * _MARKER_RIM_MM)
        _cover(about, _small_px(view.on_baize(quad)), 2 * _MARKER_ABOUT_MM)
    free = np.asarray(inside & (1 - bare), np.uint8)
    grey = np.asarray(cv2.cvtColor(small.pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    seeds = followed(_standing_out(grey, small.px_per_mm), above, cv2.INTER_NEAREST) & inside & (1 - about)
    return Survey(straight, ground_of(straight, free), np.asarray(seeds, np.uint8), inside, bare, glued)


def regions(seen: Survey) -> list[Box]:
    """The boxes in view pixels in which dice may be; none overlaps another."""
    ground = seen.ground
    mask = np.asarray((ground.odd | ground.dark | ground.shade | seen.seeds) & (1 - seen.markers), np.uint8)
    _, labels, table, _ = components(mask)
    large = (table[:, cv2.CC_STAT_AREA] >= _SPECK_MM2) & ~_are_lines(table)
    large[0] = False
    reach = 2 * _JOINED_MM + 1
    joined = cv2.dilate(large.astype(np.uint8)[labels], np.ones((reach, reach), np.uint8))
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return apart_boxes([_around(cv2.boundingRect(outline), _JOINED_MM) for outline in outlines])


def things_left(seen: Survey, dice: Sequence[Places]) -> list[Thing]:
    """The things on the baize, largest first, without the markers and the given dice.

    `dice` are the outlines (n, 2) of the read dice on the baize in mm.
    """
    covered = _covered_by(seen, dice, _DIE_RIM_MM)
    free = _beside_all(seen, covered)
    odd, dark, shade = seen.ground.odd & free, seen.ground.dark & free, seen.ground.shade & free
    gloom = np.asarray(dark | shade, np.uint8)
    marks = np.asarray(odd | (seen.seeds & free), np.uint8)
    shadows = _cast_by(covered, gloom, marks) | _from_wall(shade, seen.inside)
    mask = odd | (gloom & (1 - shadows))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_THICK_MM, _THICK_MM))
    return _things(np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.uint8), seen)


def marks_left(seen: Survey, dice: Sequence[Places]) -> list[Box]:
    """The boxes in view pixels of what is no cloth but thinner than a thing, largest first: pips of a die whose body
    looks like cloth in the shade may be all that is seen of it.
    """
    free = _beside_all(seen, _covered_by(seen, dice, _DIE_RIM_MM))
    left = np.asarray(seen.ground.odd & free, np.uint8)
    if not left.any():
        return []
    _, _, table, _ = components(left)
    large = sorted((row for row in table[1:].tolist() if row[cv2.CC_STAT_AREA] >= _MARK_MM2), key=lambda row: -row[-1])
    return [
        (x * PX_PER_MM, y * PX_PER_MM, (x + width) * PX_PER_MM, (y + height) * PX_PER_MM)
        for x, y, width, height, _ in large
    ]


def shows_something(seen: Survey, places_mm: Places) -> NDArray[np.bool_]:
    """Which places (n, 2) in mm have something about them that is no plain cloth; beside the baize all have."""
    ground = seen.ground
    marks = np.asarray(ground.odd | ground.dark | ground.shade | seen.seeds | (1 - seen.inside), np.uint8)
    near = cv2.dilate(marks, np.ones((_NEARBY_MM, _NEARBY_MM), np.uint8))
    height, width = near.shape
    x, y = np.round(_small_px(places_mm)).astype(int).T
    return np.asarray(near[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] > 0, np.bool_)


def overhangs(seen: Survey, dice: Sequence[Places]) -> tuple[float, ...]:
    """How much (mm2) of something else than cloth or shadow sticks out beside each die, in one piece with it.

    `dice` are the outlines (n, 2) on the baize in mm of what flat dice hide: a die that leans hides more on one
    side, and so does one that lies upon another.
    """
    free = _beside_all(seen, _covered_by(seen, dice, _OVERHANG_RIM_MM))
    left = np.asarray(seen.ground.odd & free, np.uint8)
    return tuple(_beside(left, _small_px(outline)) for outline in dice)


def _covered_by(seen: Survey, dice: Sequence[Places], rim_mm: float) -> Mask:
    """1 where dice of these outlines lie, half of the rim more."""
    covered = np.zeros(seen.inside.shape, np.uint8)
    for outline in dice:
        _cover(covered, _small_px(outline), rim_mm)
    return covered


def _beside_all(seen: Survey, covered: Mask) -> Mask:
    """1 where the baize is neither covered nor under a marker."""
    return np.asarray(seen.inside & (1 - covered) & (1 - seen.glued), np.uint8)


def _beside(left: Mask, outline: Places) -> float:
    """The largest piece (pixels) that touches the outline, as far as it lies near to it."""
    low = np.maximum(np.floor(outline.min(axis=0)).astype(int) - _OVERHANG_MM, 0)
    high = np.ceil(outline.max(axis=0)).astype(int) + _OVERHANG_MM + 1
    part = left[low[1] : high[1], low[0] : high[0]]
    if not part.any():
        return 0.0
    near, own = np.zeros(part.shape, np.uint8), np.zeros(part.shape, np.uint8)
    _cover(near, outline - low, 2.0 * _OVERHANG_MM)
    _cover(own, outline - low, _OVERHANG_RIM_MM + 2.0)
    count, labels, table, _ = components(np.asarray(part & near, np.uint8))
    return float(
        max((table[index, cv2.CC_STAT_AREA] for index in range(1, count) if own[labels == index].any()), default=0)
    )


def _standing_out(grey: Grey, px_per_mm: float) -> Mask:
    """1 where a small spot is darker or lighter than what is about it, and beside it."""
    spot, about = (int(px_per_mm * size) | 1 for size in (_PIP_MM, _ABOUT_MM))
    off = cv2.absdiff(cv2.blur(grey, (spot, spot)), cv2.blur(grey, (about, about)))
    usual = float(np.median(off[::4, ::4]))
    _, mask = cv2.threshold(off, max(_STANDS_OUT, _ABOVE_USUAL * usual), 1, cv2.THRESH_BINARY)
    return np.asarray(cv2.dilate(mask, _BESIDE), np.uint8)


def _are_lines(table: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which components are thinner than any pip, or longer than any die and thin: the foot of a wall, the edge of its
    shadow.
    """
    sides = table[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    thick, long = sides.min(axis=1), sides.max(axis=1)
    return np.asarray((thick <= _HAIR_MM) & (long > 2 * _HAIR_MM) | (thick <= _LINE_MM) & (long > _LONG_MM), np.bool_)


def _around(part: Sequence[int], joined_mm: int) -> Box:
    """The box (left, top, width, height) of a part as it was before it was widened, made large enough for a die."""
    x, y, width, height = part
    middle = (x + width / 2, y + height / 2)
    half = [max(side / 2 - joined_mm + _AROUND_MM, _LEAST_HALF_MM) for side in (width, height)]
    return (
        (middle[0] - half[0]) * PX_PER_MM,
        (middle[1] - half[1]) * PX_PER_MM,
        (middle[0] + half[0]) * PX_PER_MM,
        (middle[1] + half[1]) * PX_PER_MM,
    )


def apart_boxes(boxes: list[Box]) -> list[Box]:
    """The same with those that overlap made one."""
    done: list[Box] = []
    waiting = list(boxes)
    while waiting:
        box = waiting.pop()
        other = next((one for one in done if _overlap(box, one)), None)
        if other is None:
            done.append(box)
            continue
        done.remove(other)
        waiting.append((min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3])))
    return done


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _small_px(points_mm: Places) -> Places:
    return np.asarray(points_mm + MARGIN_MM, np.float64)


def _cast_by(dice: Mask, gloom: Mask, marks: Mask) -> Mask:
    """1 where the gloom is the shadow of a read die: it begins at the die, and nothing but baize lies in it.

    `marks` are what is no cloth, and what may be pips: a dark die beside another looks like its shadow but for them.
    """
    shadow = np.zeros(gloom.shape, np.uint8)
    if not dice.any() or not gloom.any():
        return shadow
    beside = cv2.dilate(dice, np.ones((_TOUCH_MM, _TOUCH_MM), np.uint8))
    marks = np.asarray(marks & (cv2.dilate(dice, np.ones((_OWN_MM, _OWN_MM), np.uint8)) == 0), np.uint8)
    _, labels = cv2.connectedComponents(gloom, connectivity=8)
    for index in set(np.unique(labels[beside > 0]).tolist()) - {0}:
        part = np.asarray(labels == index, np.uint8)
        hull = np.zeros(gloom.shape, np.uint8)
        cv2.fillConvexPoly(hull, cv2.convexHull(np.asarray(cv2.findNonZero(part), np.int32)), 1)
        # The edge of a shadow stands out as pips do.
        inner = cv2.erode(hull, np.ones((_EDGE_OF_SHADOW_MM, _EDGE_OF_SHADOW_MM), np.uint8))
        if _is_plain(np.asarray(cv2.bitwise_and(marks, inner), np.uint8), int(part.sum())):
            shadow |= part
    return shadow


def _is_plain(marks: Mask, area: int) -> bool:
    """True when there is no mark as large as a pip in so large a shadow, and little else."""
    if int(marks.sum()) >= _PLAIN * area:
        return False
    _, _, table, _ = components(marks)
    return int(table[1:, cv2.CC_STAT_AREA].max(initial=0)) < _PIP_MM2


def _from_wall(shade: Mask, inside: Mask) -> Mask:
    """1 where shade reaches in from the edge: the shadow of the wall, or of who stands at the box."""
    if not shade.any():
        return shade
    edge = inside - cv2.erode(inside, np.ones((3, 3), np.uint8))
    _, labels = cv2.connectedComponents(shade, connectivity=8)
    from_edge = np.isin(labels, np.setdiff1d(np.unique(labels[edge > 0]), [0]))
    return np.asarray(from_edge, np.uint8)


def _inside(view: View, shape: tuple[int, ...]) -> Mask:
    inside = np.zeros(shape, np.uint8)
    low = round(MARGIN_MM + RIM_MM)
    bottom, right = (round(MARGIN_MM + side - RIM_MM) for side in (view.field.depth_mm, view.field.width_mm))
    inside[low:bottom, low:right] = 1
    return inside


def _cover(mask: Mask, outline: Places, rim: float) -> None:
    hull = cv2.convexHull(np.asarray(outline, np.float32))
    points = np.round(np.asarray(hull)).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 1)
    cv2.polylines(mask, [points], True, 1, max(1, round(rim)))


def _things(mask: Mask, seen: Survey) -> list[Thing]:
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
        middle = (float(middles[index][0]) * PX_PER_MM, float(middles[index][1]) * PX_PER_MM)
        box = (x * PX_PER_MM, y * PX_PER_MM, (x + width) * PX_PER_MM, (y + height) * PX_PER_MM)
        found.append(Thing(float(area), middle, box, outside, white))
    return sorted(found, key=lambda thing: -thing.area_mm2)


def _is_washed_out(part: Mask, seen: Survey) -> bool:
    """True when so much is white that a die may lie in it."""
    return int((seen.pixels[part > 0] >= WHITE).all(axis=1).sum()) > _WHITE_MM2


def _fades(part: Mask, seen: Survey) -> bool:
    """True when what is so large has no edge: the gloss of a lamp on the cloth."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (_EDGE_MM, _EDGE_MM))
    whole = cv2.morphologyEx(part, cv2.MORPH_CLOSE, kernel)
    within = (whole > 0) & (cv2.erode(whole, kernel) == 0) & (seen.inside > 0)
    about = (cv2.dilate(whole, kernel) > 0) & (whole == 0) & (seen.inside > 0)
    if not (within.any() and about.any()):
        return False
    step = np.median(seen.pixels[within], axis=0) - np.median(seen.pixels[about], axis=0)
    return float(np.abs(step).max()) < _NO_EDGE
