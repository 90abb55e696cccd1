"""Advice to a player who tries for one combination: the number of throws it takes, and the dice to keep."""

from dataclasses import dataclass
from functools import cache
from math import inf

from controller.odds.best import best_of
from controller.odds.fleet.policy import least_throws
from controller.odds.fleet.sets import Floats, all_sets, done_sets
from controller.rules.fleet.combinations import Combination
from controller.rules.fleet.dice import SET_SIZE, Dice
from controller.rules.fleet.ruleset import FleetRules


@dataclass(frozen=True, slots=True)
class FleetBefore:
    """Before a throw: the least expected number of throws (1 and up; inf: never), and the chance that one suffices."""

    value: float
    at_once: float


@dataclass(frozen=True, slots=True)
class FleetAfter:
    """After a throw: the least expected number of further throws (0: it is the combination; inf: never).

    best: every selection of the thrown dice to keep that leads to it; none if it can never be reached.
    """

    value: float
    best: tuple[Dice, ...]


@dataclass(frozen=True)
class FleetOdds:
    """The odds of one game with its options, for any combination.

    Everywhere `kept` are the dice that were kept before; none unless kept dice are frozen.
    Lifetime: a combination is solved on first use, in some hundredths of a second, and shared by the whole process.
    Concurrency: any thread may call.
    """

    rules: FleetRules

    def before(self, combination: Combination, kept: Dice = Dice()) -> FleetBefore:  # noqa: B008 - frozen
        """Return the value of throwing the 1 to 6 dice that are not kept, for a combination."""
        sets = all_sets()
        number = sets.number[kept]
        done = done_sets(self.rules, combination)
        return FleetBefore(float(_throws(self.rules, combination)[number]), float(sets.chances[number][done].sum()))

    def after(self, combination: Combination, throw: Dice, kept: Dice = Dice()) -> FleetAfter:  # noqa: B008 - frozen
        """Return the best dice to keep of a throw, which together with `kept` has six dice."""
        if self.rules.has(kept + throw, combination):
            return FleetAfter(0.0, (throw,))
        parts = [part for part in throw.parts if len(kept + part) < SET_SIZE]
        values = self.values(combination, parts, kept)
        if min(values) == inf:
            return FleetAfter(inf, ())
        best, places = best_of(values, greatest=False)
        return FleetAfter(best, tuple(parts[place] for place in places))

    def values(self, combination: Combination, parts: list[Dice], kept: Dice = Dice()) -> list[float]:  # noqa: B008
        """Return the expected number of further throws for each of `parts`, kept in addition to `kept`."""
        throws, number = _throws(self.rules, combination), all_sets().number
        return [float(throws[number[kept + part]]) for part in parts]


@cache
def _throws(rules: FleetRules, combination: Combination) -> Floats:
    """Return the least expected number of further throws from each set, shape (sets,)."""
    return least_throws(rules.options, done_sets(rules, combination))
