"""The best order of the combinations of a card, against rivals who follow the order of the sheet.

The value of a combination in a round is its average chip. Of players with the same number of throws chance decides who
was faster, as in `play_races`; all keep the best dice and throw at the same pace. This is not the exact game: the order
is fixed in advance, and the aim is many points, not the most wins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from controller.odds.fleet.policy import check_players, policy_of
from controller.odds.fleet.sets import Floats, all_sets, done_sets
from controller.rules.errors import InvalidOption
from controller.rules.fleet.combinations import Combination
from controller.rules.fleet.ruleset import FleetRules

_OPEN = 1e-13  # the remaining chance at which a chain is cut off
# Gauss-Legendre nodes for the moment within a throw at which a player is done: exact for polynomials up to degree
# five, which is five rivals.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)


@dataclass(frozen=True, slots=True)
class CardOrder:
    """The best order of a card: the names of its combinations, its points, and the points of the sheet's order."""

    names: tuple[str, ...]
    value: float
    in_order: float


def best_order(rules: FleetRules, players: int, names: Sequence[str] = ()) -> CardOrder:
    """Return the order that brings the most points. names: the sheet; by default that of the card.

    Raises `InvalidOption`, also if the sheet has an impossible combination.
    """
    check_players(["best"] * players)
    sheet = tuple(names) or rules.card.combinations
    chances = [throw_chances(rules, rules.combination(name)) for name in sheet]
    worths = np.array(rules.terms.worths(players), float)
    values = np.array([[expected_chip(mine, theirs, worths) for theirs in chances] for mine in chances])
    places = _assign(values)
    total = sum(float(values[place, round_]) for round_, place in enumerate(places))
    return CardOrder(tuple(sheet[place] for place in places), total, float(values.trace()))


def throw_chances(rules: FleetRules, combination: Combination) -> Floats:
    """Return the chances that a combination takes one throw, two, three ..., with the best dice kept; (throws,)."""
    done = done_sets(rules, combination)
    if not done.any():
        raise InvalidOption(f"{rules.title(combination)} can never be with these options: its round has no end")
    sets, policy = all_sets(), policy_of("best", rules.options, done)
    at: Floats = np.zeros(sets.kept)
    found: list[float] = []
    at[0] = 1.0
    while at.sum() > _OPEN:
        thrown = at[:, None] * sets.chances
        found.append(float(thrown[:, done].sum()))
        at = np.bincount(policy[:, ~done].ravel(), thrown[:, ~done].ravel(), minlength=sets.kept).astype(np.float64)
    return np.array(found)


def expected_chip(mine: Floats, theirs: Floats, worths: Floats) -> float:
    """Return the average chip of a player whose throws are `mine`, while each of the others has `theirs`.

    worths: of the chips, in ascending order, one per player.
    """
    throws, rivals = max(len(mine), len(theirs)), len(worths) - 1
    own, other = (np.pad(each, (0, throws - len(each))) for each in (mine, theirs))
    later = np.maximum(0.0, 1 - np.cumsum(other))
    behind = later[:, None] + other[:, None] * (1 - _NODES) / 2
    terms = [worths[n] * comb(rivals, n) * behind**n * (1 - behind) ** (rivals - n) for n in range(rivals + 1)]
    return float(own @ sum(terms) @ _WEIGHTS / 2)


def _assign(values: Floats) -> tuple[int, ...]:
    """Assign a row to each column with the greatest sum, by all sets of rows; of equal ones the first in the sheet."""
    size = len(values)
    best, chosen = np.full(1 << size, -np.inf), np.zeros(1 << size, np.intp)
    best[-1] = 0.0
    for used in reversed(range((1 << size) - 1)):
        round_ = used.bit_count()
        for row in range(size):
            value = values[row, round_] + best[used | 1 << row]
            if not used >> row & 1 and value > best[used] + _OPEN:
                best[used], chosen[used] = value, row
    places, used = list[int](), 0
    for _ in range(size):
        places.append(int(chosen[used]))
        used |= 1 << places[-1]
    return tuple(places)
