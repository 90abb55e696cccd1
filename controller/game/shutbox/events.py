"""The events of a game in which tiles are shut, and why a house player shuts those that it shuts."""

from dataclasses import dataclass
from typing import Literal

from controller.game.core.events import GameEvent
from controller.game.core.players import Source

# only: nothing else fits. whim: the first set that came to mind. thumb: few tiles and high ones, where no odds can be
# worked out. odds: what the tiles are worth.
Ground = Literal["only", "whim", "thumb", "odds"]


@dataclass(frozen=True, slots=True)
class Motive:
    """Why a set of tiles was chosen. All but the ground means something by the odds alone.

    worth: the points with which the turn then ends; with `wins` the chance to win, 0..1. best: the best set, with its
    worth; empty where it was chosen. played_out: found by playing turns out in thought. guessed: the others are taken
    to play for few points.
    """

    ground: Ground
    worth: float = 0.0
    best: tuple[str, ...] = ()
    best_worth: float = 0.0
    wins: bool = False
    played_out: bool = False
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class FirstRolled(GameEvent):
    """A player threw for who begins."""

    player: int
    dice: tuple[int, ...]
    source: Source
    kind: Literal["first_rolled"] = "first_rolled"


@dataclass(frozen=True, slots=True)
class DiceThrown(GameEvent):
    """The dice lie still and have been read, or somebody typed what they show."""

    dice: tuple[int, ...]
    source: Source
    kind: Literal["dice_thrown"] = "dice_thrown"


@dataclass(frozen=True, slots=True)
class ThrowCorrected(GameEvent):
    """Somebody at the box says that the dice show something else than was read."""

    read: tuple[int, ...]
    dice: tuple[int, ...]
    kind: Literal["throw_corrected"] = "throw_corrected"


@dataclass(frozen=True, slots=True)
class MoveChosen(GameEvent):
    """The player chose the tiles to shut; a house player says why: in English in games of earlier versions."""

    tiles: tuple[str, ...]
    why: Motive | str | None = None
    kind: Literal["move_chosen"] = "move_chosen"


@dataclass(frozen=True, slots=True)
class ChoiceUndone(GameEvent):
    """A player takes back what followed from the last throw: tiles come up again, or a turn goes on that had ended."""

    player: int
    tiles: tuple[str, ...]
    kind: Literal["choice_undone"] = "choice_undone"


@dataclass(frozen=True, slots=True)
class TurnEnded(GameEvent):
    """A turn is over: nothing could be shut, or the box is shut. `lost`: on its first throw, by the game's rule."""

    player: int
    score: int
    lost: bool = False
    kind: Literal["turn_ended"] = "turn_ended"


@dataclass(frozen=True, slots=True)
class TurnPassed(GameEvent):
    """The next player throws, in games where they throw once each."""

    player: int
    kind: Literal["turn_passed"] = "turn_passed"


@dataclass(frozen=True, slots=True)
class RoundTied(GameEvent):
    """Several have the lowest score; they play another turn for the round."""

    players: tuple[int, ...]
    kind: Literal["round_tied"] = "round_tied"


@dataclass(frozen=True, slots=True)
class RoundEnded(GameEvent):
    """A round is decided: several winners share it, none means that nobody won. `outright`: by shutting the box."""

    winners: tuple[int, ...]
    outright: bool = False
    kind: Literal["round_ended"] = "round_ended"


@dataclass(frozen=True, slots=True)
class BoardCorrected(GameEvent):
    """Somebody says that the tiles are right: these stand. What was chosen before can no longer be taken back."""

    standing: tuple[str, ...]
    kind: Literal["board_corrected"] = "board_corrected"


BoxEvent = (
    FirstRolled
    | DiceThrown
    | ThrowCorrected
    | MoveChosen
    | ChoiceUndone
    | TurnEnded
    | TurnPassed
    | RoundTied
    | RoundEnded
    | BoardCorrected
)
