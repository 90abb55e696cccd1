"""The legal moves of many boards at once, by what a throw can ask for, in the order of `rules.legal_moves`.

Decided here: which throws ask for the same, and which rows of the move table meet them. Nothing is valued here.

asks = Asks.of(model)
choices = choices_of(model, asks, states)       # choices.cell = row * len(asks) + ask, ascending
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.columns import Column, Indices
from controller.odds.model import Model
from controller.odds.move_table import Moves, moves_from
from controller.odds.turn import Floats


class Ask(NamedTuple):
    """The sums of keys of which a move must make one (none: the turn is over), and whether it ends the turn."""

    sums: frozenset[int]
    ends_turn: bool


@dataclass(frozen=True, slots=True)
class Asks:
    """All that throws of a game can ask for.

    chances: shape (numbers of dice, asks), 0..1; each row adds up to 1. of_sum: shape (layers, sums): in each layer
    an ask that the sum meets, or -1; most games have one layer.
    """

    all: tuple[Ask, ...]
    chances: Floats
    of_sum: Indices

    @classmethod
    def of(cls, model: Model) -> "Asks":
        """All that is asked for in a model's game."""
        chances: dict[Ask, Floats] = {}
        for row, dice in enumerate(model.dice):
            for outcome in model.outcomes[dice]:
                ask = Ask(outcome.sums, outcome.ends_turn)
                chances.setdefault(ask, np.zeros(len(model.dice)))[row] += outcome.probability
        return cls(tuple(chances), np.transpose([*chances.values()]), _layers(tuple(chances), model.most_sum))

    def __len__(self) -> int:
        return len(self.all)

    @property
    def ends_turn(self) -> NDArray[np.bool_]:
        """Per ask, whether a move that meets it ends the turn."""
        return np.array([ask.ends_turn for ask in self.all])


@dataclass(frozen=True, slots=True)
class Choices:
    """Moves, one entry each, shape (moves,): first by cell, then in the order of `rules.legal_moves`.

    cell: row * asks + ask, `row` a place in the array of states. source, target: the numbers of the boards before
    and after the move. count: how many tiles it takes. Merged tiles go from the front, as one move.
    """

    cell: Indices
    source: Indices
    target: Indices
    count: Indices

    def __len__(self) -> int:
        return len(self.cell)

    def only(self, chosen: NDArray[np.bool_] | Indices) -> "Choices":
        """Those of a mask or of an order."""
        return Choices(self.cell[chosen], self.source[chosen], self.target[chosen], self.count[chosen])


def choices_of(model: Model, asks: Asks, states: Indices, wanted: NDArray[np.bool_] | None = None) -> Choices:
    """Every choice on the boards `states`; of those in `wanted`, shape (states, asks), where it is given."""
    moves = moves_from(model.columns, states, most_sum=model.most_sum, most_tiles=model.rules.most_tiles)
    if model.rules.first_move_key is not None and model.board == model.rules.start():
        moves = moves.only(_may_come_first(model, states, moves))
    found = _by_ask(asks, states, moves, wanted)
    taken = _tiles_of(model, found.source) - _tiles_of(model, found.target)
    return found.only(np.lexsort((-taken, found.count, found.cell)))


def first_of_each(sorted_: NDArray[np.integer[Any]]) -> Indices:
    """The places at which the runs of equal numbers begin."""
    return np.flatnonzero(np.diff(sorted_, prepend=-1))


def _layers(asks: tuple[Ask, ...], most_sum: int) -> Indices:
    of_sum = [[index for index, ask in enumerate(asks) if sum_ in ask.sums] for sum_ in range(most_sum + 1)]
    depth = max(map(len, of_sum))
    return np.array([found + [-1] * (depth - len(found)) for found in of_sum], np.intp).T


def _may_come_first(model: Model, states: Indices, moves: Moves) -> NDArray[np.bool_]:
    """True for the moves that take a tile of the key that the first one must contain, or are not the first."""
    before = states[moves.row]
    free: NDArray[np.bool_] = before != model.size - 1
    for index, column in enumerate(model.columns):
        if model.rules.first_move_key in column.keys:
            free |= model.columns.digit(before, index) > model.columns.digit(moves.target, index)
    return free


def _by_ask(asks: Asks, states: Indices, moves: Moves, wanted: NDArray[np.bool_] | None) -> Choices:
    parts = []
    for of_sum in asks.of_sum:
        ask = of_sum[moves.key_sum]
        chosen = np.flatnonzero(ask >= 0 if wanted is None else (ask >= 0) & wanted[moves.row, ask])
        part = moves.only(chosen)
        parts.append((part.row * len(asks) + ask[chosen], states[part.row], part.target, part.count))
    return Choices(*map(np.concatenate, zip(*parts, strict=True)))


def _tiles_of(model: Model, states: Indices) -> NDArray[np.int64]:
    """The standing tiles of each board as the bits of a number: of as many tiles, the set that is listed first by
    `rules.legal_moves` is the greatest number."""
    places = sorted(tile.place for column in model.columns for tile in column.tiles)
    bits = {place: 1 << (len(places) - 1 - rank) for rank, place in enumerate(places)}
    tiles = np.zeros(states.shape, np.int64)
    for index, column in enumerate(model.columns):
        tiles += _bits_by_digit(column, bits)[model.columns.digit(states, index)]
    return tiles


def _bits_by_digit(column: Column, bits: dict[tuple[int, int], int]) -> NDArray[np.int64]:
    sums = [sum(bits[tile.place] for tile in column.standing(digit)) for digit in range(column.height + 1)]
    return np.array(sums, np.int64)
