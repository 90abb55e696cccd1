"""The inbox: commands, and wishes to have the box in place of the game, each with who waits for its answer."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from controller.game import Caller, Command, JobView, Snapshot


@dataclass(frozen=True, slots=True)
class Request:
    """A command, who gives it and waits for its answer, and the work it came from (None: from outside)."""

    command: Command
    caller: Caller
    answer: asyncio.Future[Snapshot] | None = None
    work: int | None = None

    def reply(self, snapshot: Snapshot) -> None:
        """Answer who waits for it; they may have left."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(snapshot)


class Borrower(Protocol):
    """Who has the box in place of the game, for as long as `run` takes; it opens what it needs of it, and closes it."""

    @property
    def view(self) -> JobView:
        """What everybody is shown of it now."""

    def stop(self) -> None:
        """End it soon, with nothing changed."""

    async def run(self) -> None:
        """Work on the box, whose table is closed meanwhile."""


@dataclass(frozen=True, slots=True)
class Loan:
    """The wish of somebody to have the box in place of the game, and who waits to hear whether that can be.

    at_once: whatever the game does; nobody is asked.
    """

    borrower: Borrower
    answer: asyncio.Future[None]
    at_once: bool = False
