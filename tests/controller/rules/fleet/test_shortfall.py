"""The sentence to a wrong shout: what lies there, and what is missing."""

import pytest

from controller.rules.fleet.combinations import COMBINATIONS, Shortfall
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import fleet_rules_of
from tests.support.fleet_by_search import throws
from tests.support.long import long_but_every
from tests.support.together import together


def shortfall(throw: str, name: str, game: str = "fleet", **given: object) -> Shortfall:
    rules = fleet_rules_of(game, given)
    found = rules.shortfall(rules.throw(throw), rules.combination(name))
    assert found is not None
    return found


@together(
    ("throw", "name", "says"),
    [
        ("2 2 2 boat 5 6", "two-threes", "two three-of-a-kind: 2 2 2 and boat 5 6; one 5 or 6 is missing"),
        ("2 2 2 3 4 5", "two-threes", "two three-of-a-kind: 2 2 2 and 3 4 5; two 3s, two 4s or two 5s are missing"),
        ("2 2 3 4 5 boat", "three-pairs", "three pairs: 2 2 and boat 3 4 5; one 3, 4 or 5 is missing"),
        ("2 2 3 4 5 6", "three-pairs", "three pairs: 2 2 and 3 4 5 6; two dice do not fit"),
        (
            "2 2 2 2 2 2",
            "pair-and-four",
            "one pair and one four-of-a-kind: 2 2 2 2 and 2 2; two 3s, two 4s, two 5s or two 6s are missing",
        ),
        # Either may become the four: neither is a whole group yet.
        (
            "2 2 3 3 5 6",
            "pair-and-four",
            "one pair and one four-of-a-kind: 2 2 3 3 5 6; two 2s or two 3s are missing",
        ),
        ("2 2 3 5 6 boat", "straight", "straight: boat 2 2 3 5 6; one 4 is missing"),
        ("2 3 4 5 6 6", "straight", "straight: 2 3 4 5 6 6; one boat is missing"),
        ("2 2 3 5 6 6", "straight", "straight: 2 2 3 5 6 6; one 4 and one boat are missing"),
        ("2 2 boat 4 5 6", "all-twos", "all twos: boat 2 2 4 5 6; three 2s are missing"),
        ("2 3 4 5 5 6", "six-of-a-kind", "six of a kind: 2 3 4 5 5 6; four 5s are missing"),
        ("2 3 4 5 6 boat", "all-even", "all even: boat 2 3 4 5 6; two even numbers are missing"),
        ("3 3 3 5 6 boat", "all-odd", "all odd: boat 3 3 3 5 6; one odd number is missing"),
        ("2 3 4 5 6 boat", "all-jokers", "all boats: boat 2 3 4 5 6; five boats are missing"),
    ],
)
def test_what_is_missing_is_said_in_a_line(throw: str, name: str, says: str) -> None:
    assert shortfall(throw, name).tell() == says


def test_the_joker_is_called_by_its_picture() -> None:
    assert shortfall("2 2 2 bolt 5 6", "two-threes", "flash").tell().startswith("two three-of-a-kind: 2 2 2 and bolt")
    assert shortfall("2 2 2 2 2 bolt", "all-jokers", "flash").tell().startswith("all bolts: bolt 2 2")


def test_what_the_rules_agreed_keep_from_counting_is_said() -> None:
    assert shortfall("2 3 4 5 6 boat", "straight", straight="impossible").tell() == (
        "straight: boat 2 3 4 5 6; by the rules agreed no dice make one"
    )
    assert shortfall("2 2 4 6 6 boat", "all-even", even_odd_jokers=False).tell() == (
        "all even: boat 2 2 4 6 6; one even number is missing, for boats do not count here"
    )
    assert shortfall("boat " * 6, "three-pairs", six_jokers=False).tell().endswith("for boats do not count here")


def test_a_group_that_may_repeat_is_shown_once() -> None:
    assert shortfall("4 4 4 4 4 5", "three-pairs", groups="may_repeat").tell() == (
        "three pairs: 4 4 4 4 4 5; one 4 or 5 is missing"
    )


@pytest.mark.parametrize(
    ("name", "groups"),
    long_but_every(
        5,
        [
            *((name, "distinct") for name in COMBINATIONS),
            *((name, "may_repeat") for name in ("three-pairs", "pair-and-four", "two-threes")),
        ],
    ),
)
def test_it_is_told_exactly_which_dice_would_do(name: str, groups: str) -> None:
    """Of one die that is missing, every number is named that makes the throw the combination, and no other one."""
    rules = fleet_rules_of("fleet", {"groups": groups})
    combination = rules.combination(name)
    for faces, _ in throws(6):
        dice = Dice(faces)
        found = rules.shortfall(dice, combination)
        assert (found is None) == rules.has(dice, combination)
        others = [Dice(faces[:place] + faces[place + 1 :]) for place in range(6)]
        would_do = {face for face in range(2, 8) for five in others if rules.has(five + Dice((face,)), combination)}
        if found is not None and len(found.missing[0]) == 1:
            named = {each.faces[0] for each in found.missing}
            # Where a number does, a joker does, too: that goes without saying.
            assert named == (would_do - {7} or would_do), found.tell()
            assert sum(found.groups, found.rest) == dice
        elif found is not None:
            assert not would_do, found.tell()
