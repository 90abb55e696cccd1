"""The table of all moves of many boards at once, for any throw. It chooses and values nothing.

moves = moves_from(model.columns, states, most_sum=12, most_tiles=rules.most_tiles)
moves.row, moves.key_sum, moves.count, moves.target     # one entry per move, in no particular order

A throw t demands an entry whose key_sum is in `rules.meets(t)` (see `Model.outcomes`). The obligation of the first move
(`rules.first_move_key`) is not checked here: it concerns a single board.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.odds.columns import Columns, Indices

_NEVER = 1 << 30
_ROW, _SUM, _COUNT, _TARGET = range(4)


@dataclass(frozen=True, slots=True)
class Moves:
    """Moves, one entry each; all arrays have the shape (moves,).

    row: the place of the board in the given array of states.
    key_sum: the sum of the tiles' keys (0 only if all keys are 0: no throw demands that; such tiles can only go with
        others).
    count: the number of tiles (1 and more).
    target: the number of the board after the move.
    """

    row: Indices
    key_sum: Indices
    count: Indices
    target: Indices

    def __len__(self) -> int:
        return len(self.row)

    def only(self, chosen: NDArray[np.bool_] | Indices | slice) -> "Moves":
        """Return the moves selected by a mask, by an order (in that order) or by a slice."""
        return Moves(self.row[chosen], self.key_sum[chosen], self.count[chosen], self.target[chosen])

    def by_row_and_sum(self) -> "Moves":
        """Return the same moves, ordered by row, then by key sum."""
        return self.only(np.lexsort((self.key_sum, self.row)))


def moves_from(columns: Columns, states: Indices, *, most_sum: int, most_tiles: int | None) -> Moves:
    """Return every move of every board.

    states: numbers of boards, shape (n,), in any order, possibly repeated.
    most_sum: moves with a greater key sum are left out.
    most_tiles: moves with more tiles are left out (None: no limit).
    A move takes no tile of a column, or 1 to `reach` of its standing tiles from the front.
    """
    found = np.zeros((4, len(states)), np.intp)
    found[_ROW] = np.arange(len(states))
    found[_TARGET] = states
    for index, column in enumerate(columns):
        digit = columns.digit(states, index).take(found[_ROW])
        parts = []
        for count in range(1, min(column.reach, most_tiles or column.reach) + 1):
            # The key sum of the first `count` tiles, by digit; more than any throw if fewer stand.
            by_digit = [_NEVER] * count + [column.key_sum(left, count) for left in range(count, column.height + 1)]
            sums = found[_SUM] + np.array(by_digit, np.intp).take(digit)
            fits = np.flatnonzero(sums <= most_sum)
            taken = found.take(fits, axis=1)
            taken[_SUM] = sums.take(fits)
            taken[_COUNT] += count
            taken[_TARGET] -= count * columns.strides[index]
            parts.append(taken)
        found = np.concatenate([found, *parts], axis=1)
        if most_tiles is not None:
            found = found[:, found[_COUNT] <= most_tiles]
    return Moves(*found[:, len(states) :])
