"""The dialog of a guided session with its operator, who sits at this terminal or follows a job of the daemon.

At its end a session confirms, signs and saves its result.
"""

import asyncio
import getpass
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from controller.game.core.sight import AnswerName, JobQuestion
from controller.runtime.output import Exit
from hardware.calibration import Measured
from hardware.phrase import Phrase, phrase

if TYPE_CHECKING:
    from rich.console import RenderableType

    from firmware.selftest.wear import SelftestResult
    from vision.calibration.viewfinder import Viewfinder

NOTHING_CHANGED = phrase("Nothing was changed.")
CANCELLED = phrase("Cancelled: nothing was changed.")


class Cancelled(Exception):
    """The operator has ended the session."""


class GivenUp(Exception):
    """The session cannot be finished; the message is one line with the reason and the cure."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the answers that a question offers; with `some`, the chosen names."""

    name: AnswerName
    names: tuple[str, ...] = ()


class Dialog(Protocol):
    """The two-way channel of a session, which therefore need not know who the operator is.

    Most steps can find that the operator has ended the session; they raise `Cancelled` then.
    """

    def say(self, line: str, style: str = "") -> None:
        """Show a line of progress or advice to the operator."""

    def say_keys(self, line: str) -> None:
        """Say what to type at a terminal; elsewhere there are buttons."""

    def show(self, result: "RenderableType") -> None:
        """Show a part of the result: a table, or a line."""

    def advance(self, done: float) -> None:
        """Report the fraction done, 0 to 1."""

    def propose(self, draft: Mapping[str, Any]) -> None:
        """Hand over the result in the form for programs, before anything is saved."""

    def check(self) -> None:
        """Raise `Cancelled` if the operator has ended the session."""

    def is_taken(self, offer: JobQuestion) -> bool:
        """Return True if the optional question `offer` was accepted since the last call. Raises `Cancelled`."""

    async def ask(self, question: JobQuestion) -> Answer:
        """Ask until one of its answers is given. Raises `Cancelled`."""

    async def key(self, say: str, keys: tuple[str, ...]) -> str:
        """Wait for one of these keys, or the button that stands for it; say: what they are for. Raises `Cancelled`."""

    def look(self, seen: "Viewfinder") -> None:
        """Show what the camera sees now."""

    def tell_saved(self, file: Path | None) -> None:
        """Report where the result was saved; None: nothing was. From here on nothing can be cancelled."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a session.

    status: the exit status of the command.
    answer: the answer for a program.
    examined: the test of the box, if the session was one.
    """

    status: Exit
    answer: Mapping[str, Any]
    examined: "SelftestResult | None" = None


@dataclass(frozen=True, slots=True)
class Session:
    """Guided work that is ready to begin.

    work: writes files only at its end, after the last question, so that a session that ends early changes nothing.
    unsaved: the answer of a session without a result.
    """

    work: Callable[[Dialog], Awaitable[Result]]
    unsaved: Mapping[str, Any]

    async def run(self, conversation: Dialog) -> Result:
        """Do the work; if it ends without a result, report why."""
        try:
            return await self.work(conversation)
        except Cancelled:
            conversation.say(CANCELLED)
        except GivenUp as problem:
            conversation.say(Phrase("{problem} {changed}", {"problem": problem.args[0], "changed": NOTHING_CHANGED}))
        return Result(Exit.NO, self.unsaved)


Saved = TypeVar("Saved")


async def confirm(conversation: Dialog, question: str) -> bool:
    """Ask for a yes or a no. Raises `Cancelled`."""
    return (await conversation.ask(JobQuestion(question, ("yes", "no")))).name == "yes"


async def confirm_saving(conversation: Dialog, *, ask: bool, poor: str | None) -> bool:
    """Decide whether the result is kept: ask the operator (`ask`), or keep every result that is not poor.

    poor: the reason why the result is poor; None if it is not.
    """
    if poor is not None:
        conversation.say(poor)
    return await confirm(conversation, phrase("Save it?")) if ask else poor is None


async def save_in_thread(save: Callable[[], Saved]) -> Saved:
    """Run `save` in a thread, because a slow card would hold up tiles and pages, and return its result.

    A cancellation meanwhile waits until the write is complete. Raises what `save` raises.
    """
    writing = asyncio.ensure_future(asyncio.to_thread(save))
    try:
        return await asyncio.shield(writing)
    except asyncio.CancelledError:
        await asyncio.wait([writing])
        raise


def file_json(file: Path | None) -> dict[str, Any]:
    """Return the keys of an answer that report whether the result was saved, and in which file (None: not saved)."""
    return {"saved": file is not None, "file": str(file) if file else None}


def date_now() -> datetime:
    """Return the time without microseconds, so that the date in a file equals the one in its name."""
    return datetime.now().astimezone().replace(microsecond=0)


def sign_now() -> Measured:
    """Return the signature of a result: the present date, and the user who runs the program as its author."""
    return Measured(date=date_now(), author=getpass.getuser())
