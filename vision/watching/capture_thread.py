"""The capture thread: fresh frames or a named fault. A stuck camera (old or repeated frames) is noticed here."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from vision.capture.frame import Camera, Frame
from vision.errors import CameraDead, CameraFrozen
from vision.libraries import cv2, np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Thumbnail = NDArray[np.float32]
    """A small frame: (90, 160) grey levels, 0..255."""
else:  # naming the types of NumPy would load it
    Thumbnail = Any

_SIZE = (160, 90)  # averaging whole blocks keeps sensor noise under one grey level
_SURROUND = 31  # blocks; an even change over such a window is light or shadow
_STEP = 12.0  # grey levels by which a block changes when the rim of a die moves over it
_BLOCKS = 3


def thumbnail_of(frame: Frame) -> Thumbnail:
    """Shrink a frame for comparing; from the small picture of the camera where there is one."""
    grey = frame.small
    if grey is None:
        height, width = frame.pixels.shape[:2]
        # OpenCV averages fastest when halving; the steps after it have a quarter of the pixels.
        half = cv2.resize(frame.pixels, (max(1, width // 2), max(1, height // 2)), interpolation=cv2.INTER_AREA)
        grey = np.asarray(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), np.uint8)
    return np.asarray(cv2.resize(grey, _SIZE, interpolation=cv2.INTER_AREA), np.float32)


def has_moved(one: Thumbnail, other: Thumbnail) -> bool:
    """Return True if something moved between the two; light that changes slowly over the picture does not count."""
    change = one - other
    change -= cv2.blur(change, (_SURROUND, _SURROUND))
    return bool((np.abs(change) > _STEP).sum() >= _BLOCKS)


STALE_S = 0.5  # an older frame shows the past: a die may have been turned since
_GIVE_UP_S = 2.0  # this long without a fresh frame, and the camera is reopened; the second time it is a fault
_RETRY_S = 0.1
_FRAME_S = 0.04  # from one frame to the next during motion

_EVERY_ROW = 90  # two pictures with noise already differ in every 90th row
_GRAIN_ROW = 16
_GRAIN = 0.1  # least part of neighbouring pixels that differ; a covered or burnt-out picture has no grain

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class CapturedFrame:
    """A frame and its thumbnail, both made on the vision thread; `is_repeat` if it equals the frame before it."""

    frame: Frame
    thumbnail: Thumbnail
    is_repeat: bool = False


class CaptureThread:
    """Owns the camera and the one thread that calls it and reads its pictures.

    A camera may block its caller for a second, and reading takes many turns of the event loop: neither
    is done on the loop. It is one thread for both, because a camera stays on the thread that opened it.

    Lifetime: an async context manager; leaving it closes the camera and ends the thread.
    Concurrency: one event loop, one caller at a time. Nothing is queued: every capture asks for the newest
    frame, older ones are dropped in the camera.
    """

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._last: Frame | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vision")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.run(self._camera.close)
        finally:
            self._thread.shutdown(wait=False)

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job on the vision thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def look(self) -> CapturedFrame:
        """Return the newest frame, at most `STALE_S` old and no mere repeat of the one before.

        Raises `CameraFrozen` when only old or repeated frames arrive and `CameraDead` when none does, after the
        camera was reopened once.
        """
        with suppress(CameraFrozen, CameraDead):
            return await self._wait_fresh()
        with suppress(OSError):  # the next capture fails too and names the fault
            await self.run(self._camera.reopen)
        return await self._wait_fresh()

    async def look_after(self, before: CapturedFrame) -> CapturedFrame:
        """Return the next frame taken later than `before`. Raises as `look`."""
        while True:
            await asyncio.sleep(_FRAME_S)
            captured = await self.look()
            if captured.frame.at_s > before.frame.at_s:
                return captured

    async def _wait_fresh(self) -> CapturedFrame:
        """Return a fresh frame as soon as one arrives; after a while raise the fault of the last one."""
        loop = asyncio.get_running_loop()
        give_up_s = loop.time() + _GIVE_UP_S
        fault: CameraFrozen | CameraDead
        while True:
            try:
                captured = await self.run(self._capture_here)
            except OSError as error:
                fault = CameraDead("camera", expected="a picture", seen=str(error) or "none")
            else:
                age_s = loop.time() - captured.frame.at_s
                if age_s > STALE_S:
                    wanted = f"a picture at most {STALE_S} s old"
                    fault = CameraFrozen("camera", expected=wanted, seen=f"one {age_s:.1f} s old")
                elif captured.is_repeat:
                    seen = "the last one again, to the last byte"
                    fault = CameraFrozen("camera", expected="a new picture", seen=seen)
                else:
                    return captured
            if loop.time() >= give_up_s:
                raise fault
            await asyncio.sleep(_RETRY_S)

    def _capture_here(self) -> CapturedFrame:
        frame = self._camera.capture()
        repeats = self._last is not None and is_repeat(frame, self._last)
        if not repeats:
            self._last = frame
        return CapturedFrame(frame, thumbnail_of(frame), repeats)


def is_repeat(frame: Frame, last: Frame) -> bool:
    """Return True if `frame` is the last one again with a new time, the same to the last byte.

    No sensor delivers that, for its noise is never the same; but some drivers keep handing out their last buffer with a
    new time when the camera has stopped. A picture without grain (all black, all white) may well come twice.
    """
    if frame.at_s == last.at_s or frame.pixels.shape != last.pixels.shape:
        return False
    alike = np.array_equal(frame.pixels[::_EVERY_ROW], last.pixels[::_EVERY_ROW])
    if not alike or not np.array_equal(frame.pixels, last.pixels):
        return False
    rows = frame.pixels[::_GRAIN_ROW]
    return bool((rows[:, 1:] != rows[:, :-1]).any(axis=2).mean() > _GRAIN)
