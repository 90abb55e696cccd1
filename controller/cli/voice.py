"""The voice of the box: says one sentence after the other, and none that would come too late."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from controller.errors import NoVoice

_LATE_S = 8.0  # what could not be said so soon is of a moment that is over

_log = logging.getLogger(__name__)

Say = Callable[[str], Awaitable[None]]


class Voice:
    """Says sentences in their order.

    Lifetime: as long as `run`. Concurrency: one event loop.
    """

    def __init__(self, say: Say, is_quiet: Callable[[], bool]) -> None:
        """say: says one sentence, until it is said or its task is cancelled; may raise `NoVoice`.

        is_quiet: True while nothing may be said.
        """
        self._say = say
        self._is_quiet = is_quiet
        self._is_heard = True
        self._waiting = asyncio.Queue[tuple[float, str]]()
        self._saying: asyncio.Task[None] | None = None

    def add(self, text: str) -> None:
        """Have it said after what waits already."""
        self._waiting.put_nowait((asyncio.get_running_loop().time(), text))

    def hush(self) -> None:
        """Stop the sentence under way, and forget those that wait."""
        while not self._waiting.empty():
            self._waiting.get_nowait()
        if self._saying is not None:
            self._saying.cancel()

    async def run(self) -> None:
        """Say what is added."""
        while True:
            added_s, text = await self._waiting.get()
            if self._is_quiet() or asyncio.get_running_loop().time() - added_s > _LATE_S:
                continue
            # A group ends well though the sentence was cancelled, and not before the sentence has.
            async with asyncio.TaskGroup() as group:
                self._saying = group.create_task(self._try(text))

    async def _try(self, text: str) -> None:
        """Say it, and log only the first of several failures: whoever has pulled out the loudspeaker knows."""
        try:
            await self._say(text)
        except NoVoice as trouble:
            if self._is_heard:
                _log.warning("nothing is heard, tried again with each sentence error=%s", trouble)
            self._is_heard = False
        else:
            if not self._is_heard:
                _log.info("the voice is heard again")
            self._is_heard = True
