"""The everyday name of a die's colour, by hue and brightness."""

from typing import TYPE_CHECKING

from vision.capture.libraries import cv2, np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Upper ends of hue ranges (0..180 as OpenCV counts) and their names.
_HUES = ((8, "red"), (20, "orange"), (34, "yellow"), (85, "green"), (130, "blue"), (158, "purple"), (172, "pink"))


def colour_name(bgr: "NDArray[np.float64]") -> str:
    """The everyday name of a colour (blue, green, red, each 0..255)."""
    pixel = np.clip(bgr, 0, 255).astype(np.uint8).reshape(1, 1, 3)
    hue, saturation, value = (int(part) for part in cv2.cvtColor(pixel, cv2.COLOR_BGR2HSV)[0, 0])
    if value < 62:
        return "black"
    if saturation < 62:
        return "white" if value > 140 else "grey"
    return next((name for end, name in _HUES if hue <= end), "red")
