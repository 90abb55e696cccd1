"""The choice of the best of several values, and of those as good: the one tolerance of the odds.

Only who chooses among moves, or numbers of dice, asks here. The solver (`sweep`, `turn`) wants the best value and not
who has it: an exact least of many, that needs no tolerance.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.odds.columns import Indices

Numbers = NDArray[np.number[Any]]

# Values this close are equal: the same sums, added up in another order. Rounding moves a value by its last digits (two
# parts in 1e16 were seen), and gains of coins, which cancel out, by the last digits of the coins. Chances that truly
# differ differ by more, yet not by much: full-house with six dice has moves whose chances to shut the box lie 4e-10
# apart.
EQUAL = 1e-12
# Great scores (digits: up to 1e14) are equal if they are in all but their last digits.
ROUNDING = 1e-13


def is_better(one: Numbers, other: Numbers) -> NDArray[np.bool_]:
    """True where `one` is greater than `other` by more than rounding; arrays of one shape.

    -inf stands for what may not be chosen: anything else is better.
    """
    # Not one - other, which says nothing, and warns, where neither may be chosen.
    found: NDArray[np.bool_] = other < one - np.maximum(EQUAL, ROUNDING * np.abs(one))
    return found


class Best(NamedTuple):
    """Runs of values: the best `value` of each, shape (runs,), and which values are `as_good`, shape (values,)."""

    value: Numbers
    as_good: NDArray[np.bool_]


def best_of_runs(values: Numbers, starts: Indices, *, greatest: bool) -> Best:
    """The best of each run of `values`, shape (values,); `starts`: where each begins, the first at 0.

    greatest: the greatest is best, not the least. In each run at least one value is finite.
    """
    best = (np.maximum if greatest else np.minimum).reduceat(values, starts)
    of_each = np.repeat(best, np.diff(starts, append=len(values)))
    worse = is_better(of_each, values) if greatest else is_better(-of_each, -values)
    return Best(best, ~worse)


def best_of(values: list[float], *, greatest: bool) -> tuple[float, list[int]]:
    """The best of a few values, and the places of all that are as good, ascending."""
    best = best_of_runs(np.array(values), np.zeros(1, np.intp), greatest=greatest)
    return float(best.value[0]), np.flatnonzero(best.as_good).tolist()
