"""How many throws a combination takes, and what to keep: closed forms, and values that were iterated independently."""

from math import comb, inf

import pytest

from controller.odds.fleet.advice import FleetBefore, FleetOdds
from controller.rules.fleet.combinations import COMBINATIONS
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import fleet_rules_of
from tests.support.fleet_by_search import NAMES, is_combination, least_throws, throws
from tests.support.long import long_but_every

AT_ONCE = 1e-12


def odds_of(**given: object) -> FleetOdds:
    return FleetOdds(fleet_rules_of("fleet", given))


def dice(text: str) -> Dice:
    return Dice.parse(text)


def last_of_six(chance: float) -> float:
    """The expected number of throws until each of six dice has once shown what comes with this chance, and stays."""
    return sum(-((-1.0) ** left) * comb(6, left) / (1 - (1 - chance) ** left) for left in range(1, 7))


@pytest.mark.parametrize("keeping", ["frozen", "unfrozen"])
@pytest.mark.parametrize(
    ("name", "chance", "throws"),
    long_but_every(
        2,
        [
            ("all-jokers", 1 / 6, 13.9378),
            ("all-twos", 2 / 6, 6.5425),
            ("all-sixes", 2 / 6, 6.5425),
            ("all-odd", 3 / 6, 4.0348),
            ("all-even", 4 / 6, 2.7302),
        ],
    ),
)
def test_a_combination_of_single_dice_takes_as_long_as_the_last_of_them(
    name: str, chance: float, throws: float, keeping: str
) -> None:
    found = odds_of(keeping=keeping).before(COMBINATIONS[name])

    assert found.value == pytest.approx(last_of_six(chance), abs=1e-11)
    assert found.at_once == pytest.approx(chance**6, abs=1e-15)
    assert found.value == pytest.approx(throws, abs=5e-5)


def test_a_straight_is_worth_what_the_issue_of_the_game_says() -> None:
    straight = COMBINATIONS["straight"]
    before = odds_of().before(straight)

    assert (int(before.value * 1e4), int(before.at_once * 1e4)) == (37647, 868)
    after = odds_of().after(straight, dice("2,2,3,5,6,joker"))
    assert (int(after.value * 1e4), after.best) == (29236, (dice("joker"),))


def test_the_chance_of_having_it_at_once_is_that_of_the_dice_which_are_thrown() -> None:
    odds = odds_of()
    for name, combination in COMBINATIONS.items():
        expected = sum(chance for throw, chance in throws(6) if is_combination(throw, name))
        assert odds.before(combination).at_once == pytest.approx(expected, abs=AT_ONCE)
    assert odds.before(COMBINATIONS["all-twos"], dice("2,2,2,2,joker")).at_once == pytest.approx(1 / 3)


def check(name: str, keeping: str, groups: str, straight: str = "with_joker") -> None:
    """Every set of kept dice is worth what iterated values say."""
    rules = fleet_rules_of("fleet", {"keeping": keeping, "groups": groups, "straight": straight})
    odds, combination = FleetOdds(rules), COMBINATIONS[name]
    for kept, value in least_throws(name, keeping, groups, straight).items():
        assert odds.before(combination, Dice(kept)).value == pytest.approx(value, abs=1e-9), kept


@pytest.mark.parametrize(
    ("name", "groups"),
    long_but_every(
        8,
        [
            ("straight", "distinct"),
            *((name, "distinct") for name in NAMES if name != "straight"),
            *((name, "may_repeat") for name in ("pair-and-four", "three-pairs", "two-threes")),
        ],
    ),
)
def test_frozen_dice_are_worth_what_iterated_values_say(name: str, groups: str) -> None:
    check(name, "frozen", groups)


