"""The motion check: whether anything moved between two frames. Thumbnails are compared, before anything is read."""

from typing import TYPE_CHECKING, Any

from vision.capture.frame import Frame
from vision.capture.libraries import cv2, np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Thumbnail = NDArray[np.float32]
    """A small frame: (90, 160) grey levels, 0..255."""
else:  # naming the types of NumPy would load it
    Thumbnail = Any

_SIZE = (160, 90)  # averaging whole blocks keeps sensor noise under one grey level
_SURROUND = 31  # blocks; an even change over such a window is light or shadow
_STEP = 12.0  # grey levels by which a block changes when the rim of a die moves over it
_BLOCKS = 3


def thumbnail_of(frame: Frame) -> Thumbnail:
    """Shrink a frame for comparing; from the small picture of the camera where there is one."""
    grey = frame.small
    if grey is None:
        height, width = frame.pixels.shape[:2]
        # OpenCV averages fastest when halving; the steps after it have a quarter of the pixels.
        half = cv2.resize(frame.pixels, (max(1, width // 2), max(1, height // 2)), interpolation=cv2.INTER_AREA)
        grey = np.asarray(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), np.uint8)
    return np.asarray(cv2.resize(grey, _SIZE, interpolation=cv2.INTER_AREA), np.float32)


def has_moved(one: Thumbnail, other: Thumbnail) -> bool:
    """Return True if something moved between the two; light that changes slowly over the picture does not count."""
    change = one - other
    change -= cv2.blur(change, (_SURROUND, _SURROUND))
    return bool((np.abs(change) > _STEP).sum() >= _BLOCKS)
