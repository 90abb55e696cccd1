"""A picture with the time it was taken, and the protocol that real, simulated and recorded cameras follow."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from vision.libraries import cv2, np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
    """A picture: (height, width, 3) unsigned bytes, blue green red."""

    Grey = NDArray[np.uint8]
    """A grey picture: (height, width) unsigned bytes."""
else:  # naming the types of NumPy would load it
    Pixels = Grey = Any


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the field, taken at `at_s` seconds of the clock of the event loop.

    It carries pixels and a time and nothing else, so that a simulated camera cannot reveal more than a real one.
    """

    pixels: Pixels  # (h, w, 3)
    at_s: float
    small: Grey | None = None  # the same picture, small and grey, of any size, where the camera delivers one


class Camera(Protocol):
    """A camera over the field: nothing above asks whether it is real.

    Concurrency: every method blocks and is called from one thread only, the vision thread.
    """

    def capture(self) -> Frame:
        """Return the newest frame. Raises `OSError` (or its child `TimeoutError`) when none arrives."""

    def reopen(self) -> None:
        """Close the device and open it again. Raises `OSError` when it cannot be opened."""

    def close(self) -> None:
        """Release the device; closing twice is harmless."""


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
