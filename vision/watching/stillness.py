"""Lets a sight through once nothing moves and there is something new to read."""

import asyncio
import math
from collections.abc import Callable

from vision.watching.capture import Eye, Sight
from vision.watching.motion import Glimpse, differ

_IDLE_S = 0.1  # between two looks when nothing goes on


class Gate:
    """Compares sights in small: that is cheap, and nothing is read while it says that nothing is new.

    `on_sight` is told the glimpse of everything that passes before the camera. All looks raise as `Eye.look`.
    Lifetime: as long as the eye. Concurrency: one event loop, one caller at a time.
    """

    def __init__(self, eye: Eye, on_sight: Callable[[Glimpse], None]) -> None:
        self._eye = eye
        self._on_sight = on_sight
        self._judged: Glimpse | None = None

    def judge(self, sight: Sight) -> None:
        """All has been said of this sight: only another one is new."""
        self._judged = sight.glimpse

    def forget(self) -> None:
        """Whatever lies there is new."""
        self._judged = None

    async def look(self) -> Sight:
        """The field now."""
        return self._noted(await self._eye.look())

    async def look_after(self, before: Sight) -> Sight:
        """The field in a later frame."""
        return self._noted(await self._eye.look_after(before))

    async def rest(self, give_up_s: float) -> Sight | None:
        """The later of two sights that show the same; None when there is none until `give_up_s`."""
        loop = asyncio.get_running_loop()
        before = await self.look()
        while loop.time() < give_up_s:
            sight = await self.look_after(before)
            if not differ(before.glimpse, sight.glimpse):
                return sight
            before = sight
        return None

    async def new_rest(self) -> Sight:
        """A sight in which nothing moves and which differs from the one judged last."""
        while True:
            sight = await self.rest(math.inf)
            if sight is not None and (self._judged is None or differ(sight.glimpse, self._judged)):
                return sight
            await asyncio.sleep(_IDLE_S)

    def _noted(self, sight: Sight) -> Sight:
        self._on_sight(sight.glimpse)
        return sight
