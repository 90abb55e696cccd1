"""A job of the box in place of a game, as everybody at the table sees it: what is done, how far, what is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

# outage: nobody's job; the power of a simulated box is cut.
JobKind = Literal["servos", "camera", "dice", "selftest", "wiring", "exchange", "outage"]
# go_on: what was asked for is done. take: it is good enough as it is. some: those that are named with it.
AnswerName = Literal["go_on", "yes", "no", "take", "some"]

# What is done in a job of each kind, as the beginning of a sentence.
_DOING: Mapping[JobKind, str] = {
    "servos": "the servos are being calibrated",
    "camera": "the camera is being calibrated",
    "dice": "the box is being taught dice",
    "selftest": "the box tests itself",
    "wiring": "the wiring is being checked",
    "exchange": "another simulated box is put on the table",
    "outage": "the power is out",
}


@dataclass(frozen=True, slots=True)
class JobQuestion:
    """What a job asks whoever does it.

    say: in words. answers: the names of those that count. names: what may be named with `some`. waits: False where the
    job goes on meanwhile, and may be answered at any time.
    """

    say: str
    answers: tuple[AnswerName, ...]
    names: tuple[str, ...] = ()
    waits: bool = True


@dataclass(frozen=True, slots=True)
class JobView:
    """A job under way: the last that was said of it, which part of it is done (0..1), and what it asks, if it does."""

    kind: JobKind
    say: str = ""
    progress: float = 0.0
    question: JobQuestion | None = None


def doing_in(kind: JobKind) -> str:
    """What is done in a job of this kind, in a few words that begin or end a sentence."""
    return _DOING[kind]
