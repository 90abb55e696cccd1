"""The writer: commits of one journal away from the event loop, in the order in which they are asked for.

What is looked up while the game goes on is looked up there too: SQLite has one connection's reads wait for its writes.

A card may hold up a commit for a second. Players, watchers and the pulses of the servos do not wait for it: only what
is to be written does, since it is not true before.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple, Unpack

from controller.errors import JournalUnwritable
from controller.journal.journal import Entry, HeldSeat, Journal

_log = logging.getLogger(__name__)

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")


@dataclass(frozen=True, slots=True)
class CommitTimes:
    """How many actions were committed, and how many seconds they took in all."""

    count: int = 0
    seconds: float = 0.0

    def with_one(self, took_s: float) -> "CommitTimes":
        """The same with one more."""
        return CommitTimes(self.count + 1, self.seconds + took_s)


class JournalWriter:
    """Writes what one event loop wants in a journal.

    Lifetime: until `close`, which comes before the journal's own; what was begun is finished then.
    Concurrency: one event loop. Whoever is cancelled while he waits does not know whether it was written.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._is_closed = False
        self.times = CommitTimes()

    def close(self) -> None:
        """Finish what was begun; nothing is written after it."""
        self._is_closed = True
        self._thread.shutdown()

    async def append(self, game_id: int, box: str, entries: Sequence[Entry], key: str | None = None) -> None:
        """As `Journal.append`."""
        began_s = time.monotonic()
        await self._run(self._journal.append, game_id, box, entries, key)
        self.times = self.times.with_one(time.monotonic() - began_s)
        # Nobody waits for this; but what is written next comes after it.
        self._thread.submit(self._journal.tidy, game_id, entries).add_done_callback(_log_error)

    async def note_key(self, key: str, game_id: int, event: int) -> None:
        """As `Journal.note_key`."""
        await self._run(self._journal.note_key, key, game_id, event)

    async def keep_seats(self, seats: Sequence[HeldSeat]) -> None:
        """As `Journal.keep_seats`."""
        await self._run(self._journal.keep_seats, seats)

    async def look_up(self, question: Callable[[Unpack[Arguments]], Found], *arguments: *Arguments) -> Found:
        """The answer of `question(*arguments)`, which asks the journal, after what was to be written before.

        Raises what it raises, and `JournalUnwritable` once it is closed.
        """
        return await self._run(question, *arguments)

    async def _run(self, job: Callable[[Unpack[Arguments]], Found], *arguments: *Arguments) -> Found:
        if self._is_closed:
            raise JournalUnwritable("the box is being switched off", "do it again when it is back")
        return await asyncio.get_running_loop().run_in_executor(self._thread, job, *arguments)


def _log_error(done: "Future[None]") -> None:
    """Nobody waits for it, but it must not fail in silence."""
    if (error := done.exception()) is not None:
        _log.error("the journal was not tidied: %s", error)
