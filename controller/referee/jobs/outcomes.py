"""The outcomes that jobs of the box can yield, and the observations and overrides that jobs share."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from controller.game.core.commands import Command
from controller.game.core.engine import AnyGame
from controller.game.core.message import Message, Messages
from controller.game.core.players import Door
from controller.game.core.sight import CameraState
from controller.game.fleet.commands import Claim, NameCombination, Shout
from controller.game.shutbox.commands import AcceptLoss, Choose, TakeThrow
from controller.game.shutbox.state import Game
from hardware.tiles import Position, TileId

_PLACES = (Position.OPEN, Position.SHUT)


@dataclass(frozen=True, slots=True)
class Notice:
    """Messages to show.

    again: show them even if they are the present notice. A job that looks again and again has the same messages each
    time, of which only the first are new.
    """

    messages: Messages
    again: bool = True


@dataclass(frozen=True, slots=True)
class Meanwhile:
    """A message to show while a job takes its time."""

    message: Message


@dataclass(frozen=True, slots=True)
class Done:
    """The job of a `Meanwhile` is over: the notice before it stands again, unless there is a newer one."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Dice could not be read, with the reasons worth showing; they may be thrown again."""

    messages: Messages


@dataclass(frozen=True, slots=True)
class Wish:
    """The number of dice with which the house player at turn wants to throw."""

    dice: int


@dataclass(frozen=True, slots=True)
class Compared:
    """Sensors and game agree for the first time since the start; tiles that differ are on their way."""


Outcome = Command | Notice | Meanwhile | Done | Unread | Wish | Compared

# A job continues once its outcome has been dealt with. It may be closed at a `yield`, and cancelled at an `await`.
Job = AsyncGenerator[Outcome, None]
Deliver = Callable[[Outcome], Awaitable[None]]


def door_of(command: Command, game: AnyGame | None) -> Door:
    """Return the part of the box that a command of its own comes from."""
    match command:
        case TakeThrow() | Claim(source="camera"):
            return "camera"
        case Choose() | AcceptLoss() if isinstance(game, Game):
            return "house" if game.player.house else "hands"
        case NameCombination() | Shout() | Claim():
            return "house"
    return "box"


class Observations:
    """What the box sees now. Lifetime: as the table. Concurrency: one event loop."""

    def __init__(self, tell: Callable[[], None], sight: CameraState | None = None) -> None:
        """tell: called after each change. sight: what is seen at the beginning; None: nothing."""
        self.sight = sight or CameraState()
        self._tell = tell

    def note(self, **seen: Any) -> None:
        """Note parts of what is seen now, by the names of `CameraState`, and call `tell` if any of them is new."""
        after = replace(self.sight, **seen)
        if after != self.sight:
            self.sight = after
            self._tell()


class Overrides:
    """The tiles for which somebody's word counts more than the sensors.

    An override holds until the sensors show another place than when it was given. A stuck sensor keeps showing the
    same place; one that shows the other end later has seen the tile move, and so has one that agreed meanwhile. A
    sensor that shows a tile half way, or contradicts another, proves nothing against a person.

    After a restart nobody knows what the sensors showed then, and a hand may have tipped the tile meanwhile: an older
    override holds while the sensors agree or show no place at all. The same is true if the electronics failed right
    after it was given.

    Lifetime: as the executor. Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self._shown: dict[TileId, Position] = {}
        self._asked: set[str] = set()

    def forget(self, tile: str) -> None:
        """Forget the override of a tile that people are asked about again."""
        self._asked.add(tile)
        self._shown = {each: shown for each, shown in self._shown.items() if str(each) != tile}

    def lose_sight(self) -> None:
        """Treat every answer not compared yet as an old one, since the sensors cannot be read for a while."""
        self._asked.clear()

    def apply(
        self, game: AnyGame, wanted: Mapping[TileId, Position], seen: Mapping[TileId, Position]
    ) -> Mapping[TileId, Position]:
        """Return the places of the tiles whose overrides still hold, and forget the overrides of other tiles.

        wanted: where the game has each tile. seen: where the sensors show it now.
        """
        believed = {tile: target for tile, target in wanted.items() if str(tile) in game.believed}
        self._shown = {tile: shown for tile, shown in self._shown.items() if tile in believed}
        holding = {}
        for tile, target in believed.items():
            shown = seen[tile]
            is_new = str(tile) in self._asked or shown not in _PLACES
            first = self._shown.setdefault(tile, shown if is_new else target)
            if shown is target:
                self._shown[tile] = target
                holding[tile] = target
            elif first is not target and (shown is first or shown not in _PLACES):
                holding[tile] = target
        return holding
