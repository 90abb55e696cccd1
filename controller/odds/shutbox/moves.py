"""The table of all moves of many boards at once, for any throw. It chooses and values nothing.

moves = moves_from(model.columns, states, most_sum=12, most_tiles=rules.most_tiles)
moves.row, moves.key_sum, moves.count, moves.target     # one entry per move, in no particular order

A throw t demands an entry whose key_sum is in `rules.meets(t)` (see `Model.outcomes`). The obligation of the first move
(`rules.first_move_key`) is not checked here: it concerns a single board.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.shutbox.model import Columns, Floats, Indices, Model

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


class Demand(NamedTuple):
    """A demand: the sums of keys of which a move must make one (none: the turn is over), and whether that ends it."""

    sums: frozenset[int]
    ends_turn: bool


@dataclass(frozen=True, slots=True)
class Demands:
    """All demands of the throws of a game.

    chances: shape (numbers of dice, demands), 0..1; each row adds up to 1.
    of_sum: shape (layers, sums): in each layer a demand that the sum meets, or -1; most games have one layer.
    """

    all: tuple[Demand, ...]
    chances: Floats
    of_sum: Indices

    @classmethod
    def of(cls, model: Model) -> "Demands":
        """Return all demands in the game of a model."""
        chances: dict[Demand, Floats] = {}
        for row, dice in enumerate(model.dice):
            for outcome in model.outcomes[dice]:
                demand = Demand(outcome.sums, outcome.ends_turn)
                chances.setdefault(demand, np.zeros(len(model.dice)))[row] += outcome.probability
        meeting = [
            [index for index, demand in enumerate(chances) if sum_ in demand.sums] for sum_ in range(model.most_sum + 1)
        ]
        depth = max(map(len, meeting))
        of_sum = np.array([found + [-1] * (depth - len(found)) for found in meeting], np.intp).T
        return cls(tuple(chances), np.transpose([*chances.values()]), of_sum)

    def __len__(self) -> int:
        return len(self.all)

    @property
    def ends_turn(self) -> NDArray[np.bool_]:
        """Per demand, whether a move that meets it ends the turn."""
        return np.array([demand.ends_turn for demand in self.all])


@dataclass(frozen=True, slots=True)
class Choices:
    """Moves, one entry each, shape (moves,): first by cell, then in the order of `rules.legal_moves`.

    cell: row * demands + demand, where `row` is a place in the array of states.
    source, target: the numbers of the boards before and after the move.
    count: the number of tiles that it takes. Merged tiles are taken from the front, as one move.
    """

    cell: Indices
    source: Indices
    target: Indices
    count: Indices

    def __len__(self) -> int:
        return len(self.cell)

    def only(self, chosen: NDArray[np.bool_] | Indices) -> "Choices":
        """Return the moves selected by a mask, or by an order of places."""
        return Choices(self.cell[chosen], self.source[chosen], self.target[chosen], self.count[chosen])


def choices_of(model: Model, demands: Demands, states: Indices, wanted: NDArray[np.bool_] | None = None) -> Choices:
    """Return every choice on the boards `states`; only of the cells in `wanted`, shape (states, demands), if given."""
    moves = moves_from(model.columns, states, most_sum=model.most_sum, most_tiles=model.rules.most_tiles)
    if model.rules.first_move_key is not None and model.board == model.rules.start():
        moves = moves.only(_may_come_first(model, states, moves))
    parts = []
    for of_sum in demands.of_sum:
        demand = of_sum[moves.key_sum]
        chosen = np.flatnonzero(demand >= 0 if wanted is None else (demand >= 0) & wanted[moves.row, demand])
        part = moves.only(chosen)
        parts.append((part.row * len(demands) + demand[chosen], states[part.row], part.target, part.count))
    found = Choices(*map(np.concatenate, zip(*parts, strict=True)))
    taken = _tiles_of(model, found.source) - _tiles_of(model, found.target)
    return found.only(np.lexsort((-taken, found.count, found.cell)))


def first_of_each(sorted_: NDArray[np.integer[Any]]) -> Indices:
    """Return the places at which runs of equal numbers begin."""
    return np.flatnonzero(np.diff(sorted_, prepend=-1))


def _may_come_first(model: Model, states: Indices, moves: Moves) -> NDArray[np.bool_]:
    """Return which moves are not the first of a turn, or take a tile with the key that the first must contain."""
    before = states[moves.row]
    free: NDArray[np.bool_] = before != model.size - 1
    for index, column in enumerate(model.columns):
        if model.rules.first_move_key in column.keys:
            free |= model.columns.digit(before, index) > model.columns.digit(moves.target, index)
    return free


def _tiles_of(model: Model, states: Indices) -> NDArray[np.int64]:
    """Return the standing tiles of each board as the bits of a number.

    Of sets with equally many tiles, the one that `rules.legal_moves` lists first is the greatest number.
    """
    places = sorted(tile.place for column in model.columns for tile in column.tiles)
    bits = {place: 1 << (len(places) - 1 - rank) for rank, place in enumerate(places)}
    tiles = np.zeros(states.shape, np.int64)
    for index, column in enumerate(model.columns):
        by_digit = [sum(bits[tile.place] for tile in column.standing(digit)) for digit in range(column.height + 1)]
        tiles += np.array(by_digit, np.int64)[model.columns.digit(states, index)]
    return tiles
