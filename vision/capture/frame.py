"""A picture with the time it was taken, and the protocol that real, simulated and recorded cameras follow."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.capture.libraries import np

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
    `pixels` are (h, w, 3) uint8 BGR.
    `small` is the same picture, small and grey, of any size, where the camera delivers one.
    """

    pixels: Pixels
    at_s: float
    small: Grey | None = None


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
