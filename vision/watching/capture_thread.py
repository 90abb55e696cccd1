"""The capture thread: fresh frames or a named fault; a stuck camera (old or repeated frames) is noticed here."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

from vision.capture import Camera, Frame, Pixels, np
from vision.errors import CameraDead, CameraFrozen
from vision.watching.motion import Thumbnail, thumbnail_of

STALE_S = 0.5  # an older frame shows the past: a die may have been turned since
_GIVE_UP_S = 2.0  # so long without a fresh frame, and the camera is opened anew; once more, and it is given up
_RETRY_S = 0.1
_FRAME_S = 0.04  # from one frame to the next when something goes on

_EVERY_ROW = 90  # two pictures with noise already differ in so few rows
_GRAIN_ROW = 16
_GRAIN = 0.1  # part of the neighbouring pixels that differ; a covered or burnt-out picture has none

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class CapturedFrame:
    """A frame and its thumbnail, both made on the vision thread; `is_repeat`: it is the frame before it once more."""

    frame: Frame
    thumbnail: Thumbnail
    is_repeat: bool = False


class CaptureThread:
    """Owns the camera and the one thread on which it is asked and its pictures are read.

    A camera may block its caller for a second, and reading takes the time of many turns of the event loop: neither
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
        """Do a job on the vision thread."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def look(self) -> CapturedFrame:
        """The newest frame, at most `STALE_S` old and no mere repeat of the one before.

        Raises `CameraFrozen` when only old or repeated frames come and `CameraDead` when none comes, after the
        camera was opened anew once.
        """
        captured = await self._wait_fresh(_GIVE_UP_S)
        if isinstance(captured, CapturedFrame):
            return captured
        await self._reopen()
        captured = await self._wait_fresh(_GIVE_UP_S)
        if isinstance(captured, CapturedFrame):
            return captured
        raise captured

    async def look_after(self, before: CapturedFrame) -> CapturedFrame:
        """The next frame taken later than `before`. Raises as `look`."""
        while True:
            await asyncio.sleep(_FRAME_S)
            captured = await self.look()
            if captured.frame.at_s > before.frame.at_s:
                return captured

    async def _wait_fresh(self, at_most_s: float) -> CapturedFrame | CameraFrozen | CameraDead:
        """A fresh frame as soon as one comes; after `at_most_s` what is wrong with the last one."""
        loop = asyncio.get_running_loop()
        give_up_s = loop.time() + at_most_s
        while True:
            captured = _judge_capture(await self._capture(), loop.time())
            if isinstance(captured, CapturedFrame) or loop.time() >= give_up_s:
                return captured
            await asyncio.sleep(_RETRY_S)

    async def _capture(self) -> CapturedFrame | OSError:
        try:
            return await self.run(self._capture_here)
        except OSError as error:
            return error

    def _capture_here(self) -> CapturedFrame:
        """Capture on the calling thread, which is the vision thread."""
        frame = self._camera.capture()
        repeats = self._last is not None and is_repeat(frame, self._last)
        if not repeats:
            self._last = frame
        return CapturedFrame(frame, thumbnail_of(frame), repeats)

    async def _reopen(self) -> None:
        try:
            await self.run(self._camera.reopen)
        except OSError:
            # The next capture fails too and names the fault.
            return


def _judge_capture(captured: CapturedFrame | OSError, now_s: float) -> CapturedFrame | CameraFrozen | CameraDead:
    """The captured frame, or what is wrong with it."""
    if isinstance(captured, OSError):
        return CameraDead("camera", expected="a picture", seen=str(captured) or "none")
    age_s = now_s - captured.frame.at_s
    if age_s > STALE_S:
        return CameraFrozen("camera", expected=f"a picture at most {STALE_S} s old", seen=f"one {age_s:.1f} s old")
    if captured.is_repeat:
        return CameraFrozen("camera", expected="a new picture", seen="the last one again, to the last byte")
    return captured


def is_repeat(frame: Frame, last: Frame) -> bool:
    """True if `frame` is the last one once more under a new time, the same to the last byte.

    No sensor gives that, for its noise is never the same; but some drivers go on handing out their last buffer with a
    new time when the camera has stopped. A picture without grain (all black, all white) may well come twice.
    """
    if frame.at_s == last.at_s or frame.pixels.shape != last.pixels.shape:
        return False
    alike = np.array_equal(frame.pixels[::_EVERY_ROW], last.pixels[::_EVERY_ROW])
    return alike and np.array_equal(frame.pixels, last.pixels) and _has_grain(frame.pixels)


def _has_grain(pixels: Pixels) -> bool:
    rows = pixels[::_GRAIN_ROW]
    return bool((rows[:, 1:] != rows[:, :-1]).any(axis=2).mean() > _GRAIN)
