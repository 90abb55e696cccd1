"""The stillness gate: when the dice lie still, and whether what lies there has been read before."""

import asyncio
import math
from collections.abc import Callable

from vision.watching.capture_thread import CapturedFrame, CaptureThread
from vision.watching.motion import Thumbnail, has_moved

_IDLE_S = 0.1  # between two looks when nothing goes on


class StillnessGate:
    """Lets a frame through once nothing moves and it shows something new.

    It compares thumbnails, which is cheap, so that nothing is read while dice roll or an unchanged field lies there.

    `on_frame` is told the thumbnail of everything that passes before the camera. All looks raise as
    `CaptureThread.look`.
    Lifetime: as long as the capture thread. Concurrency: one event loop, one caller at a time.
    """

    def __init__(self, thread: CaptureThread, on_frame: Callable[[Thumbnail], None]) -> None:
        self._thread = thread
        self._on_frame = on_frame
        self._last_read: Thumbnail | None = None
        self._tell_motion: Callable[[bool], None] | None = None
        self._moves = False

    def tell_motion(self, tell: Callable[[bool], None] | None) -> None:
        """Have `tell` called when what lies there begins to move, or to lie still; None: nobody."""
        self._tell_motion, self._moves = tell, False

    def mark_read(self, captured: CapturedFrame) -> None:
        """All has been said of this frame: only one that differs is new."""
        self._last_read = captured.thumbnail

    def forget(self) -> None:
        """Whatever lies there is new."""
        self._last_read = None

    async def look(self) -> CapturedFrame:
        """The field now."""
        return self._pass_on(await self._thread.look())

    async def look_after(self, before: CapturedFrame) -> CapturedFrame:
        """The field in a later frame."""
        return self._pass_on(await self._thread.look_after(before))

    async def wait_still(self, give_up_s: float) -> CapturedFrame | None:
        """The later of two frames in a row that show the same; None when there is none until `give_up_s`."""
        loop = asyncio.get_running_loop()
        before = await self.look()
        while loop.time() < give_up_s:
            captured = await self.look_after(before)
            moves = has_moved(before.thumbnail, captured.thumbnail)
            self._note_motion(moves)
            if not moves:
                return captured
            before = captured
        return None

    async def wait_still_and_new(self) -> CapturedFrame:
        """The next frame in which nothing moves and which differs from the one read last."""
        while True:
            captured = await self.wait_still(math.inf)
            if captured is not None and (self._last_read is None or has_moved(captured.thumbnail, self._last_read)):
                return captured
            await asyncio.sleep(_IDLE_S)

    def _note_motion(self, moves: bool) -> None:
        if moves != self._moves and self._tell_motion is not None:
            self._tell_motion(moves)
        self._moves = moves

    def _pass_on(self, captured: CapturedFrame) -> CapturedFrame:
        self._on_frame(captured.thumbnail)
        return captured
