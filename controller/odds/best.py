"""The best of several values, and all that are equal to it: the one tolerance of the odds.

Only choices among moves, or numbers of dice, need it. The solver (`sweep`, `turn`) needs the best value and not its
place: an exact minimum, without a tolerance.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.number[Any]]

# Values this close are equal: the same sums, added in another order. Rounding changes the last digits of a value (two
# parts in 1e16 were seen), and of gains of coins, which cancel out, the last digits of the coins. Different chances
# differ by more, but not by much: full-house with six dice has moves whose chances to shut the box are 4e-10 apart.
EQUAL = 1e-12
# Great scores (digits: up to 1e14) are equal if only their last digits differ.
ROUNDING = 1e-13


def is_better(one: Numbers, other: Numbers) -> NDArray[np.bool_]:
    """Return where `one` is greater than `other` by more than rounding; arrays of one shape.

    -inf stands for a choice that is not allowed: anything else is better.
    """
    # `one - other` would be NaN, with a warning, where neither is allowed.
    found: NDArray[np.bool_] = other < one - np.maximum(EQUAL, ROUNDING * np.abs(one))
    return found


class Best(NamedTuple):
    """Of runs of values, the best `value` of each, shape (runs,), and which values are `as_good`, shape (values,)."""

    value: Numbers
    as_good: NDArray[np.bool_]


def best_of_runs(values: Numbers, starts: NDArray[np.intp], *, greatest: bool) -> Best:
    """Return the best of each run of `values`, shape (values,), with at least one finite value in each run.

    starts: the place where each run begins, the first at 0.
    greatest: whether the greatest value is the best, not the least.
    """
    best = (np.maximum if greatest else np.minimum).reduceat(values, starts)
    of_each = np.repeat(best, np.diff(starts, append=len(values)))
    worse = is_better(of_each, values) if greatest else is_better(-of_each, -values)
    return Best(best, ~worse)


def best_of(values: list[float], *, greatest: bool) -> tuple[float, list[int]]:
    """Return the best of a few values, and the places of all values that are as good, ascending."""
    best = best_of_runs(np.array(values), np.zeros(1, np.intp), greatest=greatest)
    return float(best.value[0]), np.flatnonzero(best.as_good).tolist()
