"""The phases that are the same in every family of games: what holds a game, and its end.

The phase is part of the game and not of the process, so that after a power cut the journal tells what was due. The
phases in which a game rests are each family's own.
"""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

from hardware.errors import Fault
from hardware.tiles import Position

# The phase that comes once a game is no longer held: one of its family's own.
Then = TypeVar("Then", covariant=True)
# One word for each phase, and for no game at all: programs compare them, so mypy knows them.
PhaseName = Literal[
    "idle",
    "awaiting_throw",
    "choosing",
    "turn_lost",
    "turn_done",
    "rolling_off",
    "naming",
    "ready",
    "counting",
    "racing",
    "moving",
    "halted",
    "parked",
    "differing",
    "ended",
]


class AnyPhase(Protocol):
    """A phase of any family of games."""

    word: ClassVar[PhaseName]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; several winners (seats) share it, none means that nobody won or that it was given up.

    before: the game that was given up, which goes on if that is taken back.
    """

    word: ClassVar[PhaseName] = "ended"
    winners: tuple[int, ...]
    given_up: bool = False
    before: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FoundTile:
    """A tile that was found elsewhere than the game has it: its name, where it should be, where the sensors see it."""

    name: str
    expected: Position
    seen: Position


@dataclass(frozen=True, slots=True)
class Moving(Generic[Then]):
    """The box brings its tiles where the board has them; `then` comes when the sensors confirm it."""

    word: ClassVar[PhaseName] = "moving"
    then: Then


@dataclass(frozen=True, slots=True)
class Halted(Generic[Then]):
    """A fault stops the game; `then` comes once it is seen to and the tiles are in place again."""

    word: ClassVar[PhaseName] = "halted"
    fault: Fault
    then: Then


@dataclass(frozen=True, slots=True)
class Parked(Generic[Then]):
    """Paused: pulses off, tiles left as they are; `then` comes once the tiles are in place again."""

    word: ClassVar[PhaseName] = "parked"
    then: Then


@dataclass(frozen=True, slots=True)
class TileMismatch(Generic[Then]):
    """Tiles were moved while the box was off: people say which is right, tiles or game. Nothing moves until then.

    `found` are all of them; `then` comes once tiles and game agree.
    """

    word: ClassVar[PhaseName] = "differing"
    found: tuple[FoundTile, ...]
    then: Then


Held = Moving[Then] | Halted[Then] | Parked[Then] | TileMismatch[Then]


def phase_name(phase: AnyPhase) -> PhaseName:
    """The phase as one word, as snapshots and journals have it."""
    return phase.word
