"""Describe something on the baize that nothing explains."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Flags, Mask, Places, Real, Real32
from vision.capture.frame import Pixels
from vision.field.view import MARGIN_MM, PX_PER_MM, Box, View, box_of_mm
from vision.foreground.background import components
from vision.foreground.survey import DIE_RIM_MM, Survey, mask_of_dice
from vision.libraries import cv2
from vision.reading import Point

HAND_MM2 = 2500.0  # larger than any die


@dataclass(frozen=True, slots=True)
class UnexplainedThing:
    """Something on the baize that no die, marker or shadow explains: nothing is read while it lies there."""

    area_mm2: float
    middle: Point  # in view pixels, as the box
    box: Box
    from_outside: bool  # it reaches in
    washed_out: bool = False  # by light, so that anything may lie there

    @property
    def is_hand(self) -> bool:
        """It reaches in from outside, and is as large as a hand."""
        return self.area_mm2 > HAND_MM2 and self.from_outside


def thing_of(row: NDArray[np.int32], middle: Real, from_outside: bool, washed_out: bool = False) -> UnexplainedThing:
    """Convert a component of a survey, given by its row of the table (5) and its middle (2), to a thing of the view."""
    x, y, width, height, area = row.tolist()
    across, down = (middle * PX_PER_MM).tolist()
    box = box_of_mm(x, y, x + width, y + height)
    return UnexplainedThing(float(area), (across, down), box, bool(from_outside), washed_out)


_WITHIN_MM, _BEYOND_MM = (3, 7), (5, 10)  # from the edge, the cloth and the wood that are compared
_SOFT_MM = 5  # grain and weave are evened out over this length
_NEUTRAL = 12.0  # levels added before taking a logarithm: nearly black pixels are mostly noise
_KEPT = 0.35  # part of the usual step from cloth to wood below which neither of them is seen
# A side is mostly hidden when its usual step, squared, is less than the first part of that of all sides together. Then
# only the rest is used, where the step has the second part of it, if that is more than the third part of the side.
_HIDDEN, _SHOWN, _LEAST_SHOWN = 0.2, 0.6, 0.15
_HUE = 0.12  # least change of hue of wood or cloth, as the logarithm of a ratio
_CLEAR = 0.1  # a smaller step, as the logarithm of a ratio, is lost in wood's own grain
_DIE_RIM_MM = 12.0  # twice how far outside a die at the edge its side may show
_LEAST_MM = 13  # a finger is no thinner, a knot in the wood no longer


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A side of the baize, mm by mm: logarithms (n, 3) of the cloth and wood along it, and where it is `free` (n)."""

    cloth: Real
    wood: Real
    free: Flags

    @property
    def step(self) -> Real:
        """The step (n, 3) from wood to cloth."""
        return np.asarray(self.cloth - self.wood, np.float64)


