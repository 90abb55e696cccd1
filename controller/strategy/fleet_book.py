"""Answers to questions about the odds of Fleet! and Flash!, in the documented form of the command line.

The odds themselves are calculated in `controller.odds.fleet`.
"""

from math import isfinite
from typing import Any

from controller.game.table.questions import AIM, FleetQuestion
from controller.odds.fleet.advice import FleetOdds
from controller.rules.fleet.dice import SET_SIZE, Dice

_DIGITS = 9  # values that agree to this many decimals are equal in the order of a list


class FleetBook:
    """Answers questions about the odds, single ones and batches. It does not display them."""

    def answer(self, question: FleetQuestion) -> dict[str, Any]:
        """Return the answer as plain values; a `value` of None means never. Raises `RulesError`."""
        rules = question.rules()
        odds, combination, kept = FleetOdds(rules), question.parse_combination(rules), question.parse_kept(rules)
        throw = question.parse_throw(rules, kept)
        if throw is None:
            before = odds.before(combination, kept)
            return {"aim": AIM, "value": _plain(before.value), "at_once": before.at_once}
        after = odds.after(combination, throw, kept)
        return {"aim": AIM, "value": _plain(after.value), "best": [dice.plain for dice in after.best]}

    def keep_values(self, question: FleetQuestion) -> list[tuple[Dice, float]]:
        """Return every selection of dice to keep, and the further throws it takes; the best first, then the largest.

        Selections that never lead to the combination are left out. Raises `RulesError`.
        """
        rules = question.rules()
        combination, kept = question.parse_combination(rules), question.parse_kept(rules)
        throw = question.parse_throw(rules, kept) or Dice()
        parts = [part for part in throw.parts if len(kept + part) < SET_SIZE]
        values = FleetOdds(rules).values(combination, parts, kept)
        possible = [each for each in zip(parts, values, strict=True) if isfinite(each[1])]
        return sorted(possible, key=lambda each: (round(each[1], _DIGITS), -len(each[0]), each[0]))


def _plain(value: float) -> float | None:
    return value if isfinite(value) else None
