"""Notices what has another average colour than the cloth: a brown hand on brown cloth, a coin of about its shade.

Pixel by pixel the weave hides so small a difference. Averaged over some millimetres cloth has one colour, in light and
in shadow.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.field.view import Places
from vision.foreground.background import Mask, components
from vision.foreground.covered import DIE_RIM_MM, mask_of_dice
from vision.foreground.segment import Survey
from vision.foreground.shadows import SHADE_MM
from vision.foreground.thing import UnexplainedThing, thing_of
from vision.libraries import cv2

_CELL_MM, _AVERAGED = 3, 3  # colours are averaged over so many cells of this edge, across and down
_BESIDE_MM = 9  # twice how far beside dice, markers and the edge of the baize their colour is in the averages
_SHADED_MM = 24.0  # twice how far beside the outline of a die its tinted shadow begins
# How far a colour is off that of the cloth made darker or lighter, as a part of its own length, so many levels added,
# for what is nearly black is mostly noise; and how many times what is usual on this cloth. Of 630 pictures in which all
# dice were read, our own with bands of shadow and path-traced, none was off by two thirds of this in 60 mm2, but
# beside dice; packed as JPEG of quality 30 half a cloth was off by 0.039. Of 700 scenes with a hand one is not told.
_OFF, _BLACK, _ABOVE_USUAL = 0.045, 20.0, 5.0
_LEAST_MM2, _FINGER_MM2 = 100, 600  # the smallest coin and die cover more; so does a finger


def find_off_colour(seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """The things of another colour than the cloth: apart from the edge, or reaching in farther than a wall's shadow.

    `dice` are the outlines (n, 2) of the read dice on the baize in mm: what begins beside one may be its tinted shadow.
    """
    inside = _cells(_narrowed(seen.inside))
    covered = mask_of_dice(seen, dice, DIE_RIM_MM) | seen.all_markers
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
