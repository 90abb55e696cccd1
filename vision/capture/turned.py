"""The pictures of a camera that hangs upside down, turned to be those of one that hangs as it should."""

from hardware.camera import Camera as CameraSettings
from vision.capture.frame import Camera, Frame, Grey, Pixels
from vision.libraries import np


def as_hung(camera: Camera, settings: CameraSettings) -> Camera:
    """Return the camera, with its pictures turned if the profile says that it hangs upside down."""
    return TurnedCamera(camera) if settings.upside_down else camera


class TurnedCamera:
    """A camera whose pictures are turned by half a turn.

    Lifetime, concurrency and errors: those of the inner camera.
    """

    def __init__(self, camera: Camera) -> None:
        self._camera = camera

    def capture(self) -> Frame:
        """Return the newest frame, turned."""
        frame = self._camera.capture()
        return Frame(turn(frame.pixels), frame.at_s, None if frame.small is None else turn(frame.small))

    def reopen(self) -> None:
        self._camera.reopen()

    def close(self) -> None:
        self._camera.close()


def turn(picture: Pixels | Grey) -> Pixels:
    """Return a picture turned by half a turn, as one block in memory, as OpenCV needs it."""
    return np.ascontiguousarray(picture[::-1, ::-1])
