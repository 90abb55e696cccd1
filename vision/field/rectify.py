"""Rectification: cuts a straightened picture out of one that the lens has bent, by a remap table."""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.arrays import Places, Real, Real32
from vision.capture.frame import Pixels
from vision.libraries import cv2

_NODE_PX = 32  # over this distance the bend of a lens is negligible
# NumPy spreads larger matrix products over all cores, which costs more than it gains here.
_ON_ONE_CORE = 200_000

PlaceMap = Callable[[Places], Places]
"""A function from places (n, 2) of a straightened picture to those of its source picture."""

RemapTable = NDArray[np.float32]
"""For every pixel of a straightened picture its place across and down in the source picture: (2, h, w).

OpenCV follows two planes somewhat faster than pairs."""


def rectify(pixels: Pixels, way: PlaceMap, size: tuple[int, int]) -> Pixels:
    """Return the picture of this width and height whose places `way` maps to those of `pixels`."""
    return remap(pixels, remap_table(way, size))


def remap_table(way: PlaceMap, size: tuple[int, int], count: int = 1) -> RemapTable:
    """Return the remap table of a picture of this width and height.

    Lenses bend, so that one homography is off by millimetres at the edges; node by node `way` is exact enough and
    costs far less than for every pixel.
    For `count` pictures, one below the other, `way` gets the nodes (count, nodes, 2) of each as if it were alone.
    """
    width, height = size
    across, down = _shares(width), _shares(height)
    nodes = way(_nodes(size)).astype(np.float32).reshape(count, len(down.T), len(across.T), 2)
    rows = np.ascontiguousarray(down @ nodes.transpose(3, 0, 1, 2)).reshape(-1, len(across.T))
    table = np.empty((len(rows), width), np.float32)
    step = max(1, _ON_ONE_CORE // across.size)
    for first in range(0, len(rows), step):
        some = slice(first, first + step)
        np.matmul(rows[some], across.T, out=table[some])
    return table.reshape(2, count * height, width)


def remap(pixels: Pixels, sources: RemapTable, *, nearest: bool = False) -> Pixels:
    """Return the picture (h, w) or (h, w, n) whose every pixel shows its source, interpolated or the `nearest`."""
    interpolation = cv2.INTER_NEAREST if nearest else cv2.INTER_LINEAR
    seen = cv2.remap(pixels, sources[0], sources[1], interpolation, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def _at(side: int) -> Real:
    """Return the nodes along a side: one before its first pixel, and the last one not before its last."""
    return np.asarray((np.arange(math.ceil((side - 0.5) / _NODE_PX + 0.5) + 1) - 0.5) * _NODE_PX - 0.5, np.float64)


@lru_cache(maxsize=256)
def _shares(side: int) -> Real32:
    """Return the share of each node along a side in each of its pixels, (side, nodes): two of them have all."""
    away = np.abs(np.arange(side)[:, None] - _at(side)) / _NODE_PX
    return np.asarray(np.maximum(1 - away, 0), np.float32)


@lru_cache(maxsize=256)
def _nodes(size: tuple[int, int]) -> Places:
    across, down = (_at(side) for side in size)
    return np.asarray(np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2), np.float64)
