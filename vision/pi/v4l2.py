"""A USB camera, or any other that Linux knows as a Video4Linux device, through OpenCV.

OpenCV (4.11 to 5.0, `cap_v4l.cpp`) keeps a frame until it is requested, so with one buffer the first frame is as
old as the last request. `waitAny` waits for a frame no longer than its timeout and takes it; a plain `grab` may block
for ten seconds. `CAP_PROP_POS_MSEC` is then the time of that frame by the driver, for UVC cameras on CLOCK_MONOTONIC.
`CAP_PROP_EXPOSURE` counts 100 us (V4L2_CID_EXPOSURE_ABSOLUTE), `CAP_PROP_AUTO_EXPOSURE` 1 is manual.
"""

import logging
import time
from pathlib import Path

from hardware.camera import Camera
from vision.capture.frame import Frame
from vision.libraries import cv2, np
from vision.pi.camera import Clock

_TIMEOUT_S = 1.0  # a working camera needs a tenth of this
_OLD_FRAMES = 4  # a driver may hold back this many, whatever the number of buffers requested
_CLOCK_S = 10.0  # a driver time further from now is of another clock
_MANUAL = 1
_EXPOSURE_UNIT_US = 100

log = logging.getLogger(__name__)


class V4l2Camera:
    """The camera behind a device such as `/dev/video0`, its exposure, white balance and focus locked.

    Size and exposure are those of the box profile; gain and focus stay as the driver has them, in its own units.
    Lifetime: opened by the first `capture`, on whose thread it then stays; `reopen` starts afresh.
    Concurrency: one thread, the vision thread. A camera that does not deliver within about a second raises
    `TimeoutError`.
    """

    def __init__(self, device: str | Path, camera: Camera, clock: Clock) -> None:
        self._device = Path(device)
        self._camera = camera
        self._clock = clock
        self._video: cv2.VideoCapture | None = None

    def capture(self) -> Frame:
        """Return the next frame exposed. Raises `OSError` without a camera, `TimeoutError` when no frame arrives."""
        if self._video is None:
            self._video = _open_video(self._device, self._camera)
        asked_s = time.monotonic()
        for dropped in range(1 + _OLD_FRAMES):
            before_s = time.monotonic()
            try:
                came, _ = cv2.VideoCapture.waitAny([self._video], timeoutNs=round(_TIMEOUT_S * 1e9))
                if not came:
                    raise TimeoutError(f"no picture within {_TIMEOUT_S:.0f} s")
                good, pixels = self._video.retrieve()
            except cv2.error as error:
                raise OSError(f"{self._device}: the camera gives no pictures any more") from error
            if not good:
                raise OSError(f"{self._device}: the camera gave half a picture")
            stamp_s = self._video.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if abs(time.monotonic() - stamp_s) > _CLOCK_S:
                # A driver without a time: the first frame was waiting, the next one was exposed since.
                stamp_s = before_s if dropped else asked_s - _TIMEOUT_S
            if stamp_s >= asked_s:
                break
        return Frame(np.asarray(pixels, np.uint8), self._clock() - (time.monotonic() - stamp_s))

    def reopen(self) -> None:
        """Close the camera; the next capture opens it again."""
        self.close()

    def close(self) -> None:
        video, self._video = self._video, None
        if video is not None:
            video.release()


def _open_video(device: Path, camera: Camera) -> "cv2.VideoCapture":
    if not device.exists():
        raise FileNotFoundError(f"{device}: no camera found, there is no such device")
    video = cv2.VideoCapture(str(device), cv2.CAP_V4L2)
    if not video.isOpened():
        raise OSError(f"{device}: this is no camera, or another program has it")
    shape = {
        cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),  # uncompressed, USB 2 carries ten frames a second
        cv2.CAP_PROP_FRAME_WIDTH: camera.width_px,
        cv2.CAP_PROP_FRAME_HEIGHT: camera.height_px,
        cv2.CAP_PROP_BUFFERSIZE: 1,
    }
    locks = {
        cv2.CAP_PROP_AUTO_EXPOSURE: _MANUAL,
        cv2.CAP_PROP_EXPOSURE: max(1, camera.exposure_us // _EXPOSURE_UNIT_US),
        cv2.CAP_PROP_AUTO_WB: 0,
        cv2.CAP_PROP_AUTOFOCUS: 0,
    }
    refused = [key for key, value in (shape | locks).items() if not video.set(key, value)]
    if cv2.CAP_PROP_AUTO_EXPOSURE in refused:
        log.warning("camera does not allow its exposure to be locked device=%s", device)
    return video
