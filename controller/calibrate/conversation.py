"""What a guided session needs of whoever does it: somebody at this terminal, or an operator of a daemon's job."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from controller.game import AnswerName, JobQuestion
from controller.process import Exit

if TYPE_CHECKING:
    from rich.console import RenderableType

    from firmware.selftest import Examined

NOTHING_CHANGED = "Nothing was changed."
CANCELLED = "Cancelled: nothing was changed."


class Cancelled(Exception):
    """Somebody wants no calibration after all."""


class GivenUp(Exception):
    """The session cannot be finished; the message is one line that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One of the answers that a question names, and with `some` the names that were said."""

    name: AnswerName
    names: tuple[str, ...] = ()


class Conversation(Protocol):
    """Words there, answers back. A session says everything through it, and so need not know who listens.

    At each step it may find that the session is not wanted any more: `Cancelled` is raised then.
    """

    def say(self, line: str, style: str = "") -> None:
        """Say a line."""

    def show(self, result: "RenderableType") -> None:
        """Show a part of the result: a table, or a line."""

    def advance(self, done: float) -> None:
        """Tell which part of the work is done, 0 to 1."""

    def propose(self, draft: Mapping[str, Any]) -> None:
        """Give the result as a program wants it, before anything of it is saved."""

    def check(self) -> None:
        """Raise `Cancelled` if the session is not wanted any more."""

    def is_taken(self, offer: JobQuestion) -> bool:
        """True if `offer`, which nobody has to answer, was agreed to since it was asked last. Raises `Cancelled`."""

    async def ask(self, question: JobQuestion) -> Answer:
        """Ask until one of its answers is given. Raises `Cancelled`."""

    def tell_saved(self, file: Path | None) -> None:
        """Say where the result was saved, or that nothing was (None). From here on nothing can be cancelled."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a session came to: its exit status, the answer for a program; and the test of the box, where it was one."""

    status: Exit
    answer: Mapping[str, Any]
    examined: "Examined | None" = None


@dataclass(frozen=True, slots=True)
class Session:
    """Guided work that is ready to begin; `unsaved` is its answer where it ends without a result.

    That a session which ends early changes no file is up to `work`: it writes at its end, after the last question.
    """

    work: Callable[[Conversation], Awaitable[Result]]
    unsaved: Mapping[str, Any]

    async def run(self, conversation: Conversation) -> Result:
        """Do the work, and say why where it ends without its result."""
        try:
            return await self.work(conversation)
        except Cancelled:
            conversation.say(CANCELLED)
        except GivenUp as problem:
            conversation.say(f"{problem} {NOTHING_CHANGED}")
        return Result(Exit.NO, self.unsaved)
