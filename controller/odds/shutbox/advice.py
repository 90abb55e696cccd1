"""Advice to a player at one board: its value, the best number of dice, the best moves.

odds = odds_of(rules_of("pub"))
odds.before(board, Aim.parse("score"))            # Before(value=11.0092085932..., dice=2)
odds.after(board, throw, Aim.parse("shut"))       # After(value=..., best=(move, ...))
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from controller.odds.best import best_of
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.model import Model
from controller.odds.shutbox.solver import solve
from controller.odds.shutbox.tables import Table, Tables, Warn
from controller.odds.shutbox.turn import mean_after
from controller.odds.work import MOST_SCORES_OF_A_CURVE, Progress, silent, span
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.ruleset import Move, Ruleset
from controller.rules.throw import Throw

# The number of values that one pass of the solver handles for a curve: half a gigabyte.
_AT_ONCE = 1 << 25


@dataclass(frozen=True, slots=True)
class Before:
    """Before a throw: the value (points, or a chance 0..1) and the best number of dice (None if the box is shut)."""

    value: float
    dice: int | None


@dataclass(frozen=True, slots=True)
class After:
    """After a throw: the value and all best moves, in the order of the rules; none if the turn is over."""

    value: float
    best: tuple[Move, ...]


@dataclass(frozen=True)
class Odds:
    """The odds of one ruleset, for any of its boards. Every method raises `TooManyBoards`.

    Lifetime: tables are solved when first needed and shared by all `Odds` of one process.
    Concurrency: any thread may call.
    """

    tables: Tables

    @property
    def rules(self) -> Ruleset:
        return self.tables.rules

    def before(self, board: Board, aim: Aim) -> Before:
        """Return the value of a board before its throw, and the best number of dice (of equal ones the greatest)."""
        table = self.tables.of(board, aim)
        value = aim.tidy(table.value(board))
        if board.is_shut:
            return Before(value, None)
        allowed = sorted(self.rules.dice_allowed(board), reverse=True)
        if len(allowed) == 1:
            return Before(value, allowed[0])
        _, places = best_of([self._mean(board, dice, table, aim) for dice in allowed], greatest=aim.greatest)
        return Before(value, allowed[places[0]])

    def with_dice(self, board: Board, dice: int, aim: Aim) -> float:
        """Return the value of a board before a throw of `dice` dice, which need not be the best number."""
        return self._mean(board, dice, self.tables.of(board, aim), aim)

    def after(self, board: Board, throw: Throw, aim: Aim) -> After:
        """Return the value of the best move, and every move as good as it (see `best_of`)."""
        moves = self.rules.legal_moves(board, throw)
        if not moves:
            return After(aim.end(self.rules, board), ())
        best, places = best_of(self.values(board, throw, moves, aim), greatest=aim.greatest)
        return After(aim.tidy(best), tuple(moves[place] for place in places))

    def curve(self, board: Board) -> tuple[float, ...]:
        """Return the greatest chance to end with at most N points, for N from 0 to the greatest possible score.

        Raises `InvalidOption` if scores are too great for that (score=digits).
        """
        model = Model.of(self.rules, board)
        most = int(model.scores.max())
        if most >= MOST_SCORES_OF_A_CURVE:
            raise InvalidOption(f"a curve goes up to {MOST_SCORES_OF_A_CURVE} points, these boards cost up to {most}")
        step, limits = max(1, _AT_ONCE // model.size), most + 1
        found: list[float] = []
        for low in range(0, limits, step):
            high = min(low + step, limits)
            ends = model.scores[:, None] <= np.arange(low, high)
            progress = span(self.tables.progress, low / limits, high / limits)
            # The last board of a model is the one that it was made of.
            chances = solve(model, ends, greatest=True, progress=progress)[-1]
            found += map(Aim("at-most").tidy, chances.tolist())
        return tuple(found)

    def values(self, board: Board, throw: Throw, moves: Sequence[Move], aim: Aim) -> list[float]:
        """Return the value of each of these legal moves: that of the board after it, or of the end of the turn."""
        boards = [board.without(move) for move in moves]
        if self.rules.ends_turn(throw):
            return [aim.end(self.rules, each) for each in boards]
        table = self.tables.of(board, aim)
        return [table.value(each) for each in boards]

    def _mean(self, board: Board, dice: int, table: Table, aim: Aim) -> float:
        mean = mean_after(
            self.rules,
            board,
            dice,
            value=lambda after: np.array([table.value(after)]),
            end=lambda after: np.array([aim.end(self.rules, after)]),
            greatest=aim.greatest,
        )
        return float(mean[0])


def ignore(line: str) -> None:
    """Ignore a warning."""


def odds_of(rules: Ruleset, *, folder: Path | None = None, progress: Progress = silent, warn: Warn = ignore) -> Odds:
    """Return the odds of a ruleset. Nothing is solved yet.

    folder: where tables of more than a million boards are kept; None: nowhere.
    progress: called with the fraction done of long work, 0..1.
    warn: called with one line if a kept table cannot be used, or a table cannot be kept.
    Raises `InvalidOption` for alternate throws on a common board, where no turn belongs to one player.
    """
    if rules.terms.alternate:
        raise InvalidOption("the odds are of turns that one player plays through: leave out alternate=true")
    return Odds(Tables(rules, folder, progress, warn))
