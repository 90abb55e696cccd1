"""A camera whose locked settings can be changed during calibration: it is closed and reopened with the new ones."""

from collections.abc import Callable

from hardware.box import Camera as Settings
from vision.capture.frame import Camera, Frame


class AdjustableCamera:
    """A camera with settings (exposure, gain, colour gains) that `adjust` changes; `open_with` opens it with them.

    It is closed for a change, because a camera of the box is opened with its settings locked: so the camera that is
    calibrated is the very one that will be read with.

    Lifetime: opened by the first `capture`; closing twice is harmless.
    Concurrency: one thread, the vision thread.
    """

    def __init__(self, open_with: Callable[[Settings], Camera], settings: Settings) -> None:
        self._open_with = open_with
        self._settings = settings
        self._camera: Camera | None = None

    @property
    def settings(self) -> Settings:
        """Return the settings for the next frame."""
        return self._settings

    def adjust(self, settings: Settings) -> None:
        if settings != self._settings:
            self.close()
            self._settings = settings

    def capture(self) -> Frame:
        """Return the newest frame. Raises `OSError` when none arrives."""
        if self._camera is None:
            self._camera = self._open_with(self._settings)
        return self._camera.capture()

    def reopen(self) -> None:
        """Close the camera; the next capture opens it again."""
        self.close()

    def close(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()
