"""The events that happen in games of every family. They are facts and never refused: the journal is the list of them.

Tiles are named as everywhere else (`front-7`), dice by their faces, players by their seat (0 is the first).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from controller.game.core.phases import FoundTile
from controller.game.core.players import Player
from controller.rules.options import Value
from controller.rules.tiles import NO_MARKS, Marks
from hardware.errors import Fault


class GameEvent:
    """Something that has happened in a game; `kind` is its tag in the journal."""

    __slots__ = ()

    kind: str


@dataclass(frozen=True, slots=True)
class GameStarted(GameEvent):
    """A game begins, with all options spelled out. The box is brought into its starting position."""

    game: str
    options: Mapping[str, Value]
    players: tuple[Player, ...]
    marks: Marks = NO_MARKS
    kind: Literal["game_started"] = "game_started"


@dataclass(frozen=True, slots=True)
class TilesConfirmed(GameEvent):
    """The sensors confirmed that every tile is where the game has it."""

    kind: Literal["tiles_confirmed"] = "tiles_confirmed"


@dataclass(frozen=True, slots=True)
class GameEnded(GameEvent):
    """All is decided; several winners share it."""

    winners: tuple[int, ...]
    kind: Literal["game_ended"] = "game_ended"


@dataclass(frozen=True, slots=True)
class GameHalted(GameEvent):
    """A fault stops the game until somebody has seen to it."""

    fault: Fault
    kind: Literal["game_halted"] = "game_halted"


@dataclass(frozen=True, slots=True)
class GameParked(GameEvent):
    """Somebody paused the game: pulses off, tiles left as they are."""

    kind: Literal["game_parked"] = "game_parked"


@dataclass(frozen=True, slots=True)
class GameResumed(GameEvent):
    """The halt, the pause or the question is over; the tiles are brought where the game has them."""

    kind: Literal["game_resumed"] = "game_resumed"


@dataclass(frozen=True, slots=True)
class TileBelieved(GameEvent):
    """Somebody at the box says that this tile is where it should be: its sensors are not asked until it has to move."""

    tile: str
    kind: Literal["tile_believed"] = "tile_believed"


@dataclass(frozen=True, slots=True)
class TilesDiffer(GameEvent):
    """After a power cut these tiles, and no others, are seen elsewhere than the game has them; people are asked."""

    found: tuple[FoundTile, ...]
    kind: Literal["tiles_differ"] = "tiles_differ"


@dataclass(frozen=True, slots=True)
class GameAbandoned(GameEvent):
    """Somebody gave the game up before its end."""

    kind: Literal["game_abandoned"] = "game_abandoned"
