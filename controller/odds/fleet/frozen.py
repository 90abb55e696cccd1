"""The least expected number of throws if kept dice stay for the round."""

import numpy as np

from controller.odds.fleet.sets import Bools, Floats, all_sets


def frozen_throws(done: Bools) -> Floats:
    """Return the least expected number of further throws from each set if kept dice stay for the round.

    done: which whole sets are the combination, shape (whole,). The value of a whole set is 0 or inf: it is final.
    The result has the shape (sets,); inf if no number of throws suffices.

    The number of kept dice only grows, so every set is calculated from larger ones, with one exception: a player who
    keeps nothing of a throw stays at the same set. With v the value of a set, c[w] the least value of the larger sets
    that whole throw w allows (0 if it is the combination) and p[w] its chance,

        v = 1 + sum of p[w] * min(c[w], v)

    and the best player throws again exactly where c[w] >= v: a problem of optimal stopping. In the order of rising c,
    dice are kept of the first n throws, and v is the least, over n, of

        (1 + sum of p[w] * c[w]) / sum of p[w]        over the first n throws,

    because each of these is the value of one strategy, and the best strategy is among them. No iteration, no tolerance.
    """
    sets = all_sets()
    values = np.concatenate([np.full(sets.kept, np.inf), np.where(done, 0.0, np.inf)])
    for kept in reversed(range(sets.kept)):
        larger = np.flatnonzero(sets.within[kept])[1:]  # the first is the set itself
        whole = np.flatnonzero(sets.chances[kept])
        reached = sets.within[np.ix_(larger, whole + sets.kept)]
        least = np.where(reached, values[larger, None], np.inf).min(axis=0)
        values[kept] = _throws_until_kept(least, sets.chances[kept, whole])
    return values


def _throws_until_kept(least: Floats, chances: Floats) -> float:
    """Return the value of a set from the least values after its throws, and their chances; both shape (throws,)."""
    order = np.argsort(least)
    least, chances = least[order], chances[order]
    hopeful = np.isfinite(least)
    if not hopeful.any():
        return np.inf
    least, chances = least[hopeful], chances[hopeful]
    return float(((1 + np.cumsum(chances * least)) / np.cumsum(chances)).min())
