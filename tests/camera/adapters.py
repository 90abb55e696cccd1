"""What a Raspberry Pi has and libcamera's virtual pipeline lacks. Nothing of ours is touched, nor of libcamera's.

picamera2 chooses the sensor's mode, checks and converts the controls, starts, queues requests, waits and stops;
libcamera makes the frames on threads of its own. Between the two stand four adapters, and each says why. `install` puts
them in place for one test.
"""

import mmap
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

# 1. Modules that picamera2 imports for what nobody asks of it here: `pykms` draws on a Pi's display, through a kernel
# device; `pidng` writes raw pictures, and comes as a source that wants a compiler. Neither is called.
UNUSED_MODULES = ("pykms", "pidng", "pidng.core", "pidng.camdefs")

# 2. A module's sensor. The virtual pipeline knows neither raw modes, of which picamera2 chooses one, nor the controls
# of a sensor, and picamera2 refuses a control that is not advertised.
# Source: Raspberry Pi documentation, camera software, what `rpicam-hello --list-cameras` prints.
SENSOR_MODES: Mapping[str, Mapping[str, Sequence[tuple[int, int]]]] = {
    "ov5647": {"SGBRG10_CSI2P": ((640, 480), (1296, 972), (1920, 1080), (2592, 1944))},
    "imx219": {
        "SRGGB10_CSI2P": ((640, 480), (1640, 1232), (1920, 1080), (3280, 2464)),
        "SRGGB8": ((640, 480), (1640, 1232), (1920, 1080), (3280, 2464)),
    },
    "imx477": {"SRGGB10_CSI2P": ((1332, 990),), "SRGGB12_CSI2P": ((2028, 1080), (2028, 1520), (4056, 3040))},
    "imx708": {"SRGGB10_CSI2P": ((1536, 864), (2304, 1296), (4608, 2592))},
}
SENSOR_CONTROLS = (
    "AeEnable",
    "AnalogueGain",
    "AnalogueGainMode",
    "AwbEnable",
    "ColourGains",
    "ExposureTime",
    "ExposureTimeMode",
)
FOCUS_CONTROLS = ("AfMode", "LensPosition")
FOCUSABLE = "imx708"


class ModuleCamera:
    """libcamera's virtual camera with the raw modes, the controls and the colour filter of a camera module.

    Everything else is passed on. `started_with` are the controls that libcamera took at the last start. While it does
    not `deliver`, libcamera gets no requests and makes no frames, as when a cable has come loose.
    """

    def __init__(self, camera: Any) -> None:
        self._camera = camera
        self.started_with: dict[str, Any] = {}
        self.delivers = True
        self._held: list[Any] = []
        self._asked = threading.Semaphore(0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._camera, name)

    @property
    def controls(self) -> dict[Any, Any]:
        import libcamera

        names = SENSOR_CONTROLS + (FOCUS_CONTROLS if self._model == FOCUSABLE else ())
        limits = SimpleNamespace(min=None, max=None, default=None)
        return {**self._camera.controls, **{getattr(libcamera.controls, name): limits for name in names}}

    @property
    def properties(self) -> dict[Any, Any]:
        from libcamera import properties

        # picamera2 takes a camera with this property for one of the Pi's own, not for a webcam.
        return {**self._camera.properties, properties.draft.ColorFilterArrangement: 0}

    def generate_configuration(self, roles: list[Any]) -> Any:
        import libcamera

        if roles != [libcamera.StreamRole.Raw]:
            return self._camera.generate_configuration(roles)
        modes = SENSOR_MODES[self._model]
        sizes = {name: [libcamera.Size(*size) for size in modes[name]] for name in modes}
        formats = SimpleNamespace(pixel_formats=list(modes), sizes=sizes.__getitem__)
        return SimpleNamespace(at=lambda _index: SimpleNamespace(formats=formats))

    def start(self, controls: dict[Any, Any]) -> None:
        self._camera.start(controls)
        self.started_with = {control.name: value for control, value in controls.items()}

    def queue_request(self, request: Any) -> None:
        self._asked.release()
        if self.delivers:
            self._camera.queue_request(request)
        else:
            # libcamera's threads may not be done with it yet.
            self._held.append(request)

    def fall_silent(self, silent_s: float) -> None:
        """Deliver nothing any more, and wait until none of the frames that were on their way has come for so long."""
        self.delivers = False
        while self._asked.acquire(timeout=silent_s):
            pass

    def wait_for_frames(self, count: int) -> None:
        """Wait until so many more frames were asked for: each follows one that has come."""
        while self._asked.acquire(blocking=False):
            pass
        for _ in range(count):
            assert self._asked.acquire(timeout=5)

    @property
    def _model(self) -> str:
        return next(str(value) for key, value in self._camera.properties.items() if key.name == "Model")


