"""The least expected number of throws where every die may be thrown again.

Any set of six dice may then be left for any part of it and come back, so no order of the sets leads to their values. R.
A. Howard's policy iteration (Dynamic Programming and Markov Processes, 1960) finds them: what a way to play takes is a
system of linear equations, solved as it stands; a way that is no better anywhere is the best. It ends, for there are
finitely many ways and each is better than the one before; two to four rounds were seen. Iterating values instead would
only come near, the more slowly the rarer the combination is.
"""

import numpy as np

from controller.odds.best import is_better
from controller.odds.fleet.sets import Bools, Floats, Indices, all_sets


def unfrozen_throws(done: Bools) -> Floats:
    """The least expected number of further throws from each set that is kept, shape (sets,); inf where none will do.

    done: which whole sets are the combination, shape (whole,). A whole set is worth 0 where it is, else inf: it is not
    thrown on as it lies, but a part of it.
    """
    sets = all_sets()
    ends = np.where(done, 0.0, np.inf)
    if not done.any():
        return np.concatenate([np.full(sets.kept, np.inf), ends])
    choices = np.where(sets.within[: sets.kept, sets.kept :].T, 0.0, np.inf)  # whole, kept: 0 where it is a part
    chosen = np.zeros(len(done), np.intp)  # all six again: a way that ends
    while True:
        values = _throws_by(chosen, done)
        worth = values + choices
        best = worth.argmin(axis=1)
        better = is_better(-worth.min(axis=1), -values[chosen])
        if not better.any():
            return np.concatenate([values, ends])
        chosen = np.where(better, best, chosen)


def _throws_by(chosen: Indices, done: Bools) -> Floats:
    """How many throws each kept set takes who keeps `chosen`, a kept set, of each whole one; shape (kept,)."""
    chances = all_sets().chances
    goes_on = np.zeros((len(done), len(chances)))
    goes_on[~done, chosen[~done]] = 1.0
    return np.asarray(np.linalg.solve(np.eye(len(chances)) - chances @ goes_on, np.ones(len(chances))), np.float64)
