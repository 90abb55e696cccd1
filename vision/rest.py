"""Do the dice lie still? A cheap look at two frames says so before anything is read."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame

_SIZE = (192, 108)  # averaging whole blocks keeps sensor noise under two grey levels
_STEP = 12  # grey levels by which a block changes when the rim of a die moves over it
_BLOCKS = 3

Glimpse = NDArray[np.int16]
"""A frame in small: (108, 192) grey levels."""


def glimpse(frame: Frame) -> Glimpse:
    """The frame in small, for comparing."""
    grey = cv2.cvtColor(frame.pixels, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, _SIZE, interpolation=cv2.INTER_AREA), np.int16)


def differ(one: Glimpse, other: Glimpse) -> bool:
    """True when something moved between the two; a slow change of the light as a whole does not count."""
    change = one - other
    change = change - np.int16(np.median(change))
    return bool((np.abs(change) > _STEP).sum() >= _BLOCKS)
