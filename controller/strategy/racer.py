"""The house at a race of Fleet! or Flash!: what it names, what it goes for, and which dice it keeps.

Who plays perfectly, or with skill, keeps the dice that lead to the combination in the fewest throws, by the exact odds;
the others keep by thumb as many dice as still serve. When it throws is decided in `controller.referee.jobs.race`.
"""

from dataclasses import dataclass, replace
from math import isfinite

import controller.odds.fleet
from controller.game import Race, Strength
from controller.rules.fleet import SET_SIZE, Combination, Dice, FleetRules

_BY_THE_ODDS: frozenset[Strength] = frozenset({"skilled", "perfect"})
_DIGITS = 9  # to which values are told apart


@dataclass(frozen=True, slots=True)
class Aim:
    """What a player goes for: a combination, and the dice of the throw that he keeps for it, all six once he has it."""

    combination: str
    keep: Dice


class Racer:
    """A house player. Pure: the same race and dice lead to the same choice. Concurrency: any thread."""

    def __init__(self, rules: FleetRules) -> None:
        self._rules = rules

    def name(self, race: Race, seat: int) -> str:
        """The combination that a seat names: the first of the sheet that is left, and can be made at all.

        Against rivals of whom nothing is known the expected chip of a round is 1 and the sum of the chances to be
        before each of them, so that over a card the order makes no difference.
        """
        left = race.left(seat)
        odds = controller.odds.fleet.FleetOdds(self._rules)
        return next((each for each in left if isfinite(odds.before(self._rules.combination(each)).value)), left[0])

    def aim(self, race: Race, seat: int, kept: Dice, throw: Dice) -> Aim:
        """What a seat goes for once it has thrown, and keeps; `kept` are the dice that are frozen."""
        named = race.named[seat]
        wanted = (named,) if named is not None else race.left(seat)
        strength = race.players[seat].strength
        by_odds = strength is None or strength in _BY_THE_ODDS
        found = [self._keep(self._rules.combination(name), kept, throw, by_odds=by_odds) for name in wanted]
        value, aim = min(found, key=lambda each: each[0])
        return aim if isfinite(value) else Aim(aim.combination, Dice())

    def _keep(self, combination: Combination, kept: Dice, throw: Dice, *, by_odds: bool) -> tuple[float, Aim]:
        """The expected number of further throws, and what is kept for it."""
        if self._rules.has(kept + throw, combination):
            return 0.0, Aim(combination.name, throw)
        parts = [part for part in throw.parts if len(kept + part) < SET_SIZE]
        values = controller.odds.fleet.FleetOdds(self._valued_by(by_odds=by_odds)).values(combination, parts, kept)
        pairs = list(zip(parts, values, strict=True))
        if by_odds:
            part, value = min(pairs, key=lambda pair: (round(pair[1], _DIGITS), -len(pair[0]), pair[0]))
        else:
            part, value = min(pairs, key=lambda pair: (not isfinite(pair[1]), -len(pair[0]), pair[0]))
        return float(value), Aim(combination.name, part)

    def _valued_by(self, *, by_odds: bool) -> FleetRules:
        """By thumb nobody thinks of taking a die back."""
        if by_odds:
            return self._rules
        return replace(self._rules, options=replace(self._rules.options, keeping="frozen"))
