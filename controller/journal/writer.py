"""Commit to one journal in a thread of its own, in the order of the requests.

Look-ups during a game run in that thread too, because on one SQLite connection reads wait for writes.

A memory card may delay a commit by a second. Players, watchers and servo pulses do not wait for it; only the event
being written does, since it has not happened before it is durable.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple, Unpack

from controller.errors import JournalUnwritable
from controller.journal.keys import CommandKey
from controller.journal.store import Entry, HeldSeat, Journal

_log = logging.getLogger(__name__)

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")


@dataclass(frozen=True, slots=True)
class CommitTimes:
    """The number of actions committed, and the seconds they took in total."""

    count: int = 0
    seconds: float = 0.0

    def with_one(self, took_s: float) -> "CommitTimes":
        return CommitTimes(self.count + 1, self.seconds + took_s)


class JournalWriter:
    """Writes to a journal on behalf of one event loop.

    Lifetime: until `close`, which finishes pending writes and comes before the journal's own.
    Concurrency: one event loop. A caller that is cancelled while waiting does not know whether its write was made.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._is_closed = False
        self.times = CommitTimes()

    def close(self) -> None:
        """Finish pending writes and refuse later ones."""
        self._is_closed = True
        self._thread.shutdown()

    async def append(self, game_id: int, box: str, entries: Sequence[Entry], key: CommandKey | None = None) -> None:
        """As `Journal.append`."""
        began_s = time.monotonic()
        await self._run(self._journal.append, game_id, box, entries, key)
        self.times = self.times.with_one(time.monotonic() - began_s)
        # Not awaited, but it runs before the next write.
        self._thread.submit(self._journal.tidy, game_id, entries).add_done_callback(_log_error)

    async def note_key(self, key: CommandKey, game_id: int, event: int) -> None:
        """As `Journal.note_key`."""
        await self._run(self._journal.note_key, key, game_id, event)

    async def keep_seats(self, seats: Sequence[HeldSeat]) -> None:
        """As `Journal.keep_seats`."""
        await self._run(self._journal.keep_seats, seats)

    async def look_up(self, question: Callable[[Unpack[Arguments]], Found], *arguments: *Arguments) -> Found:
        """Return `question(*arguments)`, run in the journal's thread after all earlier writes.

        Raises what `question` raises, and `JournalUnwritable` once the writer is closed.
        """
        return await self._run(question, *arguments)

    async def _run(self, job: Callable[[Unpack[Arguments]], Found], *arguments: *Arguments) -> Found:
        if self._is_closed:
            raise JournalUnwritable("the box is being switched off", "do it again when it is back")
        return await asyncio.get_running_loop().run_in_executor(self._thread, job, *arguments)


def _log_error(done: "Future[None]") -> None:
    # Nothing awaits this future, so its error would be lost.
    if (error := done.exception()) is not None:
        _log.error("journal housekeeping failed error=%s", error)
