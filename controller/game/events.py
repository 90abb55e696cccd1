"""The events of a game. They are facts and never refused: the journal is the list of them.

Tiles are named as everywhere else (`front-7`), dice by their faces, players by their seat (0 is the first).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from controller.game.fleet import RaceEvent
from controller.game.motive import Motive
from controller.game.phases import FoundTile
from controller.game.players import Player, Source
from controller.rules import NO_MARKS, Marks, Value
from hardware.errors import Fault


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins, with all options spelled out. The box is brought into its starting position."""

    game: str
    options: Mapping[str, Value]
    players: tuple[Player, ...]
    marks: Marks = NO_MARKS
    kind: Literal["game_started"] = "game_started"


@dataclass(frozen=True, slots=True)
class TilesConfirmed:
    """The sensors confirmed that every tile is where the game has it."""

    kind: Literal["tiles_confirmed"] = "tiles_confirmed"


@dataclass(frozen=True, slots=True)
class FirstRolled:
    """A player threw for who begins."""

    player: int
    dice: tuple[int, ...]
    source: Source
    kind: Literal["first_rolled"] = "first_rolled"


@dataclass(frozen=True, slots=True)
class DiceThrown:
    """The dice lie still and have been read, or somebody typed what they show."""

    dice: tuple[int, ...]
    source: Source
    kind: Literal["dice_thrown"] = "dice_thrown"


@dataclass(frozen=True, slots=True)
class ThrowCorrected:
    """Somebody at the box says that the dice show something else than was read."""

    read: tuple[int, ...]
    dice: tuple[int, ...]
    kind: Literal["throw_corrected"] = "throw_corrected"


@dataclass(frozen=True, slots=True)
class MoveChosen:
    """The player chose the tiles to shut; a house player says why: in English in games of earlier versions."""

    tiles: tuple[str, ...]
    why: Motive | str | None = None
    kind: Literal["move_chosen"] = "move_chosen"


@dataclass(frozen=True, slots=True)
class ChoiceUndone:
    """A player takes back what followed from the last throw: tiles come up again, or a turn goes on that had ended."""

    player: int
    tiles: tuple[str, ...]
    kind: Literal["choice_undone"] = "choice_undone"


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn is over: nothing could be shut, or the box is shut. `lost`: on its first throw, by the game's rule."""

    player: int
    score: int
    lost: bool = False
    kind: Literal["turn_ended"] = "turn_ended"


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The next player throws, in games where they throw once each."""

    player: int
    kind: Literal["turn_passed"] = "turn_passed"


@dataclass(frozen=True, slots=True)
class RoundTied:
    """Several have the lowest score; they play another turn for the round."""

    players: tuple[int, ...]
    kind: Literal["round_tied"] = "round_tied"


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is decided: several winners share it, none means that nobody won. `outright`: by shutting the box."""

    winners: tuple[int, ...]
    outright: bool = False
    kind: Literal["round_ended"] = "round_ended"


@dataclass(frozen=True, slots=True)
class GameEnded:
    """All is decided; several winners share it."""

    winners: tuple[int, ...]
    kind: Literal["game_ended"] = "game_ended"


@dataclass(frozen=True, slots=True)
class GameHalted:
    """A fault stops the game until somebody has seen to it."""

    fault: Fault
    kind: Literal["game_halted"] = "game_halted"


@dataclass(frozen=True, slots=True)
class GameParked:
    """Somebody paused the game: pulses off, tiles left as they are."""

    kind: Literal["game_parked"] = "game_parked"


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The halt, the pause or the question is over; the tiles are brought where the game has them."""

    kind: Literal["game_resumed"] = "game_resumed"


@dataclass(frozen=True, slots=True)
class TileBelieved:
    """Somebody at the box says that this tile is where it should be: its sensors are not asked until it has to move."""

    tile: str
    kind: Literal["tile_believed"] = "tile_believed"


@dataclass(frozen=True, slots=True)
class TilesDiffer:
    """After a power cut these tiles, and no others, are seen elsewhere than the game has them; people are asked."""

    found: tuple[FoundTile, ...]
    kind: Literal["tiles_differ"] = "tiles_differ"


@dataclass(frozen=True, slots=True)
class BoardCorrected:
    """Somebody says that the tiles are right: these stand. What was chosen before can no longer be taken back."""

    standing: tuple[str, ...]
    kind: Literal["board_corrected"] = "board_corrected"


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """Somebody gave the game up before its end."""

    kind: Literal["game_abandoned"] = "game_abandoned"


GameEvent = (
    RaceEvent
    | GameStarted
    | TilesConfirmed
    | FirstRolled
    | DiceThrown
    | ThrowCorrected
    | MoveChosen
    | ChoiceUndone
    | TurnEnded
    | TurnPassed
    | RoundTied
    | RoundEnded
    | GameEnded
    | GameHalted
    | GameParked
    | GameResumed
    | TileBelieved
    | TilesDiffer
    | BoardCorrected
    | GameAbandoned
)

EVENT: TypeAdapter[GameEvent] = TypeAdapter(Annotated[GameEvent, Field(discriminator="kind")])
