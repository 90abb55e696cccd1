"""The Raspberry Pi camera module, its settings locked so that two frames of the same dice are the same picture.

It is asked for a mode of its whole sensor. By default picamera2 takes the mode whose pixels come nearest to those of
the picture, which for 1280 x 720 on a Camera Module 3 is 1536 x 864, cut out of the middle: from 400 mm it sees
346 x 199 mm, and the markers lie in the corners of a field 200 mm deep. It silently replaces an unknown mode by the
nearest one, so the mode is checked afterwards.

Built on picamera2 (0.3.30): `capture_request(wait=seconds)` raises `TimeoutError` when no frame arrives, and
`cancel_all_and_flush()` removes the job that then still waits. `SensorTimestamp` is nanoseconds of
CLOCK_BOOTTIME at the start of the exposure. The format "RGB888" of picamera2 lies in memory as blue, green, red. The
small stream is YUV420 (a Pi 4 offers no other): first `height` rows of brightness, as wide as the stride.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol

from hardware.camera import CAMERA_MODULES, Camera
from vision.capture.frame import Frame, Pixels
from vision.libraries import np

_FRAME_US = 33_333  # 30 frames a second; a longer exposure makes them fewer
_WAIT_S = 1.0  # a working camera needs a tenth of this
_BUFFERS = 4
_SMALL_PX = 320  # width of the small stream

Clock = Callable[[], float]


class _Request(Protocol):
    """A completed request of picamera2, as far as it is used here."""

    def make_array(self, name: str) -> Pixels: ...
    def get_metadata(self) -> Mapping[str, object]: ...
    def release(self) -> None: ...


class _Device(Protocol):
    """picamera2.Picamera2, as far as it is used here."""

    @property
    def camera_controls(self) -> Mapping[str, object]: ...
    @property
    def camera_properties(self) -> Mapping[str, object]: ...
    def create_video_configuration(
        self,
        main: Mapping[str, object],
        lores: Mapping[str, object],
        *,
        buffer_count: int,
        controls: Mapping[str, object],
        queue: bool,
        sensor: Mapping[str, object],
    ) -> dict[str, object]: ...
    def configure(self, camera_config: dict[str, object]) -> None: ...
    def camera_configuration(self) -> Mapping[str, Any]: ...
    def start(self) -> None: ...
    def capture_request(self, wait: float) -> _Request: ...
    def cancel_all_and_flush(self) -> None: ...
    def close(self) -> None: ...


class PiCamera:
    """The camera module over the field, set as the box profile says; `clock` is the `time` of the event loop.

    It asks for frames without a queue, because a frame that waited shows the past.

    Lifetime: opened by the first `capture`, on whose thread it then stays; `reopen` starts afresh.
    Concurrency: one thread, the vision thread. No call takes longer than about a second: a camera that does
    not deliver raises `TimeoutError`.
    """

    def __init__(self, camera: Camera, clock: Clock) -> None:
        self._camera = camera
        self._clock = clock
        self._device: _Device | None = None

    def capture(self) -> Frame:
        """Return the next frame exposed. Raises `OSError` without a camera, `TimeoutError` when no frame arrives."""
        if self._device is None:
            self._device = _start_device(self._camera)
        try:
            return self._next(self._device)
        except RuntimeError as error:
            # picamera2 reports refusals of libcamera this way: a stopped camera takes no request back.
            raise OSError(f"the camera fails: {error}") from error

    def reopen(self) -> None:
        """Close the camera; the next capture opens it again. Raises `OSError` when it cannot be closed."""
        self.close()

    def close(self) -> None:
        """Stop and release the camera. Raises `OSError` when it cannot be closed; it is released all the same."""
        device, self._device = self._device, None
        if device is None:
            return
        try:
            device.close()
        except RuntimeError as error:
            raise OSError(f"the camera cannot be closed: {error}") from error

    def _next(self, device: _Device) -> Frame:
        try:
            request = device.capture_request(wait=_WAIT_S)
        except TimeoutError as error:
            device.cancel_all_and_flush()
            raise TimeoutError(f"no picture within {_WAIT_S:.0f} s") from error
        try:
            pixels = np.array(request.make_array("main")[:, :, :3], np.uint8)
            width, height = _small_size(self._camera)
            small = np.array(request.make_array("lores")[:height, :width], np.uint8)
            stamp = request.get_metadata().get("SensorTimestamp")
            if not isinstance(stamp, int):
                raise OSError("the camera gives no time with its picture")
            age_ns = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - stamp
            return Frame(pixels, self._clock() - age_ns / 1e9, small)
        finally:
            # A request that is not released costs the camera a buffer.
            request.release()


def _start_device(camera: Camera) -> _Device:
    try:
        from picamera2 import Picamera2
    except (ImportError, ValueError) as error:
        # ValueError: parts of picamera2 were built for another NumPy.
        raise OSError("picamera2 is not installed: sudo apt install python3-picamera2") from error
    if not Picamera2.global_camera_info():
        # Opening without a camera leaks two descriptors each time (0.3.38 forgets a pipe), ten times a second.
        raise OSError("no camera found")
    try:
        device: _Device = Picamera2()
    except (IndexError, RuntimeError) as error:
        raise OSError(f"the camera cannot be opened, which is so while another program has it: {error}") from error
    try:
        device.configure(_configuration(device, camera))
        # libcamera may silently take another size for one of the streams.
        taken = device.camera_configuration()
        for name, (width, height) in (("main", _size(camera)), ("lores", _small_size(camera))):
            got_width, got_height = taken[name]["size"]
            if (got_width, got_height) != (width, height):
                raise OSError(f"asked for pictures of {width} x {height}, it gives {got_width} x {got_height}")
        _check_sensor_mode(device, camera)
        device.start()
    except (RuntimeError, ValueError, OSError) as error:
        # A device that cannot be started may fail to close as well.
        with suppress(RuntimeError):
            device.close()
        raise OSError(f"the camera cannot be started: {error}") from error
    return device


def _configuration(device: _Device, camera: Camera) -> dict[str, object]:
    """Return the streams, the mode of the sensor and the locked controls, as picamera2 wants them."""
    from libcamera import controls

    frame_us = max(_FRAME_US, camera.exposure_us)
    locked: dict[str, object] = {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": camera.exposure_us,
        "AnalogueGain": camera.gain,
        "ColourGains": camera.colour_gains,
        "FrameDurationLimits": (frame_us, frame_us),
    }
    main = {"size": _size(camera), "format": "RGB888"}
    lores = {"size": _small_size(camera), "format": "YUV420"}
    if "AfMode" in device.camera_controls:
        # Camera modules without a focus motor refuse these.
        locked |= {"AfMode": controls.AfModeEnum.Manual, "LensPosition": camera.focus_dioptres}
    # Without a queue no frame is delivered that was already waiting when it was requested.
    return device.create_video_configuration(
        main, lores, buffer_count=_BUFFERS, controls=locked, queue=False, sensor=_sensor(camera)
    )


def _sensor(camera: Camera) -> dict[str, object]:
    mode = camera.sensor_mode
    return {"output_size": (mode.width_px, mode.height_px), "bit_depth": mode.bit_depth}


def _check_sensor_mode(device: _Device, camera: Camera) -> None:
    """Raise `OSError`, with what to write into the profile, when another mode was taken than the one asked for."""
    if device.camera_configuration().get("sensor") == _sensor(camera):
        return
    model = str(device.camera_properties.get("Model", "of an unknown make"))
    # The wide and infrared makes of a module append to the name of its sensor: imx708_wide.
    names = [name for name, module in CAMERA_MODULES.items() if model.split("_")[0] == module.sensor]
    if names:
        mend = f'module = "{names[0]}"'
    else:
        mend = "sensor = { width_px = ..., height_px = ..., bit_depth = ... }, a mode of `rpicam-hello --list-cameras`"
    problem = f"it is {model}, which has no sensor mode of {camera.sensor_mode}"
    raise OSError(f"{problem}; write under [camera] of the box profile: {mend}")


def _size(camera: Camera) -> tuple[int, int]:
    return camera.width_px, camera.height_px


def _small_size(camera: Camera) -> tuple[int, int]:
    """Return width and height of the small stream; both even, as YUV420 needs them."""
    return _SMALL_PX, round(_SMALL_PX * camera.height_px / camera.width_px / 2) * 2
