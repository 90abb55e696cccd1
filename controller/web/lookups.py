"""The answers that are read or worked out beside the game: what was played, set and measured on this box.

The event loop never waits for a disk or for the odds, and nobody's question stops a game: one thread answers, one
question after another, and only so many may wait (`waiting.py`).
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, TypeVarTuple, Unpack

from controller.errors import NotThere
from controller.journal import Journal
from controller.process import BackgroundThread
from controller.settings import Home
from controller.web.waiting import Asker, WaitingRow

Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")

# So long an answer is given again: whoever reloads a page has nothing worked out anew, and what takes long is worked
# out a twentieth of the time at most, however often it is asked for.
_FRESH_S, _FRESH_BY_WORK = 5.0, 20.0
_MOST_KEPT = 16


class _Answers:
    """What all who ask share: the thread, the row before it, and the answers that were just given."""

    def __init__(self) -> None:
        self.thread = BackgroundThread()
        self.row = WaitingRow()
        self.under_way: dict[object, asyncio.Task[Any]] = {}
        self._kept: dict[object, tuple[float, Any]] = {}

    def is_fresh(self, question: object) -> bool:
        """True if a kept answer to this question may be given again."""
        until_s, _ = self._kept.get(question, (0.0, None))
        return question in self._kept and asyncio.get_running_loop().time() < until_s

    def recall(self, question: object) -> Any:
        """The kept answer to this question, which is there."""
        return self._kept[question][1]

    def keep(self, question: object, found: Any, worked_s: float) -> None:
        """Keep an answer on which was worked for so long."""
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        now_s = asyncio.get_running_loop().time()
        self._kept[question] = (now_s + max(_FRESH_S, _FRESH_BY_WORK * worked_s), found)


class Lookups:
    """Answers one asker's questions about one home.

    Lifetime: as its application. Concurrency: one event loop.
    """

    def __init__(self, home: Home, asker: Asker | None = None, answers: _Answers | None = None) -> None:
        self._home = home
        self._asker = asker or Asker()
        self._answers = answers or _Answers()

    def asked_by(self, asker: Asker) -> "Lookups":
        """The same for another who asks."""
        return Lookups(self._home, asker, self._answers)

    async def ask(self, look: Callable[[Home, Unpack[Arguments]], Found], *arguments: *Arguments) -> Found:
        """The answer of `look(home, *arguments)`, which is called in a thread. Raises `TooBusy`, and what it raises."""
        async with self._answers.row.turn(self._asker):
            found: Found = await self._call(look, arguments)
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
        # Nobody who plays waits with those who only watch, in their row.
        question, under_way = (look, arguments, self._asker.is_guest), self._answers.under_way
        if question not in under_way:
            asked = asyncio.create_task(self._work_out(look, arguments))
            under_way[question] = asked
            asked.add_done_callback(lambda done: self._over(question, done))
        return under_way[question]

    async def _work_out(self, look: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        loop, answers, question = asyncio.get_running_loop(), self._answers, (look, arguments)
        if answers.is_fresh(question):
            return answers.recall(question)
        async with answers.row.turn(self._asker):
            if not answers.is_fresh(question):
                begun_s = loop.time()
                found = await self._call(look, arguments)
                answers.keep(question, found, loop.time() - begun_s)
            return answers.recall(question)

    async def _call(self, look: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        return await self._answers.thread.run(_call, (look, self._home, arguments))

    def _over(self, question: object, asked: "asyncio.Task[Any]") -> None:
        del self._answers.under_way[question]
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
