"""The inbox of the referee: commands, and loans of the box to somebody who needs it in place of the game."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from controller.errors import KeyTaken, NotNow
from controller.game.core.commands import Command
from controller.game.core.message import compose
from controller.game.core.sight import JobView
from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot
from controller.journal.keys import CommandKey
from controller.messages.words import ENGLISH


@dataclass(frozen=True, slots=True)
class Request:
    """A command for the referee.

    caller: gives the command.
    answer: the future that the caller awaits; None: nobody waits.
    work: the number of the box's own work that the command came from; None: from outside.
    key: of the command as the caller gave it; None: it has none.
    """

    command: Command
    caller: Caller
    answer: asyncio.Future[Snapshot] | None = None
    work: int | None = None
    key: CommandKey | None = None

    @property
    def waits(self) -> bool:
        """True while somebody waits for the answer."""
        return self.answer is not None and not self.answer.done()

    def reply(self, snapshot: Snapshot) -> None:
        """Answer the caller, if they still wait."""
        if self.answer is not None and self.waits:
            self.answer.set_result(snapshot)

    def fail(self, error: Exception) -> None:
        """Raise an error at the caller, if they still wait."""
        if self.answer is not None and self.waits:
            self.answer.set_exception(error)


class Borrower(Protocol):
    """Has the box in place of the game while `run` lasts; it opens and closes the parts it needs."""

    @property
    def view(self) -> JobView:
        """What players are shown of this work now."""

    def stop(self) -> None:
        """End soon, and change nothing."""

    async def run(self) -> None:
        """Work on the box, whose table is closed meanwhile."""


@dataclass(frozen=True, slots=True)
class Loan:
    """A borrower's request for the box, with the future it awaits. at_once: a game that is on does not prevent it."""

    borrower: Borrower
    answer: asyncio.Future[None]
    at_once: bool = False

    @property
    def waits(self) -> bool:
        """True while the borrower waits for the answer."""
        return not self.answer.done()

    def fail(self, error: NotNow | KeyTaken) -> None:
        """Refuse the loan."""
        self.answer.set_exception(error)


class Inbox:
    """Commands and loans in the order of their arrival.

    borrower: has the box now; None: the game has it.
    Concurrency: one event loop; only the referee takes things out.
    """

    def __init__(self) -> None:
        self.borrower: Borrower | None = None
        self._waiting: asyncio.Queue[Request | Loan] = asyncio.Queue()

    async def ask(
        self, command: Command, caller: Caller, work: int | None = None, key: CommandKey | None = None
    ) -> Snapshot:
        """Have a command carried out, and return the snapshot after it; raise what prevented it."""
        answer: asyncio.Future[Snapshot] = asyncio.get_running_loop().create_future()
        self.put(Request(command, caller, answer, work, key))
        return await answer

    async def lend(self, borrower: Borrower, *, at_once: bool = False) -> None:
        """Wait until the referee has lent the box. Raises `NotNow`, also while somebody else has it."""
        self.check_not_lent()
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait(Loan(borrower, answer, at_once))
        await answer

    def check_not_lent(self) -> None:
        """Raise `NotNow` while somebody has the box."""
        if self.borrower is not None:
            doing = ENGLISH.say(compose("job.under_way", kind=self.borrower.view.kind))
            raise NotNow(f"{doing} Wait until that is over, or end it by a pause (park)")

    def put(self, request: Request) -> None:
        self._waiting.put_nowait(request)

    async def get(self) -> Request | Loan:
        return await self._waiting.get()

    def unanswered(self) -> Iterator[Request | Loan]:
        """Take out everything that has come before the box was lent and still awaits an answer."""
        while not self._waiting.empty():
            waiting = self._waiting.get_nowait()
            if waiting.waits:
                yield waiting


class SimulatedPowerCut:
    """The borrower of a simulated box without power: nothing holds or sees the tiles, and hands may move them.

    seconds: how long the cut lasts; None: until `stop`.
    Lifetime: `run` once. Concurrency: one event loop.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._is_over = asyncio.Event()

    @property
    def view(self) -> JobView:
        text = "Move tiles by hand if you like; the box asks about them when it is back."
        return JobView("outage", text if self._seconds is not None else f"{text} A pause puts the power on again.")

    def stop(self) -> None:
        """Switch the power on again."""
        self._is_over.set()

    async def run(self) -> None:
        """Wait until the power is back."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_over.wait(), self._seconds)
