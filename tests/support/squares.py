"""Dice as squares on black: pictures for what only looks whether something has changed."""

from functools import lru_cache

import numpy as np

from vision.capture.frame import Pixels


@lru_cache(maxsize=8)
def squares(dice: tuple[tuple[int, float, float], ...], odd: bool) -> Pixels:
    """Return a picture of dice (value, x, y), to be looked at alone: while nothing moves it is the same array.

    Odd and even ones differ in a pixel, as no camera gives the same picture twice.
    """
    pixels = np.zeros((720, 1280, 3), np.uint8)
    for value, x, y in dice:
        pixels[int(y) - 20 : int(y) + 20, int(x) - 20 : int(x) + 20] = 255 - 20 * value
    pixels[0, 0] = odd
    pixels.flags.writeable = False
    return pixels
