"""The end of tokens: clients that hold one are notified that some have ended, and check their own."""

import asyncio


class Endings:
    """Notifies all waiting clients that tokens have ended, without saying which: `Access` alone judges tokens.

    Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def tell(self) -> None:
        """Notify the waiting clients that some tokens have just ended."""
        for each in self._waiting:
            if not each.done():
                each.set_result(None)

    async def wait(self) -> None:
        """Return once tokens have ended after this call."""
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(ended)
        try:
            await ended
        finally:
            self._waiting.discard(ended)
