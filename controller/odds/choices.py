"""The legal moves of many boards at once, by the demand of a throw, in the order of `rules.legal_moves`.

This module decides which throws have the same demand, and which rows of the move table meet it. It values nothing.

demands = Demands.of(model)
choices = choices_of(model, demands, states)       # choices.cell = row * len(demands) + demand, ascending
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.columns import Floats, Indices
from controller.odds.model import Model
from controller.odds.move_table import Moves, moves_from


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
