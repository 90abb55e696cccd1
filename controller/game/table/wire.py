"""The commands of clients and the events of every game, as JSON has them, and an event as a line of the log.

What a client may ask has a tag, `do`: `COMMAND` reads and writes it as JSON, within limits, and refuses unknown fields.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Annotated

from pydantic import Field, TypeAdapter

from controller.game.core.commands import Abandon, Believe, GoOn, Park, PutRight, StartGame, TryAgain, Undo
from controller.game.core.events import (
    GameAbandoned,
    GameEnded,
    GameEvent,
    GameHalted,
    GameParked,
    GameResumed,
    GameStarted,
    TileBelieved,
    TilesConfirmed,
    TilesDiffer,
)
from controller.game.core.players import Origin
from controller.game.fleet.commands import RaceRequest
from controller.game.fleet.events import RaceEvent
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, EndTurn, RollDice, TakeThrow
from controller.game.shutbox.events import BoxEvent

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
_EVENTS = (
    GameStarted
    | TilesConfirmed
    | GameEnded
    | GameHalted
    | GameParked
    | GameResumed
    | TileBelieved
    | TilesDiffer
    | GameAbandoned
    | BoxEvent
    | RaceEvent
)
EVENT: TypeAdapter[GameEvent] = TypeAdapter(Annotated[_EVENTS, Field(discriminator="kind")])
_SEATS = ("player", "players", "winners", "unfinished")


def log_line(event: GameEvent, origin: Origin) -> str:
    """`move chosen: tiles front-8 (terminal, seat 1)`; what an event leaves empty is not told."""
    held = _held(event)
    whose = "" if origin.seat is None else f", seat {origin.seat + 1}"
    return f"{_spaced(event.kind)}{': ' if held else ''}{held} ({origin.door}{whose})"


def _held(value: object) -> str:
    held = {each.name: getattr(value, each.name) for each in fields(value) if each.name != "kind"}  # type: ignore[arg-type]
    # Nothing is told that is empty or False; but a score of 0, and the first player.
    some = {name: each for name, each in held.items() if each or (isinstance(each, int) and each is not False)}
    told = {name: _plain(_counted(each) if name in _SEATS else each) for name, each in some.items()}
    return ", ".join(f"{_spaced(name)} {words}" for name, words in told.items() if words != "()")


def _counted(seats: object) -> object:
    """Seats as people count them, from 1; the players of a game that begins as they are."""
    if isinstance(seats, tuple):
        return tuple(map(_counted, seats))
    return seats + 1 if isinstance(seats, int) else seats


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{name}={_plain(each)}" for name, each in value.items())
    if isinstance(value, tuple | list):
        return " ".join(map(_plain, value))
    if is_dataclass(value):
        return f"({_held(value)})"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
