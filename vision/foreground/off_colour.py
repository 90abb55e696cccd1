"""Notice things whose average colour differs from the cloth: a brown hand on brown cloth, a coin of about its shade.

Pixel by pixel the weave hides such a small difference. Averaged over some millimetres cloth has one colour, in light
and in shadow.
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

_CELL_MM, _AVERAGED = 3, 3  # cells of this edge; colours are averaged over this many of them across and down
_BESIDE_MM = 9  # twice how far dice, markers and the edge of the baize colour the averages
_SHADED_MM = 24.0  # twice how far outside the outline of a die its tinted shadow begins
# How far a colour is from that of the cloth made darker or lighter, as a part of its own length plus some levels
# (nearly black pixels are mostly noise), and as a multiple of the usual distance on this cloth. In 630 pictures whose
# dice were all read no 60 mm2 away from dice were off by two thirds of this; as JPEG of quality 30, half a cloth was
# off by 0.039. Of 700 scenes with a hand one goes unnoticed.
_OFF, _BLACK, _ABOVE_USUAL = 0.045, 20.0, 5.0
_LEAST_MM2, _FINGER_MM2 = 100, 600  # the smallest coin and die cover more; so does a finger


def find_off_colour(seen: Survey, dice: Sequence[Places]) -> list[UnexplainedThing]:
    """Return the things of another colour than the cloth: apart from the edge, or reaching in farther than a wall's
    shadow.

    `dice` are the outlines (n, 2) of the read dice on the baize in mm: something that begins beside one may be its
    tinted shadow.
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


def _off_cloth(pixels: Pixels, free: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return how far the average colour of each cell (h, w) of a survey is from the usual colour of the `free` cells,
    made darker or lighter.
    """
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
    """Return the mask without the pixels close to its edge."""
    return np.asarray(cv2.erode(mask, np.ones((_BESIDE_MM, _BESIDE_MM), np.uint8)), np.uint8)


def _cells(mask: Mask) -> Mask:
    """Return the mask (h, w) sampled at the middles of its cells."""
    half = _CELL_MM // 2
    height, width = (side // _CELL_MM * _CELL_MM for side in mask.shape)
    return np.ascontiguousarray(mask[half:height:_CELL_MM, half:width:_CELL_MM])
