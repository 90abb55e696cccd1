"""Colours in pictures: the everyday name of a die's colour, and the least of the three channels."""

from typing import TYPE_CHECKING

from vision.capture.frame import Pixels
from vision.capture.libraries import cv2, np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Upper ends of hue ranges (0..180 as OpenCV counts) and their names.
_HUES = ((8, "red"), (20, "orange"), (34, "yellow"), (85, "green"), (130, "blue"), (158, "purple"), (172, "pink"))


def colour_name(bgr: "NDArray[np.float64]") -> str:
    """Return the everyday name of a colour (blue, green, red, each 0..255)."""
    pixel = np.clip(bgr, 0, 255).astype(np.uint8).reshape(1, 1, 3)
    hue, saturation, value = (int(part) for part in cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0])
    if value < 62:
        return "black"
    if saturation < 62:
        return "white" if value > 140 else "grey"
    return next((name for end, name in _HUES if hue <= end), "red")


def least_colour(pixels: Pixels) -> "NDArray[np.uint8]":
    """Return the least of blue, green and red (h, w) of a picture (h, w, 3 or 4).

    White on bright blue or green stands out more in it than in grey, and red on white is as dark as black.
    """
    # One by one: splitting all channels at once takes OpenCV twice as long.
    blue, green, red = (cv2.extractChannel(pixels, channel) for channel in range(3))
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)
