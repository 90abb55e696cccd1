"""The players of simulated turns: their choices on many boards at once.

They share their definitions with the opponent at the table: the heuristic (a rule of thumb), the best of several values
(`best.py`), and the noise by which players fall short of it.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from math import comb
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from controller.odds.best import best_of_runs
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.model import Column, Floats, Indices, Model
from controller.odds.shutbox.moves import Choices, Demands, choices_of, first_of_each
from controller.rules.shutbox.ruleset import Move, Ruleset


def noise_in_points(share: float, rules: Ruleset) -> float:
    """Return a noise in perceived points. share: of the cost of all tiles at the start; 0: none; inf: pure chance."""
    return share if math.isinf(share) else share * float(perceived(rules.score(rules.start()), rules))


def perceived(points: ArrayLike, rules: Ruleset) -> Floats:
    """Return points (0 and up) as a player perceives them: by the number of digits if the score is read as digits."""
    found = np.asarray(points, np.float64)
    return np.log10(1 + found) if rules.options.score == "digits" else found


def weights_of(losses: ArrayLike, noise: float) -> Floats:
    """Return how often choices are made, relative to the best choice (1).

    A choice that leaves `loss` points more than the best one is made exp(-loss / noise) times as often (R. D. Luce,
    Individual Choice Behavior, 1959; the softmax of machine learning): small mistakes are common and great ones rare,
    as with people. The opponent at the table, who evaluates one throw, and simulated turns, which evaluate thousands of
    boards at once, share this definition.

    losses: perceived points beyond those of the best choice, 0 and up, any shape; the result has the same shape.
    noise: in perceived points, above 0; inf: every choice is equally frequent.
    """
    weights: Floats = np.exp(-np.asarray(losses, np.float64) / noise)
    return weights


Counts = TypeVar("Counts", int, Indices)

# More than the value of any tile (marks are worth up to 99): the number of tiles matters before their values.
_A_TILE = 1000


def heuristic_cost(tiles: Counts, highest: Counts) -> Counts:
    """Return the cost of moves with this number of tiles and highest value of a tile; the least cost is best.

    Few tiles are best, and of equally few the highest, because small tiles are easy to shut later. Playouts use this
    heuristic when the odds cannot be calculated in time, and house players when they cannot be calculated at all.
    """
    return _A_TILE * tiles - highest


def heuristic_move(moves: Sequence[Move]) -> Move:
    """Return the least costly of these moves, of equal ones the first."""
    return min(moves, key=lambda move: heuristic_cost(len(move), max(tile.value for tile in move)))


def heuristic_dice(allowed: Iterable[int]) -> int:
    """Return the number of dice to throw, of those allowed: the least."""
    return min(allowed)


class Chooser(Protocol):
    """A player: a pure function of boards and throws."""

    def dice(self, states: Indices) -> Floats:
        """Return the share of each number of dice, (boards, numbers of dice); rows add up to 1."""

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        """Return the choices that are made, at least one per cell, and their weights within the cell."""


def chooser_of(noise: float, model: Model, demands: Demands, values: Callable[[], Floats]) -> Chooser:
    """Return the player who plays for few points with this noise (see `noise_in_points`).

    values: returns the least expected score of every board of the model; not called if chance alone decides.
    """
    noise = noise_in_points(noise, model.rules)
    if np.isinf(noise):
        return Careless(model)
    worths = Worths(model, demands, Aim("score"), values())
    return Noisy(worths, noise) if noise else ByTheOdds(worths)


@dataclass(frozen=True, eq=False, slots=True)
class Worths:
    """What each choice costs a player with this aim. values: the value of every board of the model under best play."""

    model: Model
    demands: Demands
    aim: Aim
    values: Floats

    def costs(self, choices: Choices) -> Floats:
        """Return the cost of each choice: the points that it leads to, or minus the chance that it leaves."""
        worths: Floats = self.values[choices.target]
        ends = self.demands.ends_turn[choices.cell % len(self.demands)]
        if ends.any():
            worths = np.where(ends, self.aim.ends(self.model, choices.target), worths)
        return -worths if self.aim.greatest else worths

    def means(self, states: Indices) -> Floats:
        """Return the expected cost of a throw with each number of dice, inf if not allowed: (boards, numbers)."""
        choices = choices_of(self.model, self.demands, states)
        sign = -1.0 if self.aim.greatest else 1.0
        least = np.repeat(sign * self.aim.ends(self.model, states), len(self.demands))
        if len(choices):
            starts = first_of_each(choices.cell)
            least[choices.cell[starts]] = np.minimum.reduceat(self.costs(choices), starts)
        means = least.reshape(len(states), -1) @ self.demands.chances.T
        return np.where(self.model.dice_allowed_at(states).T, means, np.inf)


@dataclass(frozen=True, eq=False, slots=True)
class ByTheOdds:
    """The best choice by the odds; of equal choices, the most dice and the first move."""

    worths: Worths

    def dice(self, states: Indices) -> Floats:
        return _dice_by(self.worths, states, self._best)

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        return _first_least(choices, self.worths.costs(choices))

    @staticmethod
    def _best(means: Floats) -> Floats:
        starts = np.arange(0, means.size, means.shape[1])
        best = best_of_runs(means.ravel(), starts, greatest=False)
        return _only(means.shape, _last(best.as_good.reshape(means.shape)))


@dataclass(frozen=True, eq=False, slots=True)
class Noisy:
    """Any choice, the less it costs the more often; see `weights_of`."""

    worths: Worths
    noise: float

    def dice(self, states: Indices) -> Floats:
        return _dice_by(self.worths, states, self._shares)

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        if not len(choices):
            return choices, np.empty(0)
        costs = perceived(self.worths.costs(choices), self.worths.model.rules)
        starts = first_of_each(choices.cell)
        least = np.repeat(np.minimum.reduceat(costs, starts), np.diff(starts, append=len(choices)))
        return choices, _ways(self.worths.model, choices) * weights_of(costs - least, self.noise)

    def _shares(self, means: Floats) -> Floats:
        costs = perceived(means, self.worths.model.rules)
        weights = weights_of(costs - costs.min(axis=1, keepdims=True), self.noise)
        shares: Floats = weights / weights.sum(axis=1, keepdims=True)
        return shares


@dataclass(frozen=True, eq=False, slots=True)
class Careless:
    """Any move, and any number of dice, as often as any other."""

    model: Model

    def dice(self, states: Indices) -> Floats:
        allowed = self.model.dice_allowed_at(states).T
        shares: Floats = allowed / allowed.sum(axis=1, keepdims=True)
        return shares

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        return choices, _ways(self.model, choices)


@dataclass(frozen=True, eq=False, slots=True)
class ByHeuristic:
    """The least costly choice by the heuristic; of equal moves, the first."""

    model: Model

    def dice(self, states: Indices) -> Floats:
        ways, way = np.unique(self.model.dice_allowed_at(states), axis=1, return_inverse=True)
        chosen = [heuristic_dice(compress(self.model.dice, allowed)) for allowed in ways.T]
        places = np.array([*map(self.model.dice.index, chosen)], np.intp)
        return _only((len(states), len(self.model.dice)), places[way.ravel()])

    def moves(self, choices: Choices) -> tuple[Choices, Floats]:
        highest = np.zeros(len(choices), np.intp)  # the highest value among the tiles of each move
        for index, column in enumerate(self.model.columns):
            np.maximum(highest, _by_digits(self.model, choices, index, _most_of(column)), out=highest)
        return _first_least(choices, heuristic_cost(choices.count, highest))


def _dice_by(worths: Worths, states: Indices, shares_of: Callable[[Floats], Floats]) -> Floats:
    """Return the share of each number of dice; if several are allowed, by `shares_of` their expected costs."""
    allowed = worths.model.dice_allowed_at(states).T
    shares = _only(allowed.shape, _last(allowed))
    open_ = np.flatnonzero(allowed.sum(axis=1) > 1)
    if len(open_):
        shares[open_] = shares_of(worths.means(states[open_]))
    return shares


def _ways(model: Model, choices: Choices) -> Floats:
    """Return as how many moves each choice counts: merged tiles can be taken in several ways."""
    ways = np.ones(len(choices))
    for index, column in enumerate(model.columns):
        if column.merged and column.height > 1:
            ways *= _by_digits(model, choices, index, lambda before, after: comb(before, after))
    return ways


def _most_of(column: Column) -> Callable[[int, int], int]:
    def most(before: int, after: int) -> int:
        taken = column.standing(before)[: max(0, before - after)]
        return max((tile.value for tile in taken), default=0)

    return most


def _by_digits(model: Model, choices: Choices, index: int, of: Callable[[int, int], int]) -> NDArray[Any]:
    """Return `of` applied to the digits of a column before and after each move."""
    digits = range(model.columns.bases[index])
    table = np.array([[of(before, after) for after in digits] for before in digits])
    before, after = model.columns.digit(choices.source, index), model.columns.digit(choices.target, index)
    found: NDArray[Any] = table[before, after]
    return found


def _first_least(choices: Choices, costs: NDArray[Any]) -> tuple[Choices, Floats]:
    """Return the first of the least costly choices of each cell, each with weight 1."""
    good = choices.only(best_of_runs(costs, first_of_each(choices.cell), greatest=False).as_good)
    first = good.only(first_of_each(good.cell))
    return first, np.ones(len(first))


def _last(allowed: NDArray[np.bool_]) -> Indices:
    """Return the last true place in each row."""
    last: Indices = allowed.shape[1] - 1 - allowed[:, ::-1].argmax(axis=1)
    return last


def _only(shape: tuple[int, ...], places: Indices) -> Floats:
    """Return rows of zeros with a 1 at each of `places`."""
    rows = np.zeros(shape)
    rows[np.arange(len(rows)), places] = 1
    return rows
