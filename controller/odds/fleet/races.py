"""Simulated races: how often players win against each other, the throws that rounds take, and the chips.

All throw at the same pace, and every round is for one combination, in the order of the sheet (S003: "In yet another
game variant, the players simply achieve each combination in the order in which they appear on the scoring sheet").
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from controller.odds.fleet.policy import check_players, policy_of
from controller.odds.fleet.sets import Bools, Floats, Indices, all_sets, done_sets
from controller.odds.work import Progress, silent
from controller.rules.errors import InvalidOption
from controller.rules.fleet.dice import FACES, SET_SIZE
from controller.rules.fleet.ruleset import FleetRules

# Games are played side by side; a million games of six players take half a gigabyte.
_MOST_GAMES = 1_000_000

# The base in which a set is one number, whose digits are the numbers of dice that show each face.
_BASE = SET_SIZE + 1


@dataclass(frozen=True, slots=True)
class Races:
    """The results of races; tuples have one entry per player.

    wins: the share of `games` won, 0..1; a shared win counts as a share.
    chips: the average total at the end.
    throws: by combination, the average number of throws until a player had it or, as the last, would have had it.
    rounds: by combination, the average number of throws until all players but one had it.
    """

    games: int
    wins: tuple[float, ...]
    standard_errors: tuple[float, ...]
    chips: tuple[float, ...]
    throws: Mapping[str, tuple[float, ...]]
    rounds: Mapping[str, float]


def play_races(rules: FleetRules, players: Sequence[str], games: int, seed: int, progress: Progress = silent) -> Races:
    """Play games of the card. The same seed gives the same races, with the same version of NumPy.

    players: 2 to 6 names of PLAYERS. Of players with the same number of throws chance decides who was faster.
    progress: called with the fraction done, 0..1.
    Raises `InvalidOption`, also if the card has an impossible combination.
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
        finish = taken + chance.random(taken.shape)
        # The first gets as many chips as there are players, the last gets 1.
        totals += len(taken) - finish.argsort(axis=0).argsort(axis=0)
        throws[combination.name] = _tuple(taken.mean(axis=1))
        rounds[combination.name] = float(np.sort(taken, axis=0)[-2].mean())
    first = totals == totals.max(axis=0)
    shares = first / first.sum(axis=0)
    errors = shares.std(axis=1) / sqrt(games)
    return Races(games, _tuple(shares.mean(axis=1)), _tuple(errors), _tuple(totals.mean(axis=1)), throws, rounds)


def _tuple(values: Floats) -> tuple[float, ...]:
    return tuple(values.tolist())


def _throws_alone(policy: Indices, done: Bools, rounds: int, chance: np.random.Generator) -> Indices:
    """Return the number of throws after which one player has the combination, in each round: shape (rounds,)."""
    codes = np.array([dice.counts for dice in all_sets().all]) @ _BASE ** np.arange(len(FACES))
    dice = np.array([len(dice) for dice in all_sets().all])
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
