"""The commands of a race, by players, camera and clock.

Players race at once, so each of theirs says whose it is: `player`, by name; None is whoever gives it, where he plays
for one alone.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, StrictInt

from controller.game.core.commands import ClientCommand, Command, Own
from controller.game.core.players import LONGEST_NAME, Source
from controller.rules.fleet.dice import SET_SIZE

Whose = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)] | None
# A face as one says it: 2 to 6, `boat`, `bolt` or `joker`.
Word = StrictInt | Annotated[str, Field(max_length=16)]
Words = Annotated[tuple[Word, ...], Field(max_length=SET_SIZE, fail_fast=True)]
CombinationName = Annotated[str, Field(max_length=32)]


@dataclass(frozen=True, slots=True)
class NameCombination(ClientCommand):
    """Say which combination the next round is for: for oneself, or for all."""

    combination: CombinationName
    player: Whose = None
    do: Literal["name"] = "name"


@dataclass(frozen=True, slots=True)
class CallGo(ClientCommand):
    """Everybody is ready: the box counts 1-2-3-GO."""

    do: Literal["go"] = "go"


@dataclass(frozen=True, slots=True)
class ThrowOwnDice(ClientCommand):
    """Throw one's dice at a simulated box, all but those that are kept. The game does not hear of it.

    keep: faces of those that lie there; empty throws all six anew, or those that are not frozen.
    """

    keep: Words = ()
    player: Whose = None
    do: Literal["throw"] = "throw"


@dataclass(frozen=True, slots=True)
class Shout(ClientCommand):
    """`Fleet!`: the combination is there, and the dice come on the baize.

    combination: which it is, where that was not said before. at_ms: when it was heard, on the clock of the box.
    """

    combination: CombinationName | None = None
    player: Whose = None
    at_ms: Own[int] = 0
    do: Literal["shout"] = "shout"


@dataclass(frozen=True, slots=True)
class WithdrawShout(ClientCommand):
    """It was no combination after all: play on."""

    player: Whose = None
    do: Literal["withdraw"] = "withdraw"


@dataclass(frozen=True, slots=True)
class Claim(ClientCommand):
    """The six dice of who shouted show this; before the first round, what somebody threw for who names."""

    dice: Annotated[Words, Field(min_length=SET_SIZE)]
    player: Whose = None
    source: Own[Source] = "typed"
    do: Literal["claim"] = "claim"


@dataclass(frozen=True, slots=True)
class EndRound(ClientCommand):
    """The round ends for those who have not finished, since nobody waits for them any more."""

    do: Literal["end_round"] = "end_round"


@dataclass(frozen=True, slots=True)
class CountDown(Command):
    """1-2-3 has been counted: GO."""


@dataclass(frozen=True, slots=True)
class PassSecond(Command):
    """A second of the last player's time has passed."""


# What clients may ask of a race, in the order in which they are told so.
RaceRequest = NameCombination | CallGo | ThrowOwnDice | Shout | Claim | WithdrawShout | EndRound
# Those that each player of a race gives for himself, and that say for whom.
OF_ONE = (NameCombination, ThrowOwnDice, Shout, WithdrawShout, Claim)
