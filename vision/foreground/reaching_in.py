"""Notices what reaches in from outside by its colour alone: a brown hand on brown cloth.

Pixel by pixel the weave hides so small a difference, and where it hides the edge of the baize that may look as usual.
Averaged over some millimetres cloth has one colour, in light and in shadow.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.capture import Pixels, cv2
from vision.field import Places
from vision.foreground.background import Mask, components
from vision.foreground.segment import Survey
from vision.foreground.unexplained import SHADE_MM, UnexplainedThing, mask_of_dice, thing_of

_CELL_MM, _AVERAGED = 3, 3  # colours are averaged over so many cells of this edge, across and down
_BESIDE_MM = 9  # twice how far beside dice, markers and the edge of the baize their colour is in the averages
_DIE_RIM_MM = 5.0  # twice how far beside its outline a die may be seen
# How far a colour is off that of the cloth made darker or lighter, as a part of its own length, so many levels added,
# for what is nearly black is mostly noise; and how many times what is usual on this cloth. With two thirds of this no
# cloth of 555 was off in 300 mm2 that reach in, our own with bands of shadow and path-traced; of 155 hands 154 were.
_OFF, _BLACK, _ABOVE_USUAL = 0.03, 20.0, 5.0
_LEAST_MM2 = 600  # a finger covers more


def find_reaching_in(seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """The things of another colour than the cloth that reach in from outside, farther than a wall's shadow does.

    `dice` are the outlines (n, 2) of the read dice on the baize in mm.
    """
    inside = _cells(_narrowed(seen.inside))
    covered = mask_of_dice(seen, dice, _DIE_RIM_MM) | seen.all_markers
    free = np.asarray(inside & _cells(_narrowed(np.asarray(1 - covered, np.uint8))), np.uint8)
    if not free.any():
        return []
    off = _off_cloth(_averages(seen.pixels), free > 0)
    least = max(_OFF, _ABOVE_USUAL * float(np.median(off[free > 0])))
    strange = np.asarray((off > least) & (free > 0), np.uint8)
    strange = np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    if not strange.any():
        return []
    edge = inside - cv2.erode(inside, np.ones((3, 3), np.uint8), borderValue=0)
    reach = 2 * (SHADE_MM // _CELL_MM) + 1
    deep = cv2.erode(inside, np.ones((reach, reach), np.uint8), borderValue=0)
    count, labels, table, middles = components(strange)
    reaching = set(labels[edge > 0].tolist()) & set(labels[deep > 0].tolist())
    scale = np.array([_CELL_MM] * 4 + [_CELL_MM**2])
    things = [
        (table[index] * scale, (middles[index] + 0.5) * _CELL_MM) for index in range(1, count) if index in reaching
    ]
    return [thing_of(row, middle, from_outside=True) for row, middle in things if row[-1] > _LEAST_MM2]


def _averages(pixels: Pixels) -> NDArray[np.float32]:
    """The average colours (h, w, 3) about the cells of a survey."""
    height, width = (side // _CELL_MM for side in pixels.shape[:2])
    whole = pixels[: height * _CELL_MM, : width * _CELL_MM]
    cells = np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(cv2.blur(cells, (_AVERAGED, _AVERAGED)), np.float32)


def _off_cloth(colours: NDArray[np.float32], free: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How far every colour (h, w, 3) is off that which is usual where it is `free`, made darker or lighter."""
    length = np.linalg.norm(colours, axis=2)
    usual = np.median(colours[free] / (length[free] + _BLACK)[:, None], axis=0)
    usual = usual / max(float(np.linalg.norm(usual)), 1e-6)
    along = colours @ usual
    beside = np.sqrt(np.maximum(length * length - along * along, 0.0))
    return np.asarray(beside / (length + _BLACK), np.float32)


def _narrowed(mask: Mask) -> Mask:
    """The mask without what is close beside its edge."""
    return np.asarray(cv2.erode(mask, np.ones((_BESIDE_MM, _BESIDE_MM), np.uint8)), np.uint8)


def _cells(mask: Mask) -> Mask:
    """The mask (h, w), by the middles of its cells."""
    half = _CELL_MM // 2
    height, width = (side // _CELL_MM * _CELL_MM for side in mask.shape)
    return np.ascontiguousarray(mask[half:height:_CELL_MM, half:width:_CELL_MM])
