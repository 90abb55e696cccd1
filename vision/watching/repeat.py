"""The same picture twice, to the last byte: no sensor gives that, for its noise is never the same.

Some drivers go on handing out their last buffer with a new time when the camera has stopped.
"""

import numpy as np

from vision.frame import Frame, Pixels

_EVERY_ROW = 90  # two pictures with noise already differ in so few rows
_GRAIN_ROW = 16
_GRAIN = 0.1  # part of the neighbouring pixels that differ; a covered or burnt-out picture has none


def is_repeat(frame: Frame, last: Frame) -> bool:
    """True when `frame` is the last one once more under a new time.

    A picture without grain (all black, all white) may well come twice.
    """
    if frame.at_s == last.at_s or frame.pixels.shape != last.pixels.shape:
        return False
    alike = np.array_equal(frame.pixels[::_EVERY_ROW], last.pixels[::_EVERY_ROW])
    return alike and np.array_equal(frame.pixels, last.pixels) and _has_grain(frame.pixels)


def _has_grain(pixels: Pixels) -> bool:
    rows = pixels[::_GRAIN_ROW]
    return bool((rows[:, 1:] != rows[:, :-1]).any(axis=2).mean() > _GRAIN)
