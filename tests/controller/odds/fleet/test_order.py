"""The best order of a card: it is that of a search through all, and its chances are those of races by chance."""

from itertools import permutations

import numpy as np
import pytest

from controller.odds.fleet.advice import FleetOdds
from controller.odds.fleet.order import best_order, expected_chip, throw_chances
from controller.odds.fleet.races import play_races
from controller.rules.fleet.combinations import COMBINATIONS
from controller.rules.fleet.ruleset import fleet_rules_of
from tests.support.long import long_but_every

SHEET = ("all-twos", "three-pairs", "straight", "two-threes")


@pytest.mark.parametrize("keeping", long_but_every(2, ["frozen", "unfrozen"]))
def test_the_throws_of_a_combination_come_to_its_odds(keeping: str) -> None:
    rules = fleet_rules_of("flash", {"keeping": keeping})
    for name in ("straight", "six-of-a-kind"):
        chances = throw_chances(rules, COMBINATIONS[name])
        assert chances.sum() == pytest.approx(1)
        mean = chances @ np.arange(1, len(chances) + 1)
        assert mean == pytest.approx(FleetOdds(rules).before(COMBINATIONS[name]).value)


@pytest.mark.parametrize("chips", long_but_every(2, ["1-5-10-20-50-100", "1-2-3-4-5-6"]))
def test_it_is_the_best_of_all_orders_of_four(chips: str) -> None:
    rules = fleet_rules_of("fleet", {"chips": chips})
    chances = [throw_chances(rules, COMBINATIONS[name]) for name in SHEET]
    worths = np.array(rules.terms.worths(4), float)

    def value(order: tuple[int, ...]) -> float:
        return sum(expected_chip(chances[mine], chances[theirs], worths) for theirs, mine in enumerate(order))

    found = best_order(rules, 4, SHEET)

    assert found.value == pytest.approx(max(map(value, permutations(range(4)))))
    assert found.value == pytest.approx(value(tuple(map(SHEET.index, found.names))))
    assert found.in_order == pytest.approx(4 * worths.mean())


def test_chips_are_those_of_players_who_finish_by_chance() -> None:
    """Three rivals by chance, equal throws in random order: within four standard errors."""
    rules = fleet_rules_of("fleet")
    mine, theirs = (throw_chances(rules, COMBINATIONS[name]) for name in ("straight", "two-threes"))
    worths = np.array((1, 5, 10, 20), float)
    chance = np.random.default_rng(3)
    own = chance.choice(len(mine), 100_000, p=mine / mine.sum()) + chance.random(100_000)
    others = chance.choice(len(theirs), (3, 100_000), p=theirs / theirs.sum()) + chance.random((3, 100_000))
    chips = worths[(others > own).sum(axis=0)]

    error = chips.std() / len(chips) ** 0.5
    assert abs(chips.mean() - expected_chip(mine, theirs, worths)) < 4 * error


@pytest.mark.long
def test_races_in_the_order_of_the_sheet_bring_as_many_points() -> None:
    rules = fleet_rules_of("flash")
    races = play_races(rules, ["best"] * 2, 4000, seed=8)
    assert best_order(rules, 2).in_order == pytest.approx(races.chips[0], abs=0.1)