# 3. Frame buffers. picamera2 takes them from the kernel's dma_heap; here they are plain memory. The virtual pipeline
# writes the two planes of NV12, brightness and colours, so each buffer has two. It writes the same picture every time,
# to the last byte, and no sensor does: the first pixels of each frame get noise of their own.
def memory_allocator() -> type:
    """The class that takes the place of picamera2's `DmaAllocator`."""
    import libcamera
    from picamera2.allocators.allocator import Allocator, Sync

    class MappedMemory(Sync):  # type: ignore[misc]
        def __init__(self, _allocator: object, buffer: Any, _write: bool) -> None:
            self._buffer = buffer

        def __enter__(self) -> mmap.mmap:
            planes = self._buffer.planes
            memory = mmap.mmap(planes[0].fd, sum(plane.length for plane in planes))
            # A frame is mapped more than once, and stays as it is.
            noise = np.random.default_rng(self._buffer.metadata.timestamp).integers(2, size=64, dtype=np.uint8)
            pixels = np.frombuffer(memory, np.uint8, noise.size)
            pixels[:] = pixels & 0xFE | noise
            return memory

        def __exit__(self, *_: object) -> None:
            """The last array that looks at the memory gives it back."""

    class MemoryAllocator(Allocator):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.sync = MappedMemory
            self._buffers: dict[Any, list[Any]] = {}

        def allocate(self, libcamera_config: Any, _use_case: object) -> None:
            self._buffers = {
                config.stream: [_frame_buffer(config) for _ in range(config.buffer_count)]
                for config in libcamera_config
            }

        def buffers(self, stream: Any) -> list[Any]:
            return self._buffers[stream]

    def _frame_buffer(config: Any) -> Any:
        descriptor = os.memfd_create("frame")
        try:
            os.ftruncate(descriptor, config.frame_size)
            brightness = config.stride * config.size.height
            # libcamera keeps copies of the descriptor.
            return libcamera.FrameBuffer(
                [_plane(descriptor, 0, brightness), _plane(descriptor, brightness, config.frame_size - brightness)]
            )
        finally:
            os.close(descriptor)

    def _plane(descriptor: int, offset: int, length: int) -> Any:
        plane = libcamera.FrameBuffer.Plane()
        plane.fd, plane.offset, plane.length = descriptor, offset, length
        return plane

    return MemoryAllocator


# 4. The last step of a Pi's image processor: the virtual pipeline makes NV12 of whatever is asked for.
def develop(nv12: Bytes, asked: str) -> Bytes:
    """A frame of NV12 ((height * 3 / 2, width), brightness over colours, all of 0..255) as the format `asked` for."""
    height, width = nv12.shape[0] * 2 // 3, nv12.shape[1]
    colours = nv12[height:].reshape(height // 2, width // 2, 2)
    if asked == "YUV420":
        planes = (nv12[:height], colours[:, :, 0], colours[:, :, 1])
        return np.concatenate([plane.ravel() for plane in planes]).reshape(nv12.shape)
    assert asked == "RGB888"  # in memory blue, green, red
    blue, red = (cv2.resize(colours[:, :, index], (width, height), interpolation=cv2.INTER_LINEAR) for index in (0, 1))
    return np.asarray(cv2.cvtColor(cv2.merge((nv12[:height], red, blue)), cv2.COLOR_YCrCb2BGR), np.uint8)


def module_picamera2(opened: list[Any]) -> type:
    """The class that takes the place of picamera2's `Picamera2`: that class, on a `ModuleCamera`.

    Each that is opened is put into `opened`.
    """
    from picamera2.picamera2 import Picamera2
    from picamera2.request import Helpers

    class DevelopingHelpers(Helpers):  # type: ignore[misc]
        def _make_array_shared(self, buffer: Bytes, config: dict[str, Any]) -> Bytes:
            return develop(super()._make_array_shared(buffer, config), config["asked"])

    class ModulePicamera2(Picamera2):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.helpers = DevelopingHelpers(self)
            opened.append(self)

        def _grab_camera(self, number: int) -> ModuleCamera:
            return ModuleCamera(super()._grab_camera(number))

        def _make_libcamera_config(self, camera_config: dict[str, Any]) -> Any:
            # The sensor's mode is known by now; a stream of raw frames the virtual pipeline cannot give.
            camera_config["raw"] = None
            return super()._make_libcamera_config(camera_config)

        def _update_stream_config(self, stream_config: dict[str, Any], libcamera_stream_config: Any) -> None:
            stream_config["asked"] = stream_config["format"]
            super()._update_stream_config(stream_config, libcamera_stream_config)

    return ModulePicamera2


def install(patch: pytest.MonkeyPatch) -> list[Any]:
    """Put the adapters in place. The list fills with the `ModulePicamera2` that are opened."""
    for name in UNUSED_MODULES:
        patch.setitem(sys.modules, name, MagicMock())
    import picamera2

    opened: list[Any] = []
    patch.setattr("picamera2.picamera2.DmaAllocator", memory_allocator())
    patch.setattr(picamera2, "Picamera2", module_picamera2(opened))
    return opened
