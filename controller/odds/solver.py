"""The value of every board of a model to a player who throws and moves as well as can be.

V(board) = best over the dice allowed of the sum over throws of P(throw) * best over moves of V(board after it),
and where a throw allows no move, what the board is worth as the end of a turn (Bellman's equation of one turn: R.
Bellman, Dynamic Programming, 1957).

The columns are split in two. The outer ones are gone through board by board, upwards; for each the inner boards
are looked at all together. A move takes outer tiles, inner tiles, or both:
  outer[s]  = least V after a move that takes outer tiles of key sum s alone: rows of the table, already known
  least[t]  = least of outer[t] and, for each pattern of inner tiles of key sum r, of outer[t - r] after it
and then, level by level of standing inner tiles, come the moves within the inner columns.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.odds.columns import Columns
from controller.odds.model import Model
from controller.odds.progress import Progress, silent
from controller.odds.sweep import sweep
from controller.odds.turn import Floats, mean_after

# The inner columns make at least so many boards, and so many times the root of all: fewer are slowed by calls,
# more by the cache (measured from 512 to 40 million boards).
_LEAST_INNER = 512
_TIMES_ROOT = 2


def solve(
    model: Model,
    final: NDArray[Any],
    *,
    greatest: bool = False,
    inner: int | None = None,
    progress: Progress = silent,
) -> Floats:
    """The value of every board before its throw, shape as `final`.

    final: what each board is worth as the end of a turn, shape (size,) or (size, k) for k aims at once.
    greatest: whether the player wants much of it, not little. inner: how many columns are inner ones (any number
    gives the same values). progress: told the fraction done, 0..1, now and then.
    """
    sign = -1.0 if greatest else 1.0
    cost = np.multiply(final, sign, dtype=np.float64).reshape(model.size, -1)
    values = sweep(model, cost, _inner(model.columns) if inner is None else inner, progress)
    values[0] = cost[0]  # exactly: the chances of all throws add up to 1 but for rounding
    if model.rules.first_move_key is not None and model.board == model.rules.start():
        values[-1] = _first_throw(model, values, cost)
    values *= sign
    return values.reshape(final.shape)


def _first_throw(model: Model, values: Floats, cost: Floats) -> Floats:
    """The least cost at the start of games that ask for a number in the first set: shape (k,)."""
    means = [
        mean_after(
            model.rules,
            model.board,
            dice,
            value=lambda board: values[model.index(board)],
            end=lambda board: cost[model.index(board)],
            greatest=False,
        )
        for dice in model.rules.dice_allowed(model.board)
    ]
    least: Floats = np.min(means, axis=0)
    return least


def _inner(columns: Columns) -> int:
    """The number of columns to take as inner ones."""
    boards = max(_LEAST_INNER, _TIMES_ROOT * columns.size**0.5)
    return int(np.searchsorted(columns.strides, boards))
