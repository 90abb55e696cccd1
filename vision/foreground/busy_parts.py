"""Find where a picture shows anything at all: on a plain table little of it is worth searching for spots."""

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.foreground.background import components
from vision.libraries import cv2

_SMALLER = 4  # the picture is searched at this fraction of its size
_CHANGES = 8.0  # levels by which neighbours there must differ: the faintest pips differ by more
_MOSTLY = 0.7  # a picture with a larger busy part than this is searched as a whole

Part = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels, the right and bottom ones outside."""


def busy_parts(pixels: Pixels, margin_px: float) -> list[Part]:
    """Return the rectangles of a picture (h, w, 3) that hold everything that differs from its neighbours, with a
    margin. No two of them overlap.
    """
    height, width = pixels.shape[:2]
    small = cv2.resize(pixels, (-(-width // _SMALLER), -(-height // _SMALLER)), interpolation=cv2.INTER_AREA)
    changes = cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    busy = np.asarray(changes > _CHANGES, np.uint8)
    margin = max(1, round(margin_px / _SMALLER))
    parts = _boxes_of(cv2.blur(busy * 255, (2 * margin + 1,) * 2) > 0)
    if sum((right - left) * (bottom - top) for left, top, right, bottom in parts) > _MOSTLY * busy.size:
        return [(0, 0, width, height)]
    return _scaled(parts, (width, height))


def parts_about(places: NDArray[np.float64], size: tuple[int, int], margin_px: float) -> list[Part]:
    """Return the rectangles of a picture of this `size` (width, height) that hold these places (n, 2), with a margin.
    No two of them overlap.
    """
    marked = np.zeros((-(-size[1] // _SMALLER), -(-size[0] // _SMALLER)), bool)
    margin = round(margin_px / _SMALLER)
    for column, row in (places / _SMALLER).astype(int).tolist():
        marked[max(0, row - margin) : row + margin + 1, max(0, column - margin) : column + margin + 1] = True
    return _scaled(_boxes_of(marked), size)


def _scaled(parts: list[Part], size: tuple[int, int]) -> list[Part]:
    scaled = (np.array(parts, int).reshape(-1, 4) * _SMALLER).tolist()
    return [(left, top, min(right, size[0]), min(bottom, size[1])) for left, top, right, bottom in scaled]


def _boxes_of(mask: NDArray[np.bool_]) -> list[Part]:
    """Return the bounding boxes of the parts of a mask; boxes that overlap become one."""
    found, before = mask, -1
    boxes: list[Part] = []
    while len(boxes) != before:
        before = len(boxes)
        _, _, table, _ = components(np.asarray(found, np.uint8))
        boxes = [(x, y, x + wide, y + tall) for x, y, wide, tall, _ in table[1:].tolist()]
        found = np.zeros_like(mask)
        for left, top, right, bottom in boxes:
            found[top:bottom, left:right] = True
    return boxes
