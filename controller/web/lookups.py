"""The answers that are read or worked out beside the game: what was played, set and measured on this box.

The event loop never waits for a disk or for the odds, and nobody's question stops a game: one thread answers, one
question after another, and only so many may wait.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, TypeVarTuple, Unpack

from controller.errors import NotThere, TooBusy
from controller.journal import Journal
from controller.process import BackgroundThread
from controller.settings import Home

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")

_MOST_WAITING = 8
# So long an answer is given again: whoever reloads a page has nothing worked out anew, and what takes long is worked
# out a twentieth of the time at most, however often it is asked for.
_FRESH_S, _FRESH_BY_WORK = 5.0, 20.0
_MOST_KEPT = 16


class Lookups:
    """Answers questions about one home.

    Lifetime: as its application. Concurrency: one event loop.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._thread = BackgroundThread()
        self._waiting = 0
        self._kept: dict[object, tuple[float, Any]] = {}
        self._under_way: dict[object, asyncio.Task[Any]] = {}

    async def ask(self, look: Callable[[Home, Unpack[Arguments]], Found], *arguments: *Arguments) -> Found:
        """The answer of `look(home, *arguments)`, which is called in a thread. Raises `TooBusy`, and what it raises."""
        if self._waiting >= _MOST_WAITING:
            raise TooBusy("others have asked so much that this has to wait; ask again in a moment")
        self._waiting += 1
        try:
            found: Found = await self._thread.run(_call, (look, self._home, arguments))
        finally:
            self._waiting -= 1
        return found

    async def recall(self, look: Callable[[Home, Unpack[Arguments]], Found], *arguments: *Arguments) -> Found:
        """As `ask`; an answer to the same question that was given a moment ago, or is worked out now, is shared.

        All who wait for the same answer are one that waits.
        """
        found: Found = await asyncio.shield(self._recalled(look, arguments))
        return found

    async def recall_within(
        self, within_s: float, look: Callable[[Home, Unpack[Arguments]], Found], *arguments: *Arguments
    ) -> Found | None:
        """As `recall`; None where that takes longer: it is worked out meanwhile, for whoever asks again."""
        asked = self._recalled(look, arguments)
        await asyncio.wait([asked], timeout=within_s)
        found: Found | None = asked.result() if asked.done() else None
        return found

    def _recalled(self, look: Callable[..., Any], arguments: tuple[Any, ...]) -> "asyncio.Task[Any]":
        question = (look, arguments)
        if question not in self._under_way:
            asked = asyncio.create_task(self._work_out(look, arguments))
            self._under_way[question] = asked
            asked.add_done_callback(lambda done: self._over(question, done))
        return self._under_way[question]

    async def _work_out(self, look: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        loop, question = asyncio.get_running_loop(), (look, arguments)
        asked_s = loop.time()
        until_s, kept = self._kept.get(question, (asked_s, None))
        if asked_s < until_s:
            return kept
        found = await self.ask(look, *arguments)
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        now_s = loop.time()
        self._kept[question] = (now_s + max(_FRESH_S, _FRESH_BY_WORK * (now_s - asked_s)), found)
        return found

    def _over(self, question: object, asked: "asyncio.Task[Any]") -> None:
        del self._under_way[question]
        if not asked.cancelled():
            asked.exception()  # those who still wait are told; where nobody does, nobody has to be


@contextmanager
def open_games(home: Home) -> Iterator[Journal]:
    """The journal of a home, by a connection of its own that can only read. Raises `NotThere` and `JournalError`."""
    if not home.journal.exists():
        raise NotThere("nobody has played a game yet")
    with Journal(home.journal, read_only=True) as journal:
        yield journal


def _call(question: tuple[Callable[..., Found], Home, tuple[Any, ...]]) -> Found:
    look, home, arguments = question
    return look(home, *arguments)
