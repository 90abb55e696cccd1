"""A camera whose locked settings can be changed while it is calibrated: it is closed and opened with the new ones."""

from collections.abc import Callable

from hardware.box import Camera as Settings
from vision.capture import Camera, Frame


class AdjustableCamera:
    """A camera opened by `opens` with settings (exposure, gain, colour gains) that `adjust` changes.

    It is closed for that, because a camera of the box is opened with its settings locked: so what is calibrated is
    the very camera that will be read with.

    Lifetime: opened by the first `capture`; closing twice is harmless.
    Concurrency: one thread, the vision thread.
    """

    def __init__(self, opens: Callable[[Settings], Camera], settings: Settings) -> None:
        self._opens = opens
        self._settings = settings
        self._camera: Camera | None = None

    @property
    def settings(self) -> Settings:
        """The settings with which the next frame is taken."""
        return self._settings

    def adjust(self, settings: Settings) -> None:
        """The next frame is taken with these settings."""
        if settings != self._settings:
            self.close()
            self._settings = settings

    def capture(self) -> Frame:
        """The newest frame. Raises `OSError` when none comes."""
        if self._camera is None:
            self._camera = self._opens(self._settings)
        return self._camera.capture()

    def reopen(self) -> None:
        """Close the camera; the next capture opens it again."""
        self.close()

    def close(self) -> None:
        """Give the camera back."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()
