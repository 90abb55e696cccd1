"""The outcomes that a job of the box can yield: a command, like anybody else's, or a word to be said."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass

from controller.game import Command, Message, Messages


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to be said; nothing takes back what was. `again`: even if it was the last thing that was said.

    A job that looks again and again has the same to say each time, and only its first word is news.
    """

    messages: Messages
    again: bool = True


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """Something to be said while a job takes its time."""

    message: Message


@dataclass(frozen=True, slots=True)
class Done:
    """The job no longer takes its time: what was said before `Meanwhile` is true again, if nothing was said since."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Dice that lie there, or should, cannot be read, and why, if that is worth a word; they may be thrown again."""

    messages: Messages


@dataclass(frozen=True, slots=True)
class Wish:
    """With how many dice the house player at turn wants to throw."""

    dice: int


@dataclass(frozen=True, slots=True)
class Compared:
    """Sensors and game agree, for the first time since the game was taken up; what differs is on its way by itself."""


Outcome = Command | Notice | Meanwhile | Done | Unread | Wish | Compared

# A job goes on once what it yields has been dealt with. It may be closed at a `yield`, and cancelled at an `await`.
Job = AsyncGenerator[Outcome, None]
Deliver = Callable[[Outcome], Awaitable[None]]
