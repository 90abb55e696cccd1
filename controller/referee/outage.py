"""A power cut at a simulated box: for a while nothing holds or sees its tiles, and hands may move them."""

import asyncio
from contextlib import suppress

from controller.game import JobView

_SAY = "Move tiles by hand if you like; the box asks about them when it is back."
_SAY_OF_END = "A pause puts the power on again."


class Outage:
    """Who has the box while its power is out: nobody. Lifetime: `run` once. Concurrency: one event loop.

    seconds: how long it lasts; None: until it is stopped.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._is_over = asyncio.Event()

    @property
    def view(self) -> JobView:
        """What everybody is shown of it."""
        return JobView("outage", _SAY if self._seconds is not None else f"{_SAY} {_SAY_OF_END}")

    def stop(self) -> None:
        """Put the plug in again now."""
        self._is_over.set()

    async def run(self) -> None:
        """Wait until the power is back."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_over.wait(), self._seconds)
