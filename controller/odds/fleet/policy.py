"""The ways to play for a combination: which dice are kept of a throw, for every throw at once."""

from collections.abc import Sequence

import numpy as np

from controller.odds.fleet.frozen import frozen_throws
from controller.odds.fleet.sets import Bools, Floats, Indices, all_sets
from controller.odds.fleet.unfrozen import unfrozen_throws
from controller.rules import InvalidOption
from controller.rules.fleet import FleetOptions

# best: the fewest throws on average; of equal choices the one with the most dice. thumb: as many dice as still serve.
PLAYERS = ("best", "thumb")

_MOST_PLAYERS = 6  # "structured for play by six players simultaneously" (S003): six sets of dice, six chips
_SOLVERS = {"frozen": frozen_throws, "unfrozen": unfrozen_throws}
_DIGITS = 9  # to which values are told apart


def least_throws(options: FleetOptions, done: Bools) -> Floats:
    """The least expected number of further throws from each set, shape (sets,); see the two solvers."""
    return _SOLVERS[options.keeping](done)


def check_players(players: Sequence[str]) -> None:
    """Raise `InvalidOption` for players that are not of PLAYERS, and for more or fewer than can race."""
    if not 2 <= len(players) <= _MOST_PLAYERS:
        raise InvalidOption(f"a race has 2 to {_MOST_PLAYERS} players, not {len(players)}")
    for player in players:
        if player not in PLAYERS:
            raise InvalidOption(f"no player {player!r} in this game; say some of {', '.join(PLAYERS)}")


def policy_of(player: str, options: FleetOptions, done: Bools) -> Indices:
    """The set that a player keeps who had kept one and sees a whole one, by their numbers: shape (kept, whole).

    done: which whole sets are the combination. Where the whole set does not hold the kept one, or is done, the entry
    means nothing. player: of PLAYERS.
    """
    sets = all_sets()
    order = _order(player, options, done)
    allowed = sets.within[np.ix_(order, np.arange(sets.kept, len(sets.all)))]
    if options.keeping == "unfrozen":
        return np.broadcast_to(order[allowed.argmax(axis=0)], sets.chances.shape)
    holds = sets.within[: sets.kept, order]
    return np.array([order[(allowed & holding[:, None]).argmax(axis=0)] for holding in holds])


def _order(player: str, options: FleetOptions, done: Bools) -> Indices:
    """The kept sets as the player likes them, the best first."""
    kept = all_sets().kept
    larger = np.array([-len(dice) for dice in all_sets().all[:kept]])
    if player == "thumb":
        # Who may take dice back looks no further than who may not.
        return np.lexsort((larger, np.isinf(frozen_throws(done)[:kept])))
    return np.lexsort((larger, least_throws(options, done)[:kept].round(_DIGITS)))
