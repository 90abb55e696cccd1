"""The one camera of libcamera's virtual pipeline, plugged in and out: a file names it and the picture it shows."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

from vision.capture.frame import Pixels

# libcamera 0.7.1 reads both whenever a camera manager starts.
_DESCRIPTION = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
_PIPELINES = "LIBCAMERA_PIPELINES_MATCH_LIST"
_JPEG_QUALITY = 95


class Plug:
    """The end of the camera's cable: in it is a camera that shows `picture`, or nothing. It is kept in `folder`."""

    def __init__(self, folder: Path, picture: Pixels) -> None:
        self._picture = folder / "picture.jpg"
        cv2.imwrite(str(self._picture), picture, (cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY))

    def plug(self, model: str = "imx708", sizes: Sequence[tuple[int, int]] = ((1280, 720), (320, 180))) -> None:
        """Put a camera in; `model` is its sensor's name, `sizes` are those of the frames it can give."""
        formats = ", ".join(f"{{ width: {width}, height: {height}, frame_rates: [30] }}" for width, height in sizes)
        _DESCRIPTION.write_text(
            f"Virtual0:\n  model: {model}\n  location: CameraLocationExternal\n"
            f"  supported_formats: [{formats}]\n  frames: {{ path: {self._picture} }}\n",
            "utf-8",
        )
        self._tell("virtual")

    def unplug(self) -> None:
        """Take the camera out. One that is open stays so until it is closed."""
        self._tell("none")

    def _tell(self, pipelines: str) -> None:
        os.environ[_PIPELINES] = pipelines
        picamera2 = sys.modules.get("picamera2")
        if picamera2 is not None:
            # On a Pi the kernel tells the manager that runs; here a new one has to look.
            picamera2.Picamera2._cm._cms = None
