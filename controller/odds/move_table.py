"""The table of all moves of many boards at once, whatever is thrown; none is chosen or valued here.

moves = moves_from(model.columns, states, most_sum=12, most_tiles=rules.most_tiles)
moves.row, moves.key_sum, moves.count, moves.target     # one entry a move, in no particular order

A throw t asks for the entries whose key_sum is in `rules.meets(t)` (see `Model.outcomes`). The obligation of
the first throw (`rules.first_move_key`) is not looked at here: it concerns one board alone.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.odds.columns import Column, Columns, Indices

_NEVER = 1 << 30
_ROW, _SUM, _COUNT, _TARGET = range(4)


@dataclass(frozen=True, slots=True)
class Moves:
    """Moves, one entry each; all arrays have the shape (moves,).

    row: the place of the board in the array of states asked for. key_sum: what the tiles' keys add up to (0 only
    where the tiles' keys are all 0: no throw asks for that, it can but go with another move).
    count: how many tiles (1 and more). target: the number of the board after the move.
    """

    row: Indices
    key_sum: Indices
    count: Indices
    target: Indices

    def __len__(self) -> int:
        return len(self.row)

    def only(self, chosen: NDArray[np.bool_] | Indices | slice) -> "Moves":
        """Those of a mask, of an order (in that order) or of a slice."""
        return Moves(self.row[chosen], self.key_sum[chosen], self.count[chosen], self.target[chosen])

    def by_row_and_sum(self) -> "Moves":
        """The same moves, ordered by row, then by key sum."""
        return self.only(np.lexsort((self.key_sum, self.row)))


def moves_from(columns: Columns, states: Indices, *, most_sum: int, most_tiles: int | None) -> Moves:
    """Every move of every board.

    states: numbers of boards, shape (n,), in any order, also repeated. most_sum: moves with a greater key sum are
    left out; most_tiles: and those with more tiles (None: no limit). Of each column a move takes nothing or its
    showing tile, or up to `reach` of its standing tiles from the front.
    """
    found = np.zeros((4, len(states)), np.intp)
    found[_ROW] = np.arange(len(states))
    found[_TARGET] = states
    for index, column in enumerate(columns):
        digit = columns.digit(states, index).take(found[_ROW])
        counts = range(1, min(column.reach, most_tiles or column.reach) + 1)
        sums = [found[_SUM] + _sums(column, count).take(digit) for count in counts]
        fits = [np.flatnonzero(each <= most_sum) for each in sums]
        step = columns.strides[index]
        parts = [_taken(found, *each, step) for each in zip(counts, sums, fits, strict=True)]
        found = np.concatenate([found, *parts], axis=1)
        if most_tiles is not None:
            found = found[:, found[_COUNT] <= most_tiles]
    return Moves(*found[:, len(states) :])


def _sums(column: Column, count: int) -> Indices:
    """The sum of the first `count` tiles, by digit; more than any throw where fewer stand."""
    return np.array(
        [_NEVER] * count + [column.key_sum(left, count) for left in range(count, column.height + 1)], np.intp
    )


def _taken(found: Indices, count: int, sums: Indices, fits: Indices, stride: int) -> Indices:
    """The moves of the places `fits`, with `count` more tiles of one column, which makes them add up to `sums`."""
    taken = found.take(fits, axis=1)
    taken[_SUM] = sums.take(fits)
    taken[_COUNT] += count
    taken[_TARGET] -= count * stride
    return taken
