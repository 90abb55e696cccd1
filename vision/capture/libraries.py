"""OpenCV and NumPy, loaded when they are first used: `from vision.capture import cv2, np`.

OpenCV is had from here in all of this room, NumPy where a daemon that waits for a game needs the file too.
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
