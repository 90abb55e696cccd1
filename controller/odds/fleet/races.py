"""Games by chance: who wins how often against whom, how many throws rounds take, and who gets which chips.

All throw at one pace, and every round is for one combination, in the order of the sheet (S003: "In yet another game
variant, the players simply achieve each combination in the order in which they appear on the scoring sheet").
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from controller.odds.fleet.policy import check_players, policy_of
from controller.odds.fleet.sets import Bools, Floats, Indices, all_sets, done_sets
from controller.odds.progress import Progress, silent
from controller.rules import InvalidOption
from controller.rules.fleet import FACES, SET_SIZE, FleetRules

# They are played side by side; a million of six players take half a gigabyte.
_MOST_GAMES = 1_000_000

# A set as one number: its digits, with this base, say how many dice show each face.
_BASE = SET_SIZE + 1


@dataclass(frozen=True, slots=True)
class Races:
    """Games that were raced, with one entry a player where there are several.

    wins: the share of `games` that he won, 0..1; a shared win counts as a share. chips: what he had in the end on
    average. throws: by combination, after how many throws on average he had it or, as the last, would have had it.
    rounds: by combination, after how many throws on average all but one had it.
    """

    games: int
    wins: tuple[float, ...]
    standard_errors: tuple[float, ...]
    chips: tuple[float, ...]
    throws: Mapping[str, tuple[float, ...]]
    rounds: Mapping[str, float]


def play_races(rules: FleetRules, players: Sequence[str], games: int, seed: int, progress: Progress = silent) -> Races:
    """Play games of the card. The same seed gives the same races, with the same version of NumPy.

    players: of PLAYERS, 2 to 6. Who has a combination after as many throws as another is the quicker one by chance.
    progress: told the fraction done, 0..1. Raises `InvalidOption`, also where the card has a combination that never
    can be.
    """
    check_players(players)
    if games > _MOST_GAMES:
        raise InvalidOption(f"at most {_MOST_GAMES} games are raced, not {games}")
    combinations = [rules.combination(name) for name in rules.card.combinations]
    for combination in combinations:
        if not done_sets(rules, combination).any():
            raise InvalidOption(f"{rules.title(combination)} can never be with these options: its round has no end")
    chance, totals = np.random.default_rng(seed), np.zeros((len(players), games))
    throws, rounds = {}, {}
    for place, combination in enumerate(combinations):
        progress(place / len(combinations))
        done = done_sets(rules, combination)
        policies = {player: policy_of(player, rules.options, done) for player in {*players}}
        taken = np.stack([_throws_alone(policies[player], done, games, chance) for player in players])
        totals += _chips(taken, chance)
        throws[combination.name] = _tuple(taken.mean(axis=1))
        rounds[combination.name] = float(np.sort(taken, axis=0)[-2].mean())
    first = totals == totals.max(axis=0)
    shares = first / first.sum(axis=0)
    errors = shares.std(axis=1) / sqrt(games)
    return Races(games, _tuple(shares.mean(axis=1)), _tuple(errors), _tuple(totals.mean(axis=1)), throws, rounds)


def _tuple(values: Floats) -> tuple[float, ...]:
    return tuple(values.tolist())


def _chips(taken: Indices, chance: np.random.Generator) -> Indices:
    """The chips of a round by the throws that were taken, as many for the first as there are players, 1 for the last.

    Both of shape (players, games).
    """
    finish = taken + chance.random(taken.shape)
    behind = finish.argsort(axis=0).argsort(axis=0)
    return len(taken) - behind


def _throws_alone(policy: Indices, done: Bools, rounds: int, chance: np.random.Generator) -> Indices:
    """After how many throws one player has the combination, in each of so many rounds: shape (rounds,)."""
    codes, dice = _codes(), np.array([len(dice) for dice in all_sets().all])
    number = np.empty(codes.max() + 1, np.intp)
    number[codes] = np.arange(len(codes))
    taken, on = np.zeros(rounds, np.intp), np.arange(rounds)
    kept = np.zeros(rounds, np.intp)
    while len(on):
        faces = _BASE ** chance.integers(len(FACES), size=(len(on), SET_SIZE))
        is_thrown = np.arange(SET_SIZE) >= dice[kept, None]
        whole = number[codes[kept] + (faces * is_thrown).sum(axis=1)] - all_sets().kept
        taken[on] += 1
        goes_on = ~done[whole]
        on, kept = on[goes_on], policy[kept[goes_on], whole[goes_on]]
    return taken


def _codes() -> Indices:
    """Each set as one number, shape (sets,)."""
    return np.array([dice.counts for dice in all_sets().all]) @ _BASE ** np.arange(len(FACES))
