"""The least expected number of throws if every die may be thrown again."""

import numpy as np

from controller.odds.best import is_better
from controller.odds.fleet.sets import Bools, Floats, all_sets


def unfrozen_throws(done: Bools) -> Floats:
    """Return the least expected number of further throws from each set if every die may be thrown again.

    done: which whole sets are the combination, shape (whole,). The value of a whole set is then 0, else inf: the player
        throws on with a part of it, not with the set as it lies.
    The result has the shape (sets,); inf if no number of throws suffices.

    Any set of six dice may be left for any part of it and be reached again, so no order of the sets yields their
    values. R. A. Howard's policy iteration (Dynamic Programming and Markov Processes, 1960) finds them: the values of a
    policy are the solution of a system of linear equations; a policy that cannot be improved anywhere is the best. It
    ends, because there are finitely many policies and each is better than the one before; two to four rounds were seen.
    Value iteration would only approximate, the more slowly the rarer the combination is.
    """
    sets = all_sets()
    ends = np.where(done, 0.0, np.inf)
    if not done.any():
        return np.concatenate([np.full(sets.kept, np.inf), ends])
    choices = np.where(sets.within[: sets.kept, sets.kept :].T, 0.0, np.inf)  # (whole, kept): 0 if it is a part
    chosen = np.zeros(len(done), np.intp)  # per whole set the kept set; at first all six dice again, which surely ends
    while True:
        # The throws that each kept set takes under this policy, shape (kept,).
        goes_on = np.zeros((len(done), sets.kept))
        goes_on[~done, chosen[~done]] = 1.0
        throws = np.linalg.solve(np.eye(sets.kept) - sets.chances @ goes_on, np.ones(sets.kept))
        values = np.asarray(throws, np.float64)
        worth = values + choices
        best = worth.argmin(axis=1)
        better = is_better(-worth.min(axis=1), -values[chosen])
        if not better.any():
            return np.concatenate([values, ends])
        chosen = np.where(better, best, chosen)
