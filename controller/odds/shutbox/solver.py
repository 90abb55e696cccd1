"""The value of every board of a model under optimal play.

V(board) = best over the allowed dice of the sum over throws of P(throw) * best over moves of V(board after the move);
if a throw allows no move, the value of the board as the end of a turn (Bellman's equation of one turn: R. Bellman,
Dynamic Programming, 1957).

The columns are split in two. The outer boards are processed one by one, upwards; for each of them all inner boards are
processed together. A move takes outer tiles, inner tiles, or both:
  outer[s]  = least V after a move that takes only outer tiles, of key sum s: rows of the table, already known
  least[t]  = least of outer[t] and, for each pattern of inner tiles of key sum r, of outer[t - r] after it
Then follow the moves within the inner columns, level by level of standing inner tiles.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.odds.shutbox.model import Floats, Model
from controller.odds.shutbox.sweep import sweep
from controller.odds.shutbox.turn import mean_after
from controller.odds.work import Progress, silent

# The least number of inner boards, also as a multiple of the square root of all boards: fewer are slowed by calls, more
# by the cache (measured from 512 to 40 million boards).
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
    """Return the value of every board before its throw, shape as `final`.

    final: the value of each board as the end of a turn, shape (size,) or (size, k) for k aims at once.
    greatest: whether the player maximises it, instead of minimising.
    inner: the number of inner columns (any number gives the same values).
    progress: called with the fraction done, 0..1, now and then.
    """
    sign = -1.0 if greatest else 1.0
    cost = np.multiply(final, sign, dtype=np.float64).reshape(model.size, -1)
    if inner is None:
        boards = max(_LEAST_INNER, _TIMES_ROOT * model.columns.size**0.5)
        inner = int(np.searchsorted(model.columns.strides, boards))
    values = sweep(model, cost, inner, progress)
    values[0] = cost[0]  # the exact value: the chances of all throws add up to 1 only up to rounding
    if model.rules.first_move_key is not None and model.board == model.rules.start():
        # The first move must contain one number: a special case of the start alone.
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
        values[-1] = np.min(means, axis=0)
    values *= sign
    return values.reshape(final.shape)
