"""Decides whether something lies upon a marker (occlusion): a quick look at a marker whose place is known."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.capture import Pixels, cv2

_PX = 24  # pixels along a marker's edge, four a module
_SOFT_PX = 1.0  # so that a place that is off by half a millimetre does not matter
_DRAWN_SOFT_PX = 1.25  # the lens has softened what is seen already
_OFF = 0.27  # a quarter upon which something lies is off its drawing by more than this part of black to white
_FADED = 12.0  # levels from black to white below which nothing can be told

_FINE_PX = 2 * _PX  # cut in this size and halved, so that nothing is skipped
_UPRIGHT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * _FINE_PX - 0.5


def is_unoccluded(picture: Pixels, number: int, quad: NDArray[np.float64]) -> bool:
    """True when the marker with this number shows plainly between its corners `quad` (4, 2) in a picture.

    The drawing is fitted to each colour of what is seen by its black and its white; then every quarter must be like
    it: a red die is dark in blue, and as bright as paper in red.
    """
    to_upright = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), _UPRIGHT)
    upright = cv2.warpPerspective(picture, to_upright, (_FINE_PX, _FINE_PX))
    small = cv2.resize(upright, (_PX, _PX), interpolation=cv2.INTER_AREA).astype(np.float32)
    seen = cv2.GaussianBlur(small, (0, 0), _SOFT_PX).reshape(_PX, _PX, 3)
    centred = _drawing(number)[:, :, None]
    contrast = (seen * centred).sum(axis=(0, 1)) / (centred * centred).sum()
    if contrast.min() < _FADED:
        return False
    off = (seen - seen.mean(axis=(0, 1)) - contrast * centred) / contrast
    quarters = (off * off).reshape(2, _PX // 2, 2, _PX // 2, 3).mean(axis=(1, 3))
    return bool(quarters.max() < _OFF**2)


@cache
def _drawing(number: int) -> NDArray[np.float32]:
    """The marker from black to white (1 apart), its mean taken off, a little out of focus."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    marker = cv2.aruco.generateImageMarker(dictionary, number, _PX).astype(np.float32)
    drawing = np.asarray(cv2.GaussianBlur(marker, (0, 0), _DRAWN_SOFT_PX), np.float32) / np.float32(255)
    return np.asarray(drawing - drawing.mean(), np.float32)