def find_intrusions(view: View, seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """Return the things across the edge of the baize: no step from cloth to wood is seen over a finger's breadth.

    `dice` are the outlines (n, 2) of the read dice on the baize in mm.
    Light and shadow change cloth and wood by the same factor; a thing that lies over both makes them alike. Where the
    hue of neither changes it may be a shadow on one of them. A side that is partly outside the picture is skipped.
    """
    hidden = np.asarray(mask_of_dice(seen, dice, _DIE_RIM_MM) | seen.all_markers, np.uint8)
    low, right, near = -_BEYOND_MM[1], view.field.width_mm + _BEYOND_MM[1], view.field.depth_mm + _BEYOND_MM[1]
    corners = view.field.at_px(np.array([[low, low], [right, low], [right, near], [low, near]], np.float64))
    height, width = view.pixels.shape[:2]
    in_picture = np.all((corners >= 0) & (corners <= (width - 1, height - 1)), axis=1)
    sides = {
        turn: _side_of(np.rot90(seen.pixels, turn), np.rot90(hidden, turn))
        for turn in np.flatnonzero(in_picture & np.roll(in_picture, -1)).tolist()  # far, right, near, left
    }
    steps = np.concatenate([np.zeros((0, 3)), *(side.step[side.free] for side in sides.values())])
    if len(steps) == 0:
        return []
    common = np.median(steps, axis=0)
    numbers = np.arange(hidden.size).reshape(hidden.shape)
    found = []
    for turn, side in sides.items():
        missing = _where_edge_is_missing(side, common)
        changes = np.flatnonzero(np.diff(np.concatenate(([False], missing, [False])).astype(np.int8)))
        for start, end in changes.reshape(-1, 2).tolist():
            if end - start >= _LEAST_MM:
                at = np.rot90(numbers, turn)[int(MARGIN_MM), int(MARGIN_MM) + (start + end) // 2]
                row, column = divmod(int(at), hidden.shape[1])
                # Its depth is unknown, and taken to be its width.
                x, y, half = column * PX_PER_MM, row * PX_PER_MM, (end - start) * PX_PER_MM / 2
                box = (x - half, y - half, x + half, y + half)
                found.append(UnexplainedThing(float(end - start) ** 2, (x, y), box, True))
    return found


def _side_of(pixels: NDArray[np.uint8], hidden: Mask) -> _Side:
    """Return the upper side of a survey (h, w, 3)."""
    upper = int(MARGIN_MM)
    along = slice(upper, pixels.shape[1] - upper)
    within = pixels[upper + _WITHIN_MM[0] : upper + _WITHIN_MM[1], along]
    beyond = pixels[upper - _BEYOND_MM[1] : upper - _BEYOND_MM[0], along]
    free = np.asarray(~hidden[upper - _BEYOND_MM[1] : upper + _WITHIN_MM[1], along].any(axis=0), np.bool_)
    return _Side(_logarithm(within), _logarithm(beyond), free)


def _where_edge_is_missing(side: _Side, common: Real) -> Flags:
    """Return where (n) cloth or wood is hidden along a side; `common` (3,) is the usual step between them."""
    step, plain = side.step, side.free
    if not plain.any():
        return plain
    usual = np.median(step[plain], axis=0)
    power = float((common * common).sum())
    if float((usual * usual).sum()) < _HIDDEN * power:
        # A hand hides most of this side: only the rest of it, where the step is as on the other sides, is compared.
        plain = np.asarray(side.free & ((step * common).sum(axis=1) > _SHOWN * power), np.bool_)
        if plain.sum() <= _LEAST_SHOWN * side.free.sum():
            return np.zeros(plain.shape, np.bool_)
        usual = np.median(step[plain], axis=0)
    power = float((usual * usual).sum())
    if power < _CLEAR**2:
        return np.zeros(plain.shape, np.bool_)
    lost = np.asarray(side.free & ((step * usual).sum(axis=1) < _KEPT * power), np.bool_)
    if not lost.any():
        return lost
    # A shadow may fall on one of them alone, and leaves the hue of both.
    return np.asarray(lost & ((_off_hue(side.cloth, plain) > _HUE) | (_off_hue(side.wood, plain) > _HUE)), np.bool_)


def _off_hue(strip: Real, free: Flags) -> Real:
    """Return the distance (n) of the hue along a strip (n, 3) of logarithms from its usual hue."""
    off = strip - np.median(strip[free], axis=0)
    return np.asarray(np.linalg.norm(off - off.mean(axis=1, keepdims=True), axis=1), np.float64)


def _logarithm(strip: NDArray[np.uint8]) -> Real:
    """Return the brightness (n, 3) along a strip (h, n, 3) as a logarithm, in which a factor is a difference."""
    mean = cv2.blur(np.ascontiguousarray(strip).mean(axis=0), (1, _SOFT_MM))
    return np.asarray(np.log(mean + _NEUTRAL), np.float64)


_CELL_MM, _AVERAGED = 3, 3  # cells of this edge; colours are averaged over this many of them across and down
_BESIDE_MM = 9  # twice how far dice, markers and the edge of the baize colour the averages
_SHADED_MM = 24.0  # twice how far outside the outline of a die its tinted shadow begins
# How far a colour is from that of the cloth made darker or lighter, as a part of its own length plus some levels
# (nearly black pixels are mostly noise), and as a multiple of the usual distance on this cloth. In 630 pictures whose
# dice were all read no 60 mm2 away from dice were off by two thirds of this; as JPEG of quality 30, half a cloth was
# off by 0.039. Of 700 scenes with a hand one goes unnoticed.
_OFF, _BLACK, _ABOVE_USUAL = 0.045, 20.0, 5.0
_LEAST_MM2, _FINGER_MM2 = 100, 600  # the smallest coin and die cover more; so does a finger
_SHADE_MM = 25  # the shadow of a wall, tinted by its wood, is no wider


def find_off_colour(seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """Return things of another colour than the cloth: off the edge, or reaching in farther than a wall's shadow.

    Something that begins beside one of the `dice` (their outlines (n, 2) in mm) may be its tinted shadow.
    """
    inside = _cells(_narrowed(seen.inside))
    covered = mask_of_dice(seen, dice, DIE_RIM_MM) | seen.all_markers
    free = np.asarray(inside & _cells(_narrowed(np.asarray(1 - covered, np.uint8))), np.uint8)
    if not free.any():
        return []
    off = _off_cloth(seen.pixels, free > 0)
    least = max(_OFF, _ABOVE_USUAL * float(np.median(off[free > 0])))
    strange = np.asarray((off > least) & (free > 0), np.uint8)
    strange = np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    if not strange.any():
        return []
    edge = inside - cv2.erode(inside, np.ones((3, 3), np.uint8), borderValue=0)
    reach = 2 * (_SHADE_MM // _CELL_MM) + 1
    deep = cv2.erode(inside, np.ones((reach, reach), np.uint8), borderValue=0)
    _, labels, table, middles = components(strange)
    touching, reaching, shaded = (
        set(labels[mask > 0].tolist()) for mask in (edge, deep, _cells(mask_of_dice(seen, dice, _SHADED_MM)))
    )
    found = []
    for index, row in enumerate((table * ([_CELL_MM] * 4 + [_CELL_MM**2])).tolist()):
        from_outside = index in touching and index in reaching and row[-1] > _FINGER_MM2
        alone = index not in touching and index not in shaded and row[-1] > _LEAST_MM2
        if index > 0 and (from_outside or alone):
            found.append(thing_of(np.array(row), (middles[index] + 0.5) * _CELL_MM, from_outside))
    return found


def _off_cloth(pixels: Pixels, free: Flags) -> Real32:
    """Return how far the mean colour of each cell (h, w) is from the usual one of `free` cells, darker or lighter."""
    height, width = (side // _CELL_MM for side in pixels.shape[:2])
    whole = pixels[: height * _CELL_MM, : width * _CELL_MM]
    cells = np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    colours = np.asarray(cv2.blur(cells, (_AVERAGED, _AVERAGED)), np.float32)
    length = np.linalg.norm(colours, axis=2)
    usual = np.median(colours[free] / (length[free] + _BLACK)[:, None], axis=0)
    usual = usual / max(float(np.linalg.norm(usual)), 1e-6)
    along = colours @ usual
    beside = np.sqrt(np.maximum(length * length - along * along, 0.0))
    return np.asarray(beside / (length + _BLACK), np.float32)


def _narrowed(mask: Mask) -> Mask:
    return np.asarray(cv2.erode(mask, np.ones((_BESIDE_MM, _BESIDE_MM), np.uint8)), np.uint8)


def _cells(mask: Mask) -> Mask:
    """Return the mask (h, w) sampled at the middles of its cells."""
    half = _CELL_MM // 2
    height, width = (side // _CELL_MM * _CELL_MM for side in mask.shape)
    return np.ascontiguousarray(mask[half:height:_CELL_MM, half:width:_CELL_MM])
