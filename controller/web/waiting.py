"""Request queue: limits in total and per client, with clients that only watch served last."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass

from controller.errors import TooBusy

# Guests have separate and fewer places: they need no token, so a client with ten addresses counts as ten guests.
_MOST, _MOST_OF_ONE = 8, 4
_MOST_GUESTS, _MOST_OF_GUEST = 4, 2


@dataclass(frozen=True, slots=True)
class Requester:
    """A client in the queue.

    name: tells one client from another.
    is_guest: it only watches.
    """

    name: str = ""
    is_guest: bool = False


class RequestQueue:
    """Serves one request after another. Concurrency: one event loop."""

    def __init__(self) -> None:
        self._waiting: Counter[Requester] = Counter()
        self._turn = asyncio.Lock()
        # Its holder is the only guest that waits for the turn: no player ever waits behind two guests.
        self._guests_turn = asyncio.Lock()

    @asynccontextmanager
    async def turn(self, requester: Requester) -> AsyncIterator[None]:
        """Wait for the turn and hold it for the duration of the block. Raises `TooBusy` if the queue is full."""
        most, most_of_one = (_MOST_GUESTS, _MOST_OF_GUEST) if requester.is_guest else (_MOST, _MOST_OF_ONE)
        of_this_kind = sum(count for each, count in self._waiting.items() if each.is_guest is requester.is_guest)
        if of_this_kind >= most or self._waiting[requester] >= most_of_one:
            raise TooBusy("others have asked so much that this has to wait; ask again in a moment")
        self._waiting[requester] += 1
        try:
            async with self._guests_turn if requester.is_guest else nullcontext(), self._turn:
                yield
        finally:
            self._waiting[requester] -= 1
            self._waiting += Counter()  # drops the clients that no longer wait
