"""The simulated camera with settings other than those of the profile: brighter, darker, of another tint."""

import numpy as np

from hardware.box import Camera
from vision.capture.frame import Frame
from vision.capture.libraries import cv2
from vision.sim.camera import SimulatedCamera


class ExposedCamera:
    """A camera whose pictures, taken as the `profile` says, are shown with other `settings`, to try out a calibration.

    Lifetime and concurrency: those of the inner camera.
    """

    def __init__(self, camera: SimulatedCamera, profile: Camera, settings: Camera) -> None:
        self._camera = camera
        light = settings.exposure_us * settings.gain / (profile.exposure_us * profile.gain)
        red, blue = (new / old for new, old in zip(settings.colour_gains, profile.colour_gains, strict=True))
        self._gains = np.diag([light * blue, light, light * red])

    def capture(self) -> Frame:
        """Return the frame of the inner camera in the light of these settings. Raises `OSError` as that does."""
        frame = self._camera.capture()
        return Frame(np.asarray(cv2.transform(frame.pixels, self._gains), np.uint8), frame.at_s)

    def reopen(self) -> None:
        self._camera.reopen()

    def close(self) -> None:
        self._camera.close()
