"""The row of those who wait for an answer: so many, so many of one, and who only watches after all others."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass

from controller.errors import TooBusy

# Those who watch have places of their own, and fewer: they need no token, and whoever has ten addresses is ten of them.
_MOST, _MOST_OF_ONE = 8, 4
_MOST_GUESTS, _MOST_OF_GUEST = 4, 2


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks. name: another one for each who is told apart. is_guest: he only watches."""

    name: str = ""
    is_guest: bool = False


class WaitingRow:
    """Lets one after another have his turn. Concurrency: one event loop."""

    def __init__(self) -> None:
        self._waiting: Counter[Asker] = Counter()
        self._turn = asyncio.Lock()
        # Who holds this one is the only guest in the row for the turn: nobody who plays ever waits behind two of them.
        self._guests_turn = asyncio.Lock()

    @asynccontextmanager
    async def turn(self, asker: Asker) -> AsyncIterator[None]:
        """Have the turn as long as the block lasts. Raises `TooBusy` where so many wait already."""
        with self._place(asker):
            async with self._guests_turn if asker.is_guest else nullcontext(), self._turn:
                yield

    @contextmanager
    def _place(self, asker: Asker) -> Iterator[None]:
        most, most_of_one = (_MOST_GUESTS, _MOST_OF_GUEST) if asker.is_guest else (_MOST, _MOST_OF_ONE)
        of_his_kind = sum(count for each, count in self._waiting.items() if each.is_guest is asker.is_guest)
        if of_his_kind >= most or self._waiting[asker] >= most_of_one:
            raise TooBusy("others have asked so much that this has to wait; ask again in a moment")
        self._waiting[asker] += 1
        try:
            yield
        finally:
            self._waiting[asker] -= 1
            self._waiting += Counter()  # forgets who waits no more
