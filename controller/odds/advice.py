"""The advice to a player at one board: its value, the best number of dice, the best moves.

odds = odds_of(rules_of("pub"))
odds.before(board, Aim.parse("score"))            # Before(value=11.0092085932..., dice=2)
odds.after(board, throw, Aim.parse("shut"))       # After(value=..., best=(move, ...))
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from controller.odds.aim import Aim
from controller.odds.best import best_of
from controller.odds.limits import MOST_SCORES_OF_A_CURVE
from controller.odds.model import Model
from controller.odds.progress import Progress, silent, span
from controller.odds.solver import solve
from controller.odds.tables import Table, Tables, Warn
from controller.odds.turn import mean_after
from controller.rules import Board, InvalidOption, Move, Ruleset, Throw

# Values that one pass of the solver works on at once, for a curve: half a gigabyte.
_AT_ONCE = 1 << 25


@dataclass(frozen=True, slots=True)
class Before:
    """Before a throw: the value (points, or a chance 0..1) and the best number of dice; None if the box is shut."""

    value: float
    dice: int | None


@dataclass(frozen=True, slots=True)
class After:
    """After a throw: the value and all best moves, in the order of the rules; none where the turn is over."""

    value: float
    best: tuple[Move, ...]


@dataclass(frozen=True)
class Odds:
    """The odds of one ruleset, for any of its boards. Every method raises `TooManyBoards`.

    Lifetime: tables are solved when first needed and shared by all odds of one process.
    Concurrency: any thread may call.
    """

    tables: Tables

    @property
    def rules(self) -> Ruleset:
        """The rules that these are the odds of."""
        return self.tables.rules

    def before(self, board: Board, aim: Aim) -> Before:
        """The value of a board before its throw, and with how many dice to throw (the more of equally good)."""
        table = self.tables.of(board, aim)
        value = aim.tidy(table.value(board))
        return Before(value, None if board.is_shut else self._dice(board, table, aim))

    def with_dice(self, board: Board, dice: int, aim: Aim) -> float:
        """The value of a board before a throw of so many dice, which need not be the best number."""
        return self._mean(board, dice, self.tables.of(board, aim), aim)

    def after(self, board: Board, throw: Throw, aim: Aim) -> After:
        """The value of the best move, and every move as good as it (see `best_of`)."""
        moves = self.rules.legal_moves(board, throw)
        if not moves:
            return After(aim.end(self.rules, board), ())
        best, places = best_of(self.values(board, throw, moves, aim), greatest=aim.greatest)
        return After(aim.tidy(best), tuple(moves[place] for place in places))

    def curve(self, board: Board) -> tuple[float, ...]:
        """The greatest chance to end with at most N points, for N from 0 to the most that any board here costs.

        Raises `InvalidOption` where scores are too great for that (score=digits).
        """
        model = Model.of(self.rules, board)
        most = int(model.scores.max())
        if most >= MOST_SCORES_OF_A_CURVE:
            raise InvalidOption(f"a curve goes up to {MOST_SCORES_OF_A_CURVE} points, these boards cost up to {most}")
        step = max(1, _AT_ONCE // model.size)
        parts = (self._chances(model, low, min(low + step, most + 1), most + 1) for low in range(0, most + 1, step))
        return tuple(chain.from_iterable(parts))

    def _chances(self, model: Model, low: int, high: int, limits: int) -> list[float]:
        """The chances at the board of a model for the limits from `low` to below `high`, of so many."""
        ends = model.scores[:, None] <= np.arange(low, high)
        progress = span(self.tables.progress, low / limits, high / limits)
        chances = solve(model, ends, greatest=True, progress=progress)[-1]
        return [*map(Aim("at-most").tidy, chances.tolist())]

    def values(self, board: Board, throw: Throw, moves: Sequence[Move], aim: Aim) -> list[float]:
        """The value of each of these moves, legal with `throw`: of the board after it, or the end it brings."""
        boards = [board.without(move) for move in moves]
        if self.rules.ends_turn(throw):
            return [aim.end(self.rules, each) for each in boards]
        table = self.tables.of(board, aim)
        return [table.value(each) for each in boards]

    def _dice(self, board: Board, table: Table, aim: Aim) -> int:
        allowed = sorted(self.rules.dice_allowed(board), reverse=True)
        if len(allowed) == 1:
            return allowed[0]
        _, places = best_of([self._mean(board, dice, table, aim) for dice in allowed], greatest=aim.greatest)
        return allowed[places[0]]

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
    """No warning is heard."""


def odds_of(rules: Ruleset, *, folder: Path | None = None, progress: Progress = silent, warn: Warn = ignore) -> Odds:
    """The odds of a ruleset. Nothing is solved yet.

    folder: where tables of more than a million boards are kept; None: nowhere. progress: told the fraction done
    of long work, 0..1. warn: told one line when a kept table could not be used, or none be kept. Raises
    `InvalidOption` for alternate throws on a common board, where no turn is one player's own.
    """
    if rules.terms.alternate:
        raise InvalidOption("the odds are of turns that one player plays through: leave out alternate=true")
    return Odds(Tables(rules, folder, progress, warn))
