"""The end of tokens: who is still listening with one hears that some have ended, and asks after his own."""

import asyncio


class Endings:
    """Tells all who wait that tokens have ended, without saying whose: one place judges tokens, and it is not here.

    Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def tell(self) -> None:
        """Some tokens have ended, just now."""
        for each in self._waiting:
            if not each.done():
                each.set_result(None)

    async def wait(self) -> None:
        """Return once tokens have ended after this call."""
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(told)
        try:
            await told
        finally:
            self._waiting.discard(told)
