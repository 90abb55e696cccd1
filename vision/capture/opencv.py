"""OpenCV, loaded when it is first used: the rest of this room has it as `from vision.capture import cv2`.

A daemon that waits for a game reads no dice, and OpenCV is the largest part of what it would load for that.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import cv2 as cv2
else:

    class _OnDemand:
        """Stands for the module; a name that was asked for stays, and costs no detour any more."""

        def __getattr__(self, name: str) -> Any:
            found = getattr(import_module("cv2"), name)
            setattr(self, name, found)
            return found

    cv2 = _OnDemand()

__all__ = ["cv2"]
