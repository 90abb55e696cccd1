"""Run the network that looks at the whole field at once (`map.onnx`): where may the middle of a die's top be?

A die of the cloth's colour is not in the foreground, and its pips may be too faint for spots; its sides, its shadow and
its pips together still look like a die. tools/training/README.md describes how the weights were made.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from vision.capture.arrays import Real, Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2

MAP_STRIDE_PX = 4  # of a field from straight above, whose pixels are a millimetre wide
_ABOUT_PX = 41  # a colour is compared with the mean of a square of this side, wider than any die
_SOFTENER = 12.0  # levels: keeps nearly black pixels from becoming noise
_GAIN, _MOST = 4.0, 4.0  # four times the difference as a part of the mean, and no more than this
_SEEN = 0.3  # the least chance of a place that is returned
_LEAST_BEND = 0.1  # of a parabola through logits: a flatter one has no top
_NEIGHBOURS = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class MappedDice:
    """The places where dice may lie, the likeliest first: one for each square that may show the middle of a die.

    The places (n, 2), in pixels of the mapped picture, are the middles of these squares, or where the chance is highest
    between one and its less likely neighbours; the chances (n) are the highest of each square and its neighbours.
    """

    places: Real
    chances: Real32


DiceMapper = Callable[[Pixels], MappedDice]
"""Finds where dice may lie on a field seen from straight above, at one pixel a millimetre."""


class DiceMap:
    """Finds where dice may lie on the field and around it.

    Lifetime: the process; `dice_map` keeps one. Concurrency: one thread at a time.
    """

    def __init__(self) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.fromfile(Path(__file__).with_name("map.onnx"), np.uint8))

    def chances(self, pixels: Pixels) -> Real32:
        """Return the chance (h / 4, w / 4) that the middle of a die's top lies in each square of 4 x 4 pixels."""
        return _chances(self._logits(pixels))

    def _logits(self, pixels: Pixels) -> Real32:
        self._net.setInput(map_planes(pixels)[None])
        return np.asarray(self._net.forward()[0, 0], np.float32)

    def find(self, pixels: Pixels) -> MappedDice:
        logits = self._logits(pixels)
        chances = _chances(logits)
        rows, columns = np.nonzero(chances > _SEEN)
        best = np.argsort(-chances[rows, columns], kind="stable")
        rows, columns = rows[best], columns[best]
        shown = np.asarray(cv2.dilate(chances, _NEIGHBOURS), np.float32)[rows, columns]
        # Beside a top another one may begin, that of a die which touches the first: it must not move there.
        beside = np.column_stack([_to_the_top(logits, *way)[rows, columns] for way in ((1, 0), (0, 1))])
        beside[chances[rows, columns] < shown] = 0
        middles = (np.column_stack((columns, rows)) + beside + 0.5) * MAP_STRIDE_PX - 0.5
        return MappedDice(np.asarray(middles, np.float64), shown)


def _chances(logits: Real32) -> Real32:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float32)


def _to_the_top(logits: Real32, across: int, down: int) -> Real32:
    """Return how far from each square, across or down, a parabola through it and its neighbours is highest.

    In squares, at most half of one.
    """
    slope = np.asarray(cv2.Sobel(logits, cv2.CV_32F, across, down, scale=1 / 8), np.float32)
    bend = np.asarray(cv2.Sobel(logits, cv2.CV_32F, 2 * across, 2 * down, scale=1 / 4), np.float32)
    return np.asarray(np.clip(slope / np.maximum(-bend, _LEAST_BEND), -0.5, 0.5), np.float32)


@cache
def dice_map() -> DiceMap:
    """Return this process's map, loaded on first use."""
    return DiceMap()


def map_planes(pixels: Pixels) -> Real32:
    """Return the network's input for a picture (h, w, 3): (3, h, w), cut to whole squares.

    Each colour is given as its difference from the colours around it, as a part of their brightness: so lamp and cloth
    hardly matter.
    """
    height, width = (side - side % MAP_STRIDE_PX for side in pixels.shape[:2])
    levels = pixels[:height, :width]
    about = cv2.boxFilter(levels, cv2.CV_32F, (_ABOUT_PX, _ABOUT_PX), borderType=cv2.BORDER_REFLECT_101)
    brightness = cv2.transform(about, np.full((1, 3), 1 / 3, np.float32))
    off = np.asarray(cv2.subtract(levels, about, dtype=cv2.CV_32F), np.float32)
    planes = off.transpose(2, 0, 1) * (_GAIN / (np.asarray(brightness, np.float32) + np.float32(_SOFTENER)))
    return np.clip(planes, -_MOST, _MOST, out=np.ascontiguousarray(planes))
