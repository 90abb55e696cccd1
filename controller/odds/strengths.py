"""The players of turns by chance: the choices of each strength over many boards at once.

Their definitions stand elsewhere and are those of the opponent at the table: rules of thumb in `thumb.py`, the best of
several values in `best.py`, how far others fall short of it in `temper.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress
from math import comb
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from controller.odds.aim import Aim
from controller.odds.best import best_of_runs
from controller.odds.choices import Asks, Choices, choices_of, first_of_each
from controller.odds.columns import Column, Indices
from controller.odds.model import Model
from controller.odds.temper import felt, temper_of, weights_of
from controller.odds.thumb import cost_by_thumb, dice_by_thumb
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
    temper = temper_of(name, model.rules)
    if np.isinf(temper):
        return Careless(model)
    worths = Worths(model, asks, Aim("score"), values())
    return Tempered(worths, temper) if temper else ByTheOdds(worths)


@dataclass(frozen=True, eq=False, slots=True)
class Worths:
    """What choices cost who plays for an aim; `values`: that of every board of the model to who plays best."""

    model: Model
    asks: Asks
    aim: Aim
    values: Floats

    def costs(self, choices: Choices) -> Floats:
        """The cost of each choice: points, or the chance that it leaves, times -1."""
        worths: Floats = self.values[choices.target]
        ends = self.asks.ends_turn[choices.cell % len(self.asks)]
        if ends.any():
            worths = np.where(ends, self.aim.ends(self.model, choices.target), worths)
        return -worths if self.aim.greatest else worths

    def means(self, states: Indices) -> Floats:
        """The expected cost of a throw with each number of dice, inf where it may not be thrown: (boards, numbers)."""
        choices = choices_of(self.model, self.asks, states)
        sign = -1.0 if self.aim.greatest else 1.0
        least = np.repeat(sign * self.aim.ends(self.model, states), len(self.asks))
        if len(choices):
            starts = first_of_each(choices.cell)
            least[choices.cell[starts]] = np.minimum.reduceat(self.costs(choices), starts)
        means = least.reshape(len(states), -1) @ self.asks.chances.T
        return np.where(self.model.dice_allowed_at(states).T, means, np.inf)


@dataclass(frozen=True, eq=False, slots=True)
class ByTheOdds:
    """The best by the odds; of equal ones the more dice and the first move."""

    worths: Worths

    def dice(self, states: Indices) -> Floats:
        """See `Chooser`."""
        return _dice_by(self.worths, states, self._best)

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        """See `Chooser`."""
        return _first_least(choices, self.worths.costs(choices))

    @staticmethod
    def _best(means: Floats) -> Floats:
        starts = np.arange(0, means.size, means.shape[1])
        best = best_of_runs(means.ravel(), starts, greatest=False)
        return _only(means.shape, _last(best.as_good.reshape(means.shape)))


@dataclass(frozen=True, eq=False, slots=True)
class Tempered:
    """Any choice, the more often the less it costs; see `temper.py`."""

    worths: Worths
    temper: float

    def dice(self, states: Indices) -> Floats:
        """See `Chooser`."""
        return _dice_by(self.worths, states, self._shares)

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        """See `Chooser`."""
        if not len(choices):
            return choices, np.empty(0)
        costs, starts = self._felt(self.worths.costs(choices)), first_of_each(choices.cell)
        least = np.repeat(np.minimum.reduceat(costs, starts), np.diff(starts, append=len(choices)))
        return choices, _ways(self.worths.model, choices) * weights_of(costs - least, self.temper)

    def _shares(self, means: Floats) -> Floats:
        costs = self._felt(means)
        weights = weights_of(costs - costs.min(axis=1, keepdims=True), self.temper)
        shares: Floats = weights / weights.sum(axis=1, keepdims=True)
        return shares

    def _felt(self, points: Floats) -> Floats:
        return felt(points, self.worths.model.rules)


@dataclass(frozen=True, eq=False, slots=True)
class Careless:
    """Any move as often as any other, and so with the dice."""

    model: Model

    def dice(self, states: Indices) -> Floats:
        """See `Chooser`."""
        allowed = self.model.dice_allowed_at(states).T
        shares: Floats = allowed / allowed.sum(axis=1, keepdims=True)
        return shares

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        """See `Chooser`."""
        return choices, _ways(self.model, choices)


@dataclass(frozen=True, eq=False, slots=True)
class ByThumb:
    """The least costly by the rule of thumb, of equal moves the first."""

    model: Model

    def dice(self, states: Indices) -> Floats:
        """See `Chooser`."""
        ways, way = np.unique(self.model.dice_allowed_at(states), axis=1, return_inverse=True)
        chosen = [dice_by_thumb(compress(self.model.dice, allowed)) for allowed in ways.T]
        places = np.array([*map(self.model.dice.index, chosen)], np.intp)
        return _only((len(states), len(self.model.dice)), places[way.ravel()])

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        """See `Chooser`."""
        return _first_least(choices, cost_by_thumb(choices.count, _highest(self.model, choices)))


def _dice_by(worths: Worths, states: Indices, shares_of: Callable[[Floats], Floats]) -> Floats:
    """The share of each number of dice, where there is a choice by `shares_of` what they cost."""
    allowed = worths.model.dice_allowed_at(states).T
    shares = _only(allowed.shape, _last(allowed))
    open_ = np.flatnonzero(allowed.sum(axis=1) > 1)
    if len(open_):
        shares[open_] = shares_of(worths.means(states[open_]))
    return shares


def _ways(model: Model, choices: Choices) -> Floats:
    """As how many moves each choice counts: of merged tiles there are several ways to take so many of them."""
    ways = np.ones(len(choices))
    for index, column in enumerate(model.columns):
        if column.merged and column.height > 1:
            ways *= _by_digits(model, choices, index, lambda before, after: comb(before, after))
    return ways


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
