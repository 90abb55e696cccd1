"""The least expected number of throws where kept dice stay for the round.

Kept dice only ever grow in number, so every set is worked out from larger ones, but for one way back: who keeps nothing
of a throw stands where he stood. With v the value of a set, c[w] the least value of the larger sets that whole throw w
allows (0 where it is the combination) and p[w] its chance,

    v = 1 + sum of p[w] * min(c[w], v)

and the best player throws again exactly where c[w] >= v: a question of optimal stopping. In the order of rising c, the
first so many throws are kept of, and v is the least, over that number, of

    (1 + sum of p[w] * c[w]) / sum of p[w]        over the throws that are kept of,

for each of these is what one way to play takes, and the best way is among them. No iteration, no tolerance.
"""

import numpy as np

from controller.odds.fleet.sets import Bools, Floats, all_sets


def frozen_throws(done: Bools) -> Floats:
    """The least expected number of further throws from each set that is kept, shape (sets,); inf where none will do.

    done: which whole sets are the combination, shape (whole,). A whole set is worth 0 or inf: it cannot be thrown on.
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
    """The value of a set, of what its throws lead to and how likely each is; shape (throws,) both."""
    order = np.argsort(least)
    least, chances = least[order], chances[order]
    hopeful = np.isfinite(least)
    if not hopeful.any():
        return np.inf
    least, chances = least[hopeful], chances[hopeful]
    return float(((1 + np.cumsum(chances * least)) / np.cumsum(chances)).min())
