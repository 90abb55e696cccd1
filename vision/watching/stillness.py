"""The stillness gate: when the dice lie still, and whether they have been read before."""

import asyncio
import math
from collections.abc import Callable

from vision.watching.capture_thread import CapturedFrame, CaptureThread, Thumbnail, has_moved

_IDLE_S = 0.1  # between two looks when nothing happens


class StillnessGate:
    """Lets a frame through once nothing moves and it shows something new.

    It compares thumbnails, which is cheap, so that nothing is read while dice roll or the field is unchanged.

    `on_frame` is called with the thumbnail of every frame. All looks raise as `CaptureThread.look`.
    Lifetime: as long as the capture thread. Concurrency: one event loop, one caller at a time.
    """

    def __init__(self, thread: CaptureThread, on_frame: Callable[[Thumbnail], None]) -> None:
        self._thread = thread
        self._on_frame = on_frame
        self._last_read: Thumbnail | None = None
        self._tell_motion: Callable[[bool], None] | None = None
        self._moves = False

    def tell_motion(self, tell: Callable[[bool], None] | None) -> None:
        """Have `tell` called when the dice begin to move, or to lie still; None: nobody."""
        self._tell_motion, self._moves = tell, False

    def mark_read(self, captured: CapturedFrame) -> None:
        """Treat this frame as done: only one that differs is new."""
        self._last_read = captured.thumbnail

    def forget(self) -> None:
        """Treat whatever lies there as new."""
        self._last_read = None

    async def look(self) -> CapturedFrame:
        return self._pass_on(await self._thread.look())

    async def look_after(self, before: CapturedFrame) -> CapturedFrame:
        return self._pass_on(await self._thread.look_after(before))

    async def wait_still(self, give_up_s: float) -> CapturedFrame | None:
        """Wait for two frames in a row that show the same and return the later one; None after `give_up_s`."""
        loop = asyncio.get_running_loop()
        before = await self.look()
        while loop.time() < give_up_s:
            captured = await self.look_after(before)
            moves = has_moved(before.thumbnail, captured.thumbnail)
            if moves != self._moves and self._tell_motion is not None:
                self._tell_motion(moves)
            self._moves = moves
            if not moves:
                return captured
            before = captured
        return None

    async def wait_still_and_new(self) -> CapturedFrame:
        """Wait for the next frame in which nothing moves and which differs from the one read last."""
        while True:
            captured = await self.wait_still(math.inf)
            if captured is not None and (self._last_read is None or has_moved(captured.thumbnail, self._last_read)):
                return captured
            await asyncio.sleep(_IDLE_S)

    def _pass_on(self, captured: CapturedFrame) -> CapturedFrame:
        self._on_frame(captured.thumbnail)
        return captured
