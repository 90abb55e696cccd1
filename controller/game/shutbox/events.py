"""The events of a game in which tiles are shut, and why a house player shuts those that it shuts."""

from dataclasses import dataclass
from typing import Literal

from controller.game.core.english import join_and, percent
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

    def tell(self, worth: float) -> str:
        """A worth as it is told: `57.0 %`, or points to as many places as they are known."""
        return percent(worth) if self.wins else f"{worth:.{1 if self.played_out else 2}f}"


def explain(motive: Motive) -> str:
    """The end of the sentence that begins with who chooses which tiles."""
    match motive.ground:
        case "only":
            return ": nothing else fits"
        case "whim":
            return ": the first set that came to mind"
        case "thumb":
            return ": few tiles and high ones; the odds of this game cannot be worked out"
    found = f"it then wins {_share(motive)}" if motive.wins else f"its turn then ends with {_points(motive)}"
    if not motive.best:
        return f", the best move: {found}"
    return f", not the best: {found}; with {join_and(motive.best)} it would be {motive.tell(motive.best_worth)}"


def _share(motive: Motive) -> str:
    of = "of the turns played out in thought" if motive.played_out else "of the time"
    guessed = " if the others play for few points" if motive.guessed else ""
    return f"{motive.tell(motive.worth)} {of}{guessed}"


def _points(motive: Motive) -> str:
    how = "in turns played out in thought" if motive.played_out else "on average"
    return f"{motive.tell(motive.worth)} points {how}"


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
