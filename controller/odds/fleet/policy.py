"""Strategies for a combination: the dice that are kept of a throw, for every throw at once."""

from collections.abc import Sequence

import numpy as np

from controller.odds.best import is_better
from controller.odds.fleet.sets import Bools, Floats, Indices, all_sets
from controller.rules.errors import InvalidOption
from controller.rules.fleet.cards import FleetOptions


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


# best: the fewest throws on average; of equal choices the one with the most dice. thumb: as many useful dice as
# possible.
PLAYERS = ("best", "thumb")

_MOST_PLAYERS = 6  # "structured for play by six players simultaneously" (S003): six sets of dice, six chips
_SOLVERS = {"frozen": frozen_throws, "unfrozen": unfrozen_throws}
_DIGITS = 9  # values that agree to this many decimals are equal


def least_throws(options: FleetOptions, done: Bools) -> Floats:
    """Return the least expected number of further throws from each set, shape (sets,); see the two solvers."""
    return _SOLVERS[options.keeping](done)


def check_players(players: Sequence[str]) -> None:
    """Raise `InvalidOption` for players that are not in PLAYERS, and for more or fewer than can race."""
    if not 2 <= len(players) <= _MOST_PLAYERS:
        raise InvalidOption(f"a race has 2 to {_MOST_PLAYERS} players, not {len(players)}")
    for player in players:
        if player not in PLAYERS:
            raise InvalidOption(f"no player {player!r} in this game; say some of {', '.join(PLAYERS)}")


def policy_of(player: str, options: FleetOptions, done: Bools) -> Indices:
    """Return the set that a player keeps, given the kept and the whole set, by their numbers: shape (kept, whole).

    done: which whole sets are the combination. Entries are meaningless where the whole set does not hold the kept one,
        or is done.
    player: one of PLAYERS.
    """
    sets = all_sets()
    larger = np.array([-len(dice) for dice in sets.all[: sets.kept]])
    # The kept sets in the order of the player's preference. Even a player who may take dice back looks no further by
    # thumb than one who may not.
    order = (
        np.lexsort((larger, np.isinf(frozen_throws(done)[: sets.kept])))
        if player == "thumb"
        else np.lexsort((larger, least_throws(options, done)[: sets.kept].round(_DIGITS)))
    )
    allowed = sets.within[np.ix_(order, np.arange(sets.kept, len(sets.all)))]
    if options.keeping == "unfrozen":
        return np.broadcast_to(order[allowed.argmax(axis=0)], sets.chances.shape)
    holds = sets.within[: sets.kept, order]
    return np.array([order[(allowed & holding[:, None]).argmax(axis=0)] for holding in holds])
