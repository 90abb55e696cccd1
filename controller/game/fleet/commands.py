"""The commands of a race, by players, camera and clock.

Players race at once, so each command of a player says whose it is: `player` is a name; None stands for the player of
the device that gives it, if it plays for only one.
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
    """Throw one's dice at a simulated box, all but the dice that are kept. The game does not hear of it.

    keep: the faces of the dice that stay; if empty, all six are thrown anew, or those that are not frozen.
    """

    keep: Words = ()
    player: Whose = None
    do: Literal["throw"] = "throw"


@dataclass(frozen=True, slots=True)
class Shout(ClientCommand):
    """`Fleet!`: the combination is there, and the dice come on the baize.

    combination: the combination, if it was not named before. at_ms: when the shout was heard, on the clock of the box.
    """

    combination: CombinationName | None = None
    player: Whose = None
    at_ms: Own[int] = 0
    do: Literal["shout"] = "shout"


@dataclass(frozen=True, slots=True)
class WithdrawShout(ClientCommand):
    """The dice were not the combination after all: play on."""

    player: Whose = None
    do: Literal["withdraw"] = "withdraw"


@dataclass(frozen=True, slots=True)
class Claim(ClientCommand):
    """The six dice of the player who shouted show this; before the first round, a throw to decide who names."""

    dice: Annotated[Words, Field(min_length=SET_SIZE)]
    player: Whose = None
    source: Own[Source] = "typed"
    do: Literal["claim"] = "claim"


@dataclass(frozen=True, slots=True)
class EndRound(ClientCommand):
    """The round ends for those who have not finished, because nobody waits for them any more."""

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
