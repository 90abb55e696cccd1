"""The players of turns by chance: the choices of each strength over many boards at once.

Their definitions stand elsewhere and are those of the opponent at the table: rules of thumb in `thumb.py`, the best of
several values in `best.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress
from math import comb
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from controller.odds.best import best_of_runs
from controller.odds.choices import Asks, Choices, choices_of, first_of_each
from controller.odds.columns import Column, Indices
from controller.odds.model import Model
from controller.odds.thumb import CASUAL, STEADY, Thumb
from controller.odds.turn import Floats

CHOOSERS = ("best", "careless", "casual", "steady", "skilled", "perfect")


class Chooser(Protocol):
    """A player: a pure function of boards and throws."""

    def dice(self, states: Indices) -> Floats:
        """The share of each number of dice, (boards, numbers of dice); rows add up to 1."""

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        """Those of `choices` that are made, some of each cell, and how often, in any measure within a cell."""


def chooser_of(name: str, model: Model, asks: Asks, values: Callable[[], Floats]) -> Chooser:
    """The player of a name in CHOOSERS. values: the least expected score of every board of the model."""
    match name:
        case "careless":
            return _Careless(model)
        case "casual":
            return _ByThumb(model, CASUAL)
        case "steady":
            return _ByThumb(model, STEADY)
    return _ByTheOdds(model, asks, values())


@dataclass(frozen=True, eq=False, slots=True)
class _ByTheOdds:
    """The least expected score; of equal ones the more dice and the first move."""

    model: Model
    asks: Asks
    values: Floats

    def dice(self, states: Indices) -> Floats:
        allowed = self.model.dice_allowed[:, states].T
        shares = _only(allowed.shape, _last(allowed))
        open_ = np.flatnonzero(allowed.sum(axis=1) > 1)
        if len(open_):
            means = np.where(allowed[open_], self._means(states[open_]), np.inf)
            starts = np.arange(0, means.size, means.shape[1])
            best = best_of_runs(means.ravel(), starts, greatest=False)
            shares[open_] = _only(means.shape, _last(best.as_good.reshape(means.shape)))
        return shares

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        return _first_least(choices, self._costs(choices))

    def _costs(self, choices: Choices) -> Floats:
        costs: Floats = self.values[choices.target]
        ends = self.asks.ends_turn[choices.cell % len(self.asks)]
        return np.where(ends, self.model.scores[choices.target], costs) if ends.any() else costs

    def _means(self, states: Indices) -> Floats:
        """The expected score after a throw with each number of dice, (boards, numbers of dice)."""
        choices = choices_of(self.model, self.asks, states)
        least = np.repeat(self.model.scores[states].astype(np.float64), len(self.asks))
        if len(choices):
            starts = first_of_each(choices.cell)
            least[choices.cell[starts]] = np.minimum.reduceat(self._costs(choices), starts)
        means: Floats = least.reshape(len(states), -1) @ self.asks.chances.T
        return means


@dataclass(frozen=True, eq=False, slots=True)
class _ByThumb:
    """The least costly by a rule of thumb, of equal moves the first."""

    model: Model
    thumb: Thumb

    def dice(self, states: Indices) -> Floats:
        ways, way = np.unique(self.model.dice_allowed[:, states], axis=1, return_inverse=True)
        chosen = [self.thumb.dice(compress(self.model.dice, allowed)) for allowed in ways.T]
        places = np.array([*map(self.model.dice.index, chosen)], np.intp)
        return _only((len(states), len(self.model.dice)), places[way.ravel()])

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        return _first_least(choices, self.thumb.cost(choices.count, _highest(self.model, choices)))


@dataclass(frozen=True, eq=False, slots=True)
class _Careless:
    """Any move as often as any other, and so with the dice."""

    model: Model

    def dice(self, states: Indices) -> Floats:
        allowed = self.model.dice_allowed[:, states].T
        shares: Floats = allowed / allowed.sum(axis=1, keepdims=True)
        return shares

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        """One choice of merged tiles stands for as many moves as there are ways to take so many of them."""
        ways = np.ones(len(choices))
        for index, column in enumerate(self.model.columns):
            if column.merged and column.height > 1:
                ways *= _by_digits(self.model, choices, index, lambda before, after: comb(before, after))
        return choices, ways


def _highest(model: Model, choices: Choices) -> Indices:
    """The highest value among the tiles of each move."""
    highest = np.zeros(len(choices), np.intp)
    for index, column in enumerate(model.columns):
        np.maximum(highest, _by_digits(model, choices, index, _most_of(column)), out=highest)
    return highest


def _most_of(column: Column) -> Callable[[int, int], int]:
    def most(before: int, after: int) -> int:
        taken = column.standing(before)[: max(0, before - after)]
        return max((tile.value for tile in taken), default=0)

    return most


def _by_digits(model: Model, choices: Choices, index: int, of: Callable[[int, int], int]) -> NDArray[Any]:
    """`of` the digits of a column before and after each move."""
    digits = range(model.columns.bases[index])
    table = np.array([[of(before, after) for after in digits] for before in digits])
    before, after = model.columns.digit(choices.source, index), model.columns.digit(choices.target, index)
    found: NDArray[Any] = table[before, after]
    return found


def _first_least(choices: Choices, costs: NDArray[Any]) -> tuple[Choices, Floats]:
    """The first of the least costly choices of each cell."""
    good = choices.only(best_of_runs(costs, first_of_each(choices.cell), greatest=False).as_good)
    first = good.only(first_of_each(good.cell))
    return first, np.ones(len(first))


def _last(allowed: NDArray[np.bool_]) -> Indices:
    """The last place in each row that is true."""
    last: Indices = allowed.shape[1] - 1 - allowed[:, ::-1].argmax(axis=1)
    return last


def _only(shape: tuple[int, ...], places: Indices) -> Floats:
    """Rows of zeros with a 1 at each of `places`."""
    rows = np.zeros(shape)
    rows[np.arange(len(rows)), places] = 1
    return rows
