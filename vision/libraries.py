"""OpenCV and NumPy, loaded on first use: `from vision.capture import cv2, np`.

All of vision takes OpenCV from here, and NumPy wherever a daemon that waits for a game imports the file too.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cv2 as cv2
    import numpy as np
else:
    from hardware.on_demand import LibraryOnDemand

    cv2 = LibraryOnDemand("cv2")
    np = LibraryOnDemand("numpy")

__all__ = ["cv2", "np"]
