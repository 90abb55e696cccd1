"""What may be asked of a game: by players, by the camera, by the sensors. `decide` may refuse any of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.players import Player, Source
from controller.rules import NO_MARKS, Marks
from hardware.errors import Fault


@dataclass(frozen=True, slots=True)
class StartGame:
    """Begin a game of `game` with the options given (the others at their defaults)."""

    players: tuple[Player, ...]
    game: str = "two-level"
    options: Mapping[str, object] = field(default_factory=dict)
    marks: Marks = NO_MARKS


@dataclass(frozen=True, slots=True)
class TakeThrow:
    """The dice show this; also a correction of what was read, as long as nothing was chosen."""

    dice: tuple[int, ...]
    source: Source = "typed"


@dataclass(frozen=True, slots=True)
class Choose:
    """Shut these tiles; a house player says why."""

    tiles: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Go on: accept the end of the turn, try again after a halt, go on after a pause."""


@dataclass(frozen=True, slots=True)
class Believe:
    """Somebody at the box says that the tile at fault is where it should be, whatever its sensors say: go on."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The turn ends with the tiles that are shut by now: the box cannot go on with it."""


@dataclass(frozen=True, slots=True)
class ConfirmTiles:
    """The sensors say that every tile is in place."""


@dataclass(frozen=True, slots=True)
class ReportFault:
    """Something on the table is not as it should be."""

    fault: Fault


@dataclass(frozen=True, slots=True)
class Park:
    """Pause: pulses off, tiles left as they are, game kept."""


@dataclass(frozen=True, slots=True)
class Abandon:
    """Give the game up."""


Command = StartGame | TakeThrow | Choose | Confirm | Believe | EndTurn | ConfirmTiles | ReportFault | Park | Abandon
