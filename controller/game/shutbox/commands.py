"""The commands of a game in which tiles are shut, by players and camera, and the limits of those from outside."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, StrictInt

from controller.game.core.commands import ClientCommand, Own
from controller.game.core.players import Source
from controller.game.shutbox.events import Motive

# What is read at all: more than any game can use.
MOST_DICE = 6
MOST_TILES = 28
Faces = Annotated[tuple[StrictInt, ...], Field(min_length=1, max_length=MOST_DICE, fail_fast=True)]
TileNames = Annotated[tuple[str, ...], Field(min_length=1, max_length=MOST_TILES, fail_fast=True)]
DiceCount = Annotated[int, Field(ge=1, le=MOST_DICE)]


@dataclass(frozen=True, slots=True)
class RollDice(ClientCommand):
    """Throw the dice, or: they have been thrown. `count` None means all of them. The game does not hear of it."""

    count: DiceCount | None = None
    do: Literal["roll"] = "roll"


@dataclass(frozen=True, slots=True)
class TakeThrow(ClientCommand):
    """The dice that were thrown show this."""

    dice: Faces
    source: Own[Source] = "typed"
    do: Literal["dice"] = "dice"


@dataclass(frozen=True, slots=True)
class CorrectThrow(ClientCommand):
    """The dice show something else than was read, or typed; a choice that was made by it is taken back."""

    dice: Faces
    do: Literal["correct"] = "correct"


@dataclass(frozen=True, slots=True)
class Choose(ClientCommand):
    """Shut these tiles; a house player says why."""

    tiles: TileNames
    why: Own[Motive | None] = None
    do: Literal["choose"] = "choose"


@dataclass(frozen=True, slots=True)
class AcceptLoss(ClientCommand):
    """Accept that nothing can be shut with this throw: the turn ends."""

    do: Literal["accept"] = "accept"


@dataclass(frozen=True, slots=True)
class EndTurn(ClientCommand):
    """The turn ends with the tiles that are shut by now: the box cannot go on with it."""

    do: Literal["end_turn"] = "end_turn"


@dataclass(frozen=True, slots=True)
class CorrectGame(ClientCommand):
    """The tiles that were moved while the box was off are right: the game has them where they are."""

    do: Literal["correct_game"] = "correct_game"
