"""Makes a picture of what another one shows, place by place along any way that bends little."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

_NODE_PX = 32  # between places so far apart a lens bends next to nothing

Places = NDArray[np.float64]
Way = Callable[[Places], Places]
"""From places (n, 2) of a straightened picture to those of the picture it is made of."""


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """For every pixel of a straightened picture the place `x`, `y` (h, w) in the picture it is made of."""

    x: NDArray[np.float32]
    y: NDArray[np.float32]


def straightened(pixels: Pixels, way: Way, size: tuple[int, int]) -> Pixels:
    """The picture of this width and height that a way leads to."""
    return followed(pixels, places_of(way, size))


def places_of(way: Way, size: tuple[int, int], count: int = 1) -> Sources:
    """Where a way leads from every pixel of a picture of this width and height; lenses bend, so it is followed node by
    node.

    Of several pictures, one below the other, the way is given the nodes (count, nodes, 2) of each as if it were alone.
    """
    width, height = size
    nodes = way(_nodes(size)).reshape(count, -1, 2).astype(np.float32)
    (left, right_part), (upper, lower_part) = _between(width), _between(height)
    grid = nodes.transpose(0, 2, 1).reshape(count, 2, len(_at(height)), len(_at(width)))
    # No product of matrices: the threads of a library for large ones would wait for each other, busily.
    rows = grid[:, :, upper] * (1 - lower_part)[:, None] + grid[:, :, upper + 1] * lower_part[:, None]
    grown = rows[..., left] * (1 - right_part) + rows[..., left + 1] * right_part
    x, y = (np.asarray(grown[:, part].reshape(count * height, width), np.float32) for part in (0, 1))
    return Sources(x, y)


def followed(pixels: Pixels, sources: Sources, interpolation: int = cv2.INTER_LINEAR) -> Pixels:
    """The picture (h, w) or (h, w, 3) whose every pixel shows what its source does."""
    seen = cv2.remap(pixels, sources.x, sources.y, interpolation, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def _at(side: int) -> NDArray[np.float64]:
    """Where the nodes along a side lie: one at least before its first pixel, and one after its last."""
    return np.asarray((np.arange(-(-side // _NODE_PX) + 2) - 0.5) * _NODE_PX - 0.5, np.float64)


@lru_cache(maxsize=256)
def _nodes(size: tuple[int, int]) -> Places:
    across, down = (_at(side) for side in size)
    return np.asarray(np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2), np.float64)


@lru_cache(maxsize=256)
def _between(side: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """For each pixel along a side the node before it, and how far it lies towards the next one, 0 to 1: (side) each."""
    place = (np.arange(side) - _at(side)[0]) / _NODE_PX
    before = place.astype(np.intp)
    return before, np.asarray(place - before, np.float32)
