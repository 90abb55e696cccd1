"""Every set of up to six dice, numbered, and the chances that a throw turns one into another: 924 sets, 462 whole.

Dice of one player are alike: only how many show each face matters. So these sets are all the states of a round: the
dice that are kept (0 to 5, the `kept` sets) and the dice that lie after a throw (all six, the `whole` sets).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial

import numpy as np
from numpy.typing import NDArray

from controller.rules.fleet.combinations import Combination
from controller.rules.fleet.dice import FACES, SET_SIZE, Dice
from controller.rules.fleet.ruleset import FleetRules

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class Sets:
    """All sets by rising number of dice: first the `kept` sets, then the whole ones, of six dice.

    number: the place of each set.
    within: [a, b] is true if set a is a part of set b, shape (sets, sets).
    chances: [a, w] is the chance that set a becomes whole set w when its other dice are thrown, shape (kept, whole).
    """

    all: tuple[Dice, ...]
    number: dict[Dice, int]
    within: Bools
    chances: Floats

    @property
    def kept(self) -> int:
        """The number of sets with fewer than six dice; the whole sets follow."""
        return len(self.chances)

    @property
    def whole(self) -> tuple[Dice, ...]:
        return self.all[self.kept :]


@cache
def all_sets() -> Sets:
    """Return the sets, calculated once: some megabytes."""
    sets = tuple(Dice(faces) for size in range(SET_SIZE + 1) for faces in combinations_with_replacement(FACES, size))
    numbers = {dice: place for place, dice in enumerate(sets)}
    counts = np.array([dice.counts for dice in sets])
    within = np.all(counts[:, None] <= counts, axis=2)
    first = sum(len(dice) < SET_SIZE for dice in sets)
    kept, whole = counts[:first], counts[first:]
    # Multinomial: of n dice with faces 1/6 each, n! / (a! b! ...) of 6^n throws show one face a times, another b.
    factorials = np.array([factorial(number) for number in range(SET_SIZE + 1)], np.float64)
    thrown = whole - kept[:, None]
    dice = SET_SIZE - kept.sum(axis=1, keepdims=True)
    ways = factorials[dice] / factorials[thrown.clip(0)].prod(axis=2)
    chances = np.where(np.all(thrown >= 0, axis=2), ways / float(len(FACES)) ** dice, 0.0)
    return Sets(sets, numbers, within, chances)


@cache
def done_sets(rules: FleetRules, combination: Combination) -> Bools:
    """Return which whole sets are the combination, shape (whole,)."""
    return np.array([rules.has(dice, combination) for dice in all_sets().whole])
