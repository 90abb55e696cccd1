"""House players in a race of Fleet! or Flash!: the combination they name and try for, and the dice they keep."""

from dataclasses import dataclass, replace
from math import isfinite

from controller.game.fleet.state import Race
from controller.odds.strength import STRENGTHS
from controller.rules.fleet.combinations import Combination
from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.rules.fleet.ruleset import FleetRules

_DIGITS = 9  # values that agree to this many decimals are equal


@dataclass(frozen=True, slots=True)
class RaceAim:
    """A combination that a player tries for, and the dice of the throw to keep for it: all six once it is reached."""

    combination: str
    keep: Dice


class Racer:
    """A house player in a race of Fleet! or Flash!: names and tries for combinations, and chooses the dice to keep.

    Strong players keep the dice that lead to the combination in the fewest throws, by the exact odds; the others keep,
    by rule of thumb, as many useful dice as possible. `controller.referee.jobs.race` decides when they throw.
    It has no state: the same race and dice lead to the same choice. Concurrency: any thread.
    """

    def __init__(self, rules: FleetRules) -> None:
        self._rules = rules

    def name(self, race: Race, seat: int) -> str:
        """Return the combination that a seat names: the first remaining one of the sheet that is possible.

        Against rivals of whom nothing is known the expected chip of a round is 1 plus the sum of the chances to be
        before each of them, so that the order makes no difference over a whole card.
        """
        from controller.odds.fleet.advice import FleetOdds

        left = race.left(seat)
        odds = FleetOdds(self._rules)
        return next((each for each in left if isfinite(odds.before(self._rules.combination(each)).value)), left[0])

    def aim(self, race: Race, seat: int, kept: Dice, throw: Dice) -> RaceAim:
        """Return the aim of a seat after a throw. kept: the dice that are frozen."""
        named = race.named[seat]
        wanted = (named,) if named is not None else race.left(seat)
        strength = race.players[seat].strength
        by_odds = strength is None or STRENGTHS[strength].races_by_odds
        found = [self._keep(self._rules.combination(name), kept, throw, by_odds=by_odds) for name in wanted]
        value, aim = min(found, key=lambda each: each[0])
        return aim if isfinite(value) else RaceAim(aim.combination, Dice())

    def _keep(self, combination: Combination, kept: Dice, throw: Dice, *, by_odds: bool) -> tuple[float, RaceAim]:
        """Return the expected number of further throws, and the aim with the dice kept for it."""
        from controller.odds.fleet.advice import FleetOdds

        if self._rules.has(kept + throw, combination):
            return 0.0, RaceAim(combination.name, throw)
        parts = [part for part in throw.parts if len(kept + part) < SET_SIZE]
        rules = self._rules
        if not by_odds:
            # A player who keeps dice by rule of thumb never thinks of taking one back.
            rules = replace(rules, options=replace(rules.options, keeping="frozen"))
        values = FleetOdds(rules).values(combination, parts, kept)
        pairs = list(zip(parts, values, strict=True))
        if by_odds:
            part, value = min(pairs, key=lambda pair: (round(pair[1], _DIGITS), -len(pair[0]), pair[0]))
        else:
            part, value = min(pairs, key=lambda pair: (not isfinite(pair[1]), -len(pair[0]), pair[0]))
        return float(value), RaceAim(combination.name, part)
