"""Answers that are read or computed alongside the game, from the games, settings and measurements of this box.

The event loop never waits for a disk or for the odds, and no client's request stops a game: one thread answers one
request after another, and the number of waiting requests is limited (`RequestQueue`).
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, TypeVar, TypeVarTuple, Unpack

from controller.box.compatibility import GameEntry, describe_game, list_games
from controller.errors import NotThere, TooBusy
from controller.journal.store import Journal
from controller.runtime.home import Home
from controller.runtime.threads import BackgroundThread

# Guests have separate and fewer places: they need no token, so a client with ten addresses counts as ten guests.
_MOST, _MOST_OF_ONE = 8, 4
_MOST_GUESTS, _MOST_OF_GUEST = 4, 2


@dataclass(frozen=True, slots=True)
class Requester:
    """A client in the queue."""

    name: str = ""  # tells one client from another
    is_guest: bool = False  # it only watches


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


Found = TypeVar("Found")
Arguments = TypeVarTuple("Arguments")

# An answer is reused for five seconds, so reloading a page computes nothing, and for twenty times its computing time,
# so a slow answer takes at most a twentieth of the time, however often it is requested.
_FRESH_S, _FRESH_BY_WORK = 5.0, 20.0
_MOST_KEPT = 16


class _Answers:
    """The state that all clients share: the thread, the queue in front of it, and the recent answers."""

    def __init__(self) -> None:
        self.thread = BackgroundThread()
        self.queue = RequestQueue()
        self.under_way: dict[object, asyncio.Task[Any]] = {}
        self._kept: dict[object, tuple[float, Any]] = {}

    def fresh(self, question: object) -> tuple[Any] | None:
        """Return the kept answer to this question, in a tuple of its own, or None if none may be used again."""
        until_s, found = self._kept.get(question, (0.0, None))
        return (found,) if asyncio.get_running_loop().time() < until_s else None

    def keep(self, question: object, found: Any, worked_s: float) -> None:
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        now_s = asyncio.get_running_loop().time()
        self._kept[question] = (now_s + max(_FRESH_S, _FRESH_BY_WORK * worked_s), found)


class Lookups:
    """Answers one client's requests about one home.

    Lifetime: that of its application. Concurrency: one event loop.
    """

    def __init__(self, home: Home, requester: Requester | None = None, answers: _Answers | None = None) -> None:
        self._home = home
        self._requester = requester or Requester()
        self._answers = answers or _Answers()

    def for_requester(self, requester: Requester) -> "Lookups":
        """Return the lookups of another client, with the same thread, queue and answers."""
        return Lookups(self._home, requester, self._answers)

    async def ask(self, look: Callable[[Home, Unpack[Arguments]], Found], *arguments: *Arguments) -> Found:
        """Return `look(home, *arguments)`, called in the thread. Raises `TooBusy`, and whatever `look` raises."""
        async with self._answers.queue.turn(self._requester):
            found: Found = await self._call(look, arguments)
        return found

    async def recall(self, look: Callable[[Home, Unpack[Arguments]], Found], *arguments: *Arguments) -> Found:
        """As `ask`, but share an answer to the same question that was given recently or is being computed.

        All clients that wait for one answer count as one in the queue.
        """
        found: Found = await asyncio.shield(self._recalled(look, arguments))
        return found

    async def recall_within(
        self, within_s: float, look: Callable[[Home, Unpack[Arguments]], Found], *arguments: *Arguments
    ) -> Found | None:
        """As `recall`, but return None if it takes longer: the computing goes on, for the next request."""
        asked = self._recalled(look, arguments)
        await asyncio.wait([asked], timeout=within_s)
        found: Found | None = asked.result() if asked.done() else None
        return found

    def _recalled(self, look: Callable[..., Any], arguments: tuple[Any, ...]) -> "asyncio.Task[Any]":
        answers, question = self._answers, (look, arguments)
        # Guests have tasks of their own: no player waits in the guests' part of the queue.
        task, under_way = (*question, self._requester.is_guest), self._answers.under_way

        async def work_out() -> Any:
            if kept := answers.fresh(question):
                return kept[0]
            async with answers.queue.turn(self._requester):
                if kept := answers.fresh(question):
                    return kept[0]
                begun_s = asyncio.get_running_loop().time()
                found = await self._call(look, arguments)
                answers.keep(question, found, asyncio.get_running_loop().time() - begun_s)
                return found

        def forget(done: "asyncio.Task[Any]") -> None:
            del under_way[task]
            if not done.cancelled():
                done.exception()  # retrieved here, in case no client waits for it any more

        if task not in under_way:
            under_way[task] = asyncio.create_task(work_out())
            under_way[task].add_done_callback(forget)
        return under_way[task]

    async def _call(self, look: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        return await self._answers.thread.run(_call, (look, self._home, arguments))


@contextmanager
def open_games(home: Home) -> Iterator[Journal]:
    """Open the journal of a home on a read-only connection of its own. Raises `NotThere` and `JournalError`."""
    if not home.journal.exists():
        raise NotThere("nobody has played a game yet")
    with Journal(home.journal, read_only=True) as journal:
        yield journal


def list_every_game(_home: Home) -> tuple[GameEntry, ...]:
    return list_games()


def describe_one_game(_home: Home, game: str) -> GameEntry:
    return describe_game(game)


def _call(question: tuple[Callable[..., Found], Home, tuple[Any, ...]]) -> Found:
    look, home, arguments = question
    return look(home, *arguments)
