"""Decides whether something lies on a marker whose place is known (occlusion), by a quick look."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Pixels
from vision.capture.libraries import cv2
from vision.field.markers import draw_marker

_PX = 24  # pixels along a marker's edge, four a module
_SOFT_PX = 1.0  # so that an error of half a millimetre does not matter
_DRAWN_SOFT_PX = 1.25  # the lens has already softened the picture
_OFF = 0.27  # a covered quarter differs from its drawing by more than this part of black to white
_FADED = 12.0  # with fewer levels from black to white nothing can be decided

_FINE_PX = 2 * _PX  # cut in this size and halved, so that nothing is skipped
_UPRIGHT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * _FINE_PX - 0.5


def is_unoccluded(picture: Pixels, number: int, quad: NDArray[np.float64]) -> bool:
    """Return True when the marker with this number shows plainly between its corners `quad` (4, 2) in a picture.

    The drawing is fitted to each colour channel by its black and its white; then every quarter must be like
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
    """Draw the marker from black to white (1 apart), its mean taken off, a little out of focus."""
    marker = draw_marker(number, _PX).astype(np.float32)
    drawing = np.asarray(cv2.GaussianBlur(marker, (0, 0), _DRAWN_SOFT_PX), np.float32) / np.float32(255)
    return np.asarray(drawing - drawing.mean(), np.float32)
