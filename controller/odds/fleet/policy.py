"""Strategies for a combination: the dice that are kept of a throw, for every throw at once."""

from collections.abc import Sequence

import numpy as np

from controller.odds.fleet.frozen import frozen_throws
from controller.odds.fleet.sets import Bools, Floats, Indices, all_sets
from controller.odds.fleet.unfrozen import unfrozen_throws
from controller.rules.errors import InvalidOption
from controller.rules.fleet.options import FleetOptions

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
