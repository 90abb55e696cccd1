"""Why a house player shuts the tiles that it shuts: as data, kept with its choice, and as the end of a sentence."""

from dataclasses import dataclass
from typing import Literal

from controller.game.english import join_and, percent

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
