"""Makes a picture of what another one shows, place by place along any way that bends little."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pixels

_NODE_PX = 32  # between places so far apart a lens bends next to nothing
_NO_SECOND: Any = None  # both coordinates are in the first map, which OpenCV's type stubs do not know of

Places = NDArray[np.float64]
Way = Callable[[Places], Places]
"""From places (n, 2) of a straightened picture to those of the picture it is made of."""

Sources = NDArray[np.float32]
"""For every pixel of a straightened picture (h, w, 2) the place in the picture it is made of."""


def straightened(pixels: Pixels, way: Way, size: tuple[int, int]) -> Pixels:
    """The picture of this width and height that a way leads to."""
    return followed(pixels, places_of(way, size))


def places_of(way: Way, size: tuple[int, int]) -> Sources:
    """Where a way leads from every pixel of a picture of this width and height; lenses bend, so it is followed node by
    node.
    """
    width, height = size
    columns, rows = (-(-side // _NODE_PX) + 2 for side in size)
    across, down = ((np.arange(count) - 0.5) * _NODE_PX - 0.5 for count in (columns, rows))
    nodes = way(np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2))
    grown = cv2.resize(nodes.astype(np.float32).reshape(rows, columns, 2), (columns * _NODE_PX, rows * _NODE_PX))
    return np.asarray(grown[_NODE_PX : _NODE_PX + height, _NODE_PX : _NODE_PX + width], np.float32)


def followed(pixels: Pixels, sources: Sources, interpolation: int = cv2.INTER_LINEAR) -> Pixels:
    """The picture (h, w) or (h, w, 3) whose every pixel shows what its source does."""
    return np.asarray(cv2.remap(pixels, sources, _NO_SECOND, interpolation, borderMode=cv2.BORDER_REPLICATE), np.uint8)