@pytest.mark.parametrize(
    ("name", "groups"),
    long_but_every(
        8,
        [
            ("six-of-a-kind", "distinct"),
            *((name, "distinct") for name in NAMES if name != "six-of-a-kind"),
            *((name, "may_repeat") for name in ("pair-and-four", "three-pairs", "two-threes")),
        ],
    ),
)
def test_dice_that_are_not_frozen_are_worth_what_iterated_values_say(name: str, groups: str) -> None:
    check(name, "unfrozen", groups)


@pytest.mark.long
def test_freedom_is_worth_something_only_where_another_number_may_overtake() -> None:
    gains = {
        name: odds_of().before(each).value - odds_of(keeping="unfrozen").before(each).value
        for name, each in COMBINATIONS.items()
    }

    assert {name for name, gain in gains.items() if gain > 1e-9} == {"pair-and-four", "six-of-a-kind"}
    assert min(gains.values()) > -1e-11


def test_frozen_dice_cannot_be_taken_back_and_others_can() -> None:
    """Two 2s were kept for six of a kind when three 5s fall: who may, changes over to these."""
    combination, frozen, free = COMBINATIONS["six-of-a-kind"], odds_of(), odds_of(keeping="unfrozen")

    assert frozen.after(combination, dice("3,5,5,5"), dice("2,2")).best == (Dice(),)
    assert free.after(combination, dice("2,2,3,5,5,5")).best == (dice("5,5,5"),)


@pytest.mark.parametrize("name", long_but_every(3, ["straight", "three-pairs", "pair-and-four"]))
def test_the_best_dice_to_keep_are_all_that_are_worth_as_much(name: str) -> None:
    odds, combination, values = odds_of(), COMBINATIONS[name], least_throws(name, "frozen")
    for throw, _ in [*throws(6)][::7]:
        found = odds.after(combination, Dice(throw))
        if is_combination(throw, name):
            assert (found.value, found.best) == (0, (Dice(throw),))
            continue
        parts = [part.faces for part in Dice(throw).parts if len(part) < 6]
        least = min(values[part] for part in parts)
        assert found.value == pytest.approx(least, abs=1e-9)
        assert {each.faces for each in found.best} == {part for part in parts if values[part] < least + 1e-9}


def test_what_is_kept_of_a_throw_stands_beside_what_was_kept_before() -> None:
    odds, twos = odds_of(), COMBINATIONS["all-twos"]

    after = odds.after(twos, dice("2,4,joker"), dice("2,2,joker"))
    assert after.best == (dice("2,joker"),)
    assert after.value == odds.before(twos, dice("2,2,2,joker,joker")).value == pytest.approx(3)
    assert odds.after(twos, dice("2,joker"), dice("2,2,2,2")).value == 0


@pytest.mark.parametrize("keeping", ["frozen", "unfrozen"])
def test_what_never_can_be_takes_forever_and_nothing_is_best(keeping: str) -> None:
    odds, straight = odds_of(keeping=keeping, straight="impossible"), COMBINATIONS["straight"]

    assert odds.before(straight) == FleetBefore(inf, 0)
    assert odds.after(straight, dice("2,3,4,5,6,joker")).best == ()


def test_dice_that_were_kept_for_another_combination_never_come_to_this_one() -> None:
    odds = odds_of()

    assert odds.before(COMBINATIONS["straight"], dice("2,2")) == FleetBefore(inf, 0)
    found = odds.after(COMBINATIONS["straight"], dice("3,4,5,joker"), dice("2,2"))
    assert (found.value, found.best) == (inf, ())


def test_the_value_of_a_set_is_one_throw_more_than_what_the_best_choices_come_to() -> None:
    """Bellman's equation, put to the answers themselves."""
    rules = fleet_rules_of("flash", {"groups": "may_repeat", "keeping": "unfrozen"})
    odds, combination = FleetOdds(rules), COMBINATIONS["pair-and-four"]
    mean = sum(odds.after(combination, Dice(throw)).value * chance for throw, chance in throws(6))

    assert odds.before(combination).value == pytest.approx(1 + mean)
