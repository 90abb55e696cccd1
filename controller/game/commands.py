"""The commands that may be asked of a game, by players, camera and sensors, and the limits of those from outside.

What a client may ask has a tag, `do`: `COMMAND` reads and writes it as JSON, within limits, and refuses unknown fields.
The limits hold for what comes in as JSON, not for commands that are made here: those the rules judge alone. `decide`
may refuse any of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field, GetPydanticSchema, StrictBool, StrictInt, TypeAdapter

from controller.game.fleet import OF_ONE_RACER, RaceCommand, RaceRequest
from controller.game.from_client import FromClient, Own
from controller.game.motive import Motive
from controller.game.phases import FoundTile
from controller.game.players import MOST_PLAYERS, Player, Source
from controller.rules import NO_MARKS, Marks
from hardware.errors import Fault

# What is read at all: more than any game can use.
MOST_DICE = 6
MOST_TILES = 28


# Lists are given up at their first mistake: a million of them would take half a minute to collect.
Players = Annotated[tuple[Player, ...], Field(min_length=1, max_length=MOST_PLAYERS, fail_fast=True)]
Faces = Annotated[tuple[StrictInt, ...], Field(min_length=1, max_length=MOST_DICE, fail_fast=True)]
TileNames = Annotated[tuple[str, ...], Field(min_length=1, max_length=MOST_TILES, fail_fast=True)]
DiceCount = Annotated[int, Field(ge=1, le=MOST_DICE)]
# What an option may be is said by the rules, whoever gives it; from a client it is one plain value, taken as it is.
OptionValue = Annotated[object, GetPydanticSchema(lambda _source, schema_of: schema_of(StrictBool | StrictInt | str))]


@dataclass(frozen=True, slots=True)
class StartGame(FromClient):
    """Begin a game of `game` with the options given (the others at their defaults)."""

    players: Players
    game: str = "two-level"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    marks: Marks = NO_MARKS
    do: Literal["start"] = "start"


@dataclass(frozen=True, slots=True)
class RollDice(FromClient):
    """Throw the dice, or: they have been thrown. `count` None means all of them. The game does not hear of it."""

    count: DiceCount | None = None
    do: Literal["roll"] = "roll"


@dataclass(frozen=True, slots=True)
class TakeThrow(FromClient):
    """The dice that were thrown show this."""

    dice: Faces
    source: Own[Source] = "typed"
    do: Literal["dice"] = "dice"


@dataclass(frozen=True, slots=True)
class CorrectThrow(FromClient):
    """The dice show something else than was read, or typed; a choice that was made by it is taken back."""

    dice: Faces
    do: Literal["correct"] = "correct"


@dataclass(frozen=True, slots=True)
class Choose(FromClient):
    """Shut these tiles; a house player says why."""

    tiles: TileNames
    why: Own[Motive | None] = None
    do: Literal["choose"] = "choose"


@dataclass(frozen=True, slots=True)
class Undo(FromClient):
    """Take the last choice back, or the end of a turn that was accepted, as long as no other throw lies.

    vouched: said by somebody at the box, that tiles which he or another vouched for are where the game has them.
    """

    vouched: bool = False
    do: Literal["undo"] = "undo"


@dataclass(frozen=True, slots=True)
class AcceptLoss(FromClient):
    """Accept that nothing can be shut with this throw: the turn ends."""

    do: Literal["accept"] = "accept"


@dataclass(frozen=True, slots=True)
class GoOn(FromClient):
    """Go on after a pause."""

    do: Literal["go_on"] = "go_on"


@dataclass(frozen=True, slots=True)
class TryAgain(FromClient):
    """Try again what a fault has stopped."""

    do: Literal["try_again"] = "try_again"


@dataclass(frozen=True, slots=True)
class Believe(FromClient):
    """Somebody at the box says that the tile at fault is where it should be, whatever its sensors say: go on."""

    do: Literal["believe"] = "believe"


@dataclass(frozen=True, slots=True)
class EndTurn(FromClient):
    """The turn ends with the tiles that are shut by now: the box cannot go on with it."""

    do: Literal["end_turn"] = "end_turn"


@dataclass(frozen=True, slots=True)
class PutRight(FromClient):
    """The tiles that were moved while the box was off are wrong: the box brings them where the game has them."""

    do: Literal["put_right"] = "put_right"


@dataclass(frozen=True, slots=True)
class CorrectGame(FromClient):
    """The tiles that were moved while the box was off are right: the game has them where they are."""

    do: Literal["correct_game"] = "correct_game"


@dataclass(frozen=True, slots=True)
class ConfirmTiles:
    """The sensors say that every tile is in place."""


@dataclass(frozen=True, slots=True)
class ReportTiles:
    """After a power cut the sensors see these tiles, and no others, elsewhere than the game has them."""

    found: tuple[FoundTile, ...]


@dataclass(frozen=True, slots=True)
class ReportFault:
    """Something on the table is not as it should be."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class Park(FromClient):
    """Pause: pulses off, tiles left as they are, game kept."""

    do: Literal["park"] = "park"


@dataclass(frozen=True, slots=True)
class Abandon(FromClient):
    """Give the game up."""

    do: Literal["abandon"] = "abandon"


Command = (
    StartGame
    | TakeThrow
    | CorrectThrow
    | Choose
    | Undo
    | AcceptLoss
    | GoOn
    | TryAgain
    | Believe
    | EndTurn
    | PutRight
    | CorrectGame
    | ConfirmTiles
    | ReportTiles
    | ReportFault
    | Park
    | Abandon
    | RaceCommand
)

# What the referee is asked for; dice that are thrown are no business of the game.
Asked = Command | RollDice | RaceRequest

# Those that each player gives for himself, and that say for whom.
OF_ONE = OF_ONE_RACER

# In the order in which a client that is not understood is told what it may `do`.
ClientCommand = Annotated[
    StartGame
    | RollDice
    | TakeThrow
    | CorrectThrow
    | Choose
    | Undo
    | AcceptLoss
    | GoOn
    | TryAgain
    | Believe
    | EndTurn
    | PutRight
    | CorrectGame
    | RaceRequest
    | Park
    | Abandon,
    Field(discriminator="do"),
]

COMMAND: TypeAdapter[ClientCommand] = TypeAdapter(ClientCommand)
