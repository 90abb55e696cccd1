"""The commands that games of every family know, and the part that every command of a client has.

The limits hold for what comes in as JSON, not for commands that are made here: those the rules judge alone.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, NoReturn, TypeVar

from pydantic import BeforeValidator, ConfigDict, Field, GetPydanticSchema, StrictBool, StrictInt
from pydantic_core import PydanticKnownError

from controller.game.core.actions import ActionKind
from controller.game.core.phases import FoundTile
from controller.game.core.players import MOST_PLAYERS, Player
from controller.rules.tiles import NO_MARKS, Marks
from hardware.errors import Fault


class Command:
    """Anything that may be asked of a game, by players, camera and sensors. An engine may refuse it."""

    __slots__ = ()


T = TypeVar("T")
EventNumber = Annotated[StrictInt, Field(ge=0)]
Key = Annotated[str, Field(min_length=8, max_length=64)]


def _refuse(_given: object) -> NoReturn:
    raise PydanticKnownError("extra_forbidden")


# A field that only the box itself sets: JSON has no such field, neither in nor out.
Own = Annotated[T, Field(exclude=True), BeforeValidator(_refuse)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientCommand(Command):
    """A command that a client may give. Unknown fields are refused: a misspelt one must not pass for one left out.

    game_id, event: those of the snapshot that it was meant for; after another event it comes too late and is refused.
    key: made up by the client, another for each thing that it wants done: repeated, also after a restart, the command
    is not carried out again; another command with the same key is refused. None: it is done each time.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    @property
    @abstractmethod
    def do(self) -> ActionKind:
        """The tag of the command; each class has it as a field of its own."""

    game_id: EventNumber | None = None
    event: EventNumber | None = None
    key: Key | None = None


# Lists are given up at their first mistake: a million of them would take half a minute to collect.
Players = Annotated[tuple[Player, ...], Field(min_length=1, max_length=MOST_PLAYERS, fail_fast=True)]
# What an option may be is said by the rules, whoever gives it; from a client it is one plain value, taken as it is.
OptionValue = Annotated[object, GetPydanticSchema(lambda _source, schema_of: schema_of(StrictBool | StrictInt | str))]


@dataclass(frozen=True, slots=True)
class StartGame(ClientCommand):
    """Begin a game of `game` with the options given (the others at their defaults)."""

    players: Players
    game: str = "two-level"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    marks: Marks = NO_MARKS
    do: Literal["start"] = "start"


@dataclass(frozen=True, slots=True)
class Undo(ClientCommand):
    """Take the last choice back, or the end of a turn that was accepted, as long as no other throw lies.

    vouched: said by somebody at the box, that tiles which he or another vouched for are where the game has them.
    """

    vouched: bool = False
    do: Literal["undo"] = "undo"


@dataclass(frozen=True, slots=True)
class GoOn(ClientCommand):
    """Go on after a pause."""

    do: Literal["go_on"] = "go_on"


@dataclass(frozen=True, slots=True)
class TryAgain(ClientCommand):
    """Try again what a fault has stopped."""

    do: Literal["try_again"] = "try_again"


@dataclass(frozen=True, slots=True)
class Believe(ClientCommand):
    """Somebody at the box says that the tile at fault is where it should be, whatever its sensors say: go on."""

    do: Literal["believe"] = "believe"


@dataclass(frozen=True, slots=True)
class PutRight(ClientCommand):
    """The tiles that were moved while the box was off are wrong: the box brings them where the game has them."""

    do: Literal["put_right"] = "put_right"


@dataclass(frozen=True, slots=True)
class Park(ClientCommand):
    """Pause: pulses off, tiles left as they are, game kept."""

    do: Literal["park"] = "park"


@dataclass(frozen=True, slots=True)
class Abandon(ClientCommand):
    """Give the game up."""

    do: Literal["abandon"] = "abandon"


@dataclass(frozen=True, slots=True)
class ConfirmTiles(Command):
    """The sensors say that every tile is in place."""


@dataclass(frozen=True, slots=True)
class ReportTiles(Command):
    """After a power cut the sensors see these tiles, and no others, elsewhere than the game has them."""

    found: tuple[FoundTile, ...]


@dataclass(frozen=True, slots=True)
class ReportFault(Command):
    """Something on the table is not as it should be."""

    fault: Fault
