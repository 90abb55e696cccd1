"""What clients send: commands by name, checked on the way in."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from controller.commands import Abandon, Believe, Choose, Command, Confirm, EndTurn, Park, StartGame, TakeThrow
from controller.players import Player, Strength
from controller.referee import RollDice
from controller.rules import NO_MARKS, Marks


class _Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class PlayerMessage(_Message):
    """A player by name; the box chooses for a house player, as well as `strength` says."""

    name: str = Field(min_length=1, max_length=24)
    house: bool = False
    strength: Strength = "steady"


class StartMessage(_Message):
    """Start a game."""

    do: Literal["start"] = "start"
    players: list[PlayerMessage] = Field(min_length=1, max_length=12)
    game: str = "two-level"
    options: dict[str, StrictBool | StrictInt | str] = {}
    marks: Marks = NO_MARKS

    def command(self) -> Command:
        """The command it stands for."""
        players = tuple(Player(player.name, player.house, player.strength) for player in self.players)
        return StartGame(players, self.game, dict(self.options), self.marks)


class RollMessage(_Message):
    """Throw the dice, or say that they have been thrown."""

    do: Literal["roll"] = "roll"
    count: int | None = Field(default=None, ge=1, le=6)

    def command(self) -> RollDice:
        """The command it stands for."""
        return RollDice(self.count)


class DiceMessage(_Message):
    """What the dice show, typed by somebody who sees them."""

    do: Literal["dice"] = "dice"
    dice: list[StrictInt] = Field(min_length=1, max_length=6)

    def command(self) -> Command:
        """The command it stands for."""
        return TakeThrow(tuple(self.dice), "typed")


class ChooseMessage(_Message):
    """Shut these tiles."""

    do: Literal["choose"] = "choose"
    tiles: list[str] = Field(min_length=1, max_length=28)

    def command(self) -> Command:
        """The command it stands for."""
        return Choose(tuple(self.tiles))


class PlainMessage(_Message):
    """A command without anything to add."""

    do: Literal["confirm", "believe", "end_turn", "park", "abandon"]

    def command(self) -> Command:
        """The command it stands for."""
        match self.do:
            case "confirm":
                return Confirm()
            case "believe":
                return Believe()
            case "end_turn":
                return EndTurn()
            case "park":
                return Park()
            case "abandon":
                return Abandon()


Message = Annotated[StartMessage | RollMessage | DiceMessage | ChooseMessage | PlainMessage, Field(discriminator="do")]
