"""The phases of a game: what is due next, and the data it takes.

The phase is part of the game and not of the process, so that after a power cut the journal tells what was due.
"""

from dataclasses import dataclass
from typing import Literal, assert_never

from controller.rules import Throw
from hardware.errors import Fault
from hardware.tiles import Position


@dataclass(frozen=True, slots=True)
class AwaitingThrow:
    """The player at turn throws the dice, for a move or for who begins."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """The player at turn chooses a set of tiles that meets `throw`."""

    throw: Throw


@dataclass(frozen=True, slots=True)
class TurnLost:
    """No set meets `throw`. Until somebody confirms, a wrong reading can still be corrected."""

    throw: Throw


@dataclass(frozen=True, slots=True)
class TurnDone:
    """The turn ends with the tiles that have just been shut, or passes to the next player."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over; several winners (seats) share it, none means that nobody won or that it was given up."""

    winners: tuple[int, ...]
    given_up: bool = False


@dataclass(frozen=True, slots=True)
class FoundTile:
    """A tile that was found elsewhere than the game has it: its name, where it should be, where the sensors see it."""

    name: str
    expected: Position
    seen: Position


Resting = AwaitingThrow | Choosing | TurnLost | TurnDone | Ended


@dataclass(frozen=True, slots=True)
class Moving:
    """The box brings its tiles where the board has them; `then` comes when the sensors confirm it."""

    then: Resting


@dataclass(frozen=True, slots=True)
class Halted:
    """A fault stops the game; `then` comes once it is seen to and the tiles are in place again."""

    fault: Fault
    then: Resting


@dataclass(frozen=True, slots=True)
class Parked:
    """Paused: pulses off, tiles left as they are; `then` comes once the tiles are in place again."""

    then: Resting


@dataclass(frozen=True, slots=True)
class Differing:
    """Tiles were moved while the box was off: people say which is right, tiles or game. Nothing moves until then.

    `found` are all of them; `then` comes once tiles and game agree.
    """

    found: tuple[FoundTile, ...]
    then: Resting


Phase = Resting | Moving | Halted | Parked | Differing

# One word for each phase, and for no game at all: programs compare them, so mypy knows them.
PhaseName = Literal[
    "idle", "awaiting_throw", "choosing", "turn_lost", "turn_done", "moving", "halted", "parked", "differing", "ended"
]


def phase_name(phase: Phase) -> PhaseName:
    """The phase as one word, as snapshots and journals have it."""
    match phase:
        case AwaitingThrow():
            return "awaiting_throw"
        case Choosing():
            return "choosing"
        case TurnLost():
            return "turn_lost"
        case TurnDone():
            return "turn_done"
        case Moving():
            return "moving"
        case Halted():
            return "halted"
        case Parked():
            return "parked"
        case Differing():
            return "differing"
        case Ended():
            return "ended"
        case _:
            assert_never(phase)
