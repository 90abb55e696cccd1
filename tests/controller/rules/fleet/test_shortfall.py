"""What dice lack to be a combination: each way to complete it."""

import pytest

from controller.rules.fleet.combinations import COMBINATIONS
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import fleet_rules_of
from tests.support.fleet_by_search import throws
from tests.support.long import long_but_every
from tests.support.together import together


def missing(throw: str, name: str, game: str = "fleet", **given: object) -> list[str]:
    rules = fleet_rules_of(game, given)
    return [way.tell(rules.card.joker) for way in rules.missing(rules.throw(throw), rules.combination(name))]


@together(
    ("throw", "name", "ways"),
    [
        ("2 2 2 boat 5 6", "two-threes", ["5", "6"]),
        ("2 2 2 3 4 5", "two-threes", ["3 3", "4 4", "5 5"]),
        ("2 2 3 4 5 boat", "three-pairs", ["3", "4", "5"]),
        ("2 2 2 2 2 2", "pair-and-four", ["3 3", "4 4", "5 5", "6 6"]),
        # Either may become the four.
        ("2 2 3 3 5 6", "pair-and-four", ["2 2", "3 3"]),
        ("2 2 3 5 6 boat", "straight", ["4"]),
        ("2 3 4 5 6 6", "straight", ["boat"]),
        ("2 2 3 5 6 6", "straight", ["boat 4"]),
        ("2 2 boat 4 5 6", "all-twos", ["2 2 2"]),
        ("2 3 4 5 5 6", "six-of-a-kind", ["5 5 5 5"]),
        ("3 3 3 5 6 boat", "all-odd", ["3", "5"]),
        ("2 3 4 5 6 boat", "all-jokers", ["boat boat boat boat boat"]),
        ("2 2 2 2 2 2", "six-of-a-kind", []),
    ],
)
def test_each_way_is_named(throw: str, name: str, ways: list[str]) -> None:
    assert missing(throw, name) == ways


def test_what_the_rules_agreed_keep_from_counting_is_missing() -> None:
    assert missing("2 3 4 5 6 boat", "straight", straight="impossible") == []
    assert missing("2 2 4 6 6 boat", "all-even", even_odd_jokers=False) == ["2", "4", "6"]
    assert missing("4 4 4 4 4 5", "three-pairs", groups="may_repeat") == ["4", "5"]


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
        ways = rules.missing(dice, combination)
        assert (not ways) == rules.has(dice, combination)
        others = [Dice(faces[:place] + faces[place + 1 :]) for place in range(6)]
        would_do = {face for face in range(2, 8) for five in others if rules.has(five + Dice((face,)), combination)}
        if ways and len(ways[0]) == 1:
            named = {each.faces[0] for each in ways}
            # Where a number does, a joker does, too: that goes without saying.
            assert named == (would_do - {7} or would_do), dice
        elif ways:
            assert not would_do, dice
