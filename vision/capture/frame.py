"""A picture with the time it was taken, and the protocol that real, simulated and recorded cameras follow."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]
    """A picture: (height, width, 3) unsigned bytes, blue green red."""

    Grey = NDArray[np.uint8]
    """A grey picture: (height, width) unsigned bytes."""
else:  # to name NumPy's types would load it
    Pixels = Grey = Any


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the field, (h, w, 3) uint8 BGR, taken at `at_s` seconds of the event loop's clock.

    It carries pixels and a time and nothing else, so that a simulated camera cannot tell more than a real one.
    `small` is the same picture in small and grey, of any size, where the camera gives one beside the large one.
    """

    pixels: Pixels
    at_s: float
    small: Grey | None = None


class Camera(Protocol):
    """A camera over the field, whoever stands behind it: nothing above asks whether it is real.

    Concurrency: every method blocks and is called from one thread, the vision thread, only.
    """

    def capture(self) -> Frame:
        """The newest frame. Raises `OSError` (or its child `TimeoutError`) when none comes."""

    def reopen(self) -> None:
        """Close the device and open it again. Raises `OSError` when it cannot be opened."""

    def close(self) -> None:
        """Give the device back; closing twice is harmless."""
