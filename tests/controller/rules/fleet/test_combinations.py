"""Which throws are which combination: the words of S003, every reading of RULES.md section 3, and a search."""

from collections.abc import Iterable
from itertools import product

import pytest

from controller.rules.errors import InvalidNotation, InvalidOption
from controller.rules.fleet.cards import CARDS, FleetOptions, FleetTerms
from controller.rules.fleet.combinations import COMBINATIONS
from controller.rules.fleet.dice import Dice
from controller.rules.fleet.ruleset import FleetRules, fleet_rules_of
from tests.support.fleet_by_search import FACES, JOKER, NAMES, Faces, is_combination, throws
from tests.support.long import long_but_every
from tests.support.together import together

GROUPS, STRAIGHT = ("distinct", "may_repeat"), ("with_joker", "impossible")
SIX_JOKERS = "joker " * 6


def has(throw: str, name: str, **given: object) -> bool:
    rules = fleet_rules_of("fleet", given)
    return rules.has(rules.throw(throw), rules.combination(name))


def test_the_card_of_ten_rounds_is_the_sheet_of_fig_4() -> None:
    rules = fleet_rules_of("fleet")

    assert [rules.title(rules.combination(name)) for name in CARDS["fleet"].combinations] == [
        *("All Twos", "Three Pairs", "All Threes", "One Pair and One Four-of-a-Kind", "All Fours"),
        *("Two Three-of-a-Kind", "All Fives", "Straight", "All Sixes", "All Boats"),
    ]


def test_the_card_of_eight_rounds_has_three_others_for_the_five_of_one_number() -> None:
    """S003: "a single category of 'Six of a Kind,' along with 'All Even' and 'All Odd'"; the order is RULES.md's."""
    rules = fleet_rules_of("flash")

    assert [rules.title(rules.combination(name)) for name in CARDS["flash"].combinations] == [
        *("Six of a Kind", "Three Pairs", "All Even", "One Pair and One Four-of-a-Kind"),
        *("All Odd", "Two Three-of-a-Kind", "Straight", "All Bolts"),
    ]
    both = {*CARDS["fleet"].combinations, *CARDS["flash"].combinations}
    assert (both, set(NAMES)) == (set(COMBINATIONS), set(COMBINATIONS))


def test_all_twos_means_that_six_twos_lie() -> None:
    """S003: "meaning that six 2s must be rolled to achieve the combination"."""
    assert has("2 2 2 2 2 2", "all-twos")
    assert not has("2 2 2 2 2 3", "all-twos")
    assert not has("3 3 3 3 3 3", "all-twos")


@pytest.mark.parametrize(
    ("throw", "name"),
    [
        ("2 joker 2 2 joker 2", "all-twos"),
        ("2 2 4 4 6 joker", "three-pairs"),
        ("2 2 3 3 3 joker", "pair-and-four"),
        ("2 2 joker joker 5 5", "two-threes"),
        ("joker 6 5 4 3 2", "straight"),
        ("joker joker 5 4 3 2", "straight"),
        ("6 6 6 joker 6 6", "six-of-a-kind"),
        ("2 4 6 joker 2 joker", "all-even"),
        ("3 5 5 joker 3 joker", "all-odd"),
    ],
)
def test_a_joker_stands_for_any_other_number(throw: str, name: str) -> None:
    """S003: "the joker icon on each die can be used to signify any other number or other indicia on the die"."""
    assert has(throw, name)
    assert not has(throw, "all-jokers")


def test_two_groups_of_one_number_are_two_groups_only_where_groups_may_repeat() -> None:
    """RULES.md, section 3, ambiguities: "may groups share a number (six 4s = three pairs)?"."""
    for name, throw in [
        ("three-pairs", "4 4 4 4 4 4"),
        ("three-pairs", "4 4 4 4 5 joker"),
        ("two-threes", "4 4 4 4 4 joker"),
        ("pair-and-four", "4 4 4 4 4 4"),
    ]:
        assert not has(throw, name)
        assert not has(throw, name, groups="distinct")
        assert has(throw, name, groups="may_repeat")


def test_five_numbers_and_a_joker_are_a_straight_or_none_is_possible() -> None:
    """RULES.md, section 3, ambiguities: "Straight with faces 2..6: five numbers, six dice"."""
    for throw in ("2 3 4 5 6 joker", "2 6 joker joker joker joker", SIX_JOKERS):
        assert has(throw, "straight")
        assert has(throw, "straight", straight="with_joker")
        assert not has(throw, "straight", straight="impossible")
    assert not has("2 3 4 5 6 6", "straight")
    assert not has("2 2 joker joker joker joker", "straight")


def test_a_joker_counts_as_even_and_as_odd_or_as_neither() -> None:
    """RULES.md, section 3, ambiguities: "All Even/Odd, jokers count as either"."""
    for name, throw in [("all-even", "2 4 6 2 4 joker"), ("all-odd", "3 5 3 5 3 joker")]:
        assert has(throw, name)
        assert has(throw, name, even_odd_jokers=True)
        assert not has(throw, name, even_odd_jokers=False)
    assert has("2 4 6 2 4 6", "all-even", even_odd_jokers=False)
    assert has("2 2 2 2 2 joker", "all-twos", even_odd_jokers=False)


def test_six_jokers_are_any_combination_or_their_own_alone() -> None:
    """RULES.md, section 3, ambiguities: "six jokers for any combination"."""
    for name in NAMES:
        assert has(SIX_JOKERS, name)
        assert has(SIX_JOKERS, name, six_jokers=True)
        assert has(SIX_JOKERS, name, six_jokers=False) == (name == "all-jokers")
    for name in ("all-even", "all-odd"):
        assert has(SIX_JOKERS, name, even_odd_jokers=False), "any combination is any"
    assert has("joker joker joker joker joker 2", "three-pairs", six_jokers=False)


def test_the_defaults_are_those_of_the_rules() -> None:
    assert fleet_rules_of("fleet").options == fleet_rules_of("flash").options == FleetOptions()
    assert fleet_rules_of("fleet").chosen == {
        "groups": "distinct",
        "straight": "with_joker",
        "even_odd_jokers": True,
        "six_jokers": True,
        "keeping": "frozen",
        "challenge": "announced",
        "namer": "rotation",
        "first": "highest",
        "timer": 0,
        "chips": "1-2-3-4-5-6",
        "few_chips": "lowest",
        "equal_shouts": "earlier",
        "wrong_shout": "play_on",
        "unfinished": "used_up",
        "stake": 0,
        "odd_coin": "earliest_seat",
        "undo": "anybody",
        "hints": "always",
    }
    assert fleet_rules_of("fleet").terms == FleetTerms()


def test_fewer_than_six_dice_are_no_combination() -> None:
    rules = fleet_rules_of("fleet")

    assert not any(rules.has(rules.dice("joker joker joker joker joker"), each) for each in COMBINATIONS.values())


def check(rules: FleetRules, given: Iterable[Faces]) -> None:
    """The rules say of every throw what the search says of it."""
    groups, straight = rules.options.groups, rules.options.straight
    for throw in given:
        dice, in_order = Dice(throw), tuple(sorted(throw))
        for name, combination in COMBINATIONS.items():
            expected = is_combination(in_order, name, groups, straight)
            assert rules.has(dice, combination) == expected, (throw, name)


@pytest.mark.parametrize(("straight", "groups"), long_but_every(3, product(STRAIGHT, GROUPS)))
def test_every_throw_in_order_is_what_a_search_finds(groups: str, straight: str) -> None:
    rules = fleet_rules_of("fleet", {"groups": groups, "straight": straight})

    check(rules, [throw for throw, _ in throws(6)])


@pytest.mark.long
@pytest.mark.parametrize("straight", STRAIGHT)
@pytest.mark.parametrize("groups", GROUPS)
def test_every_one_of_the_46656_throws_is_what_a_search_finds(groups: str, straight: str) -> None:
    rules = fleet_rules_of("fleet", {"groups": groups, "straight": straight})

    check(rules, product(FACES, repeat=6))


@together("six_jokers", [True, False])
@together("name", NAMES)
def test_jokers_that_do_not_count_are_what_a_search_finds(name: str, six_jokers: bool) -> None:
    rules = fleet_rules_of("fleet", {"even_odd_jokers": False, "six_jokers": six_jokers})
    for throw, _ in throws(6):
        if set(throw) == {JOKER}:
            idle = name != "all-jokers" and not six_jokers
        else:
            idle = name in ("all-even", "all-odd") and JOKER in throw
        expected = is_combination(throw, name) and not idle
        assert rules.has(Dice(throw), rules.combination(name)) == expected, throw


def test_dice_are_read_with_the_picture_of_the_joker_or_by_its_name() -> None:
    fleet, flash = fleet_rules_of("fleet"), fleet_rules_of("flash")
    dice = fleet.throw("boat,2,6 2,JOKER 3")

    assert (str(dice), dice.tell("boat"), dice.plain) == (
        "2,2,3,6,joker,joker",
        "boat boat 2 2 3 6",
        [2, 2, 3, 6, "joker", "joker"],
    )
    assert (fleet.dice(str(dice)), flash.dice("bolt bolt 2 2 3 6"), fleet.dice("")) == (dice, dice, Dice())
    with pytest.raises(InvalidNotation, match=r"no face 'bolt': a die shows 2 to 6 or a boat \(joker\)"):
        fleet.dice("2,bolt")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1,2,3,4,5,6", "no face '1': a die shows 2 to 6"),
        ("2,2,2,2,2", "it is made with 6 dice, not 5"),
        ("2,2,2,2,2,2,2", "a player has 6 of them, not 7"),
    ],
)
def test_what_is_no_throw_is_refused_in_a_line(text: str, says: str) -> None:
    with pytest.raises(InvalidNotation, match=says):
        fleet_rules_of("fleet").throw(text)


def test_a_face_that_no_die_has_is_refused() -> None:
    with pytest.raises(InvalidNotation, match="a die shows 2 to 6 or a joker"):
        Dice((1,))


def test_a_misspelt_game_option_or_combination_is_told_what_there_is() -> None:
    with pytest.raises(InvalidOption, match="no game 'flet'; did you mean fleet"):
        fleet_rules_of("flet")
    with pytest.raises(InvalidOption, match="no option 'group' in this game; did you mean groups"):
        fleet_rules_of("fleet", {"group": "distinct"})
    with pytest.raises(InvalidOption, match="straight=never is not possible; allowed are with_joker, impossible"):
        fleet_rules_of("fleet", {"straight": "never"})
    with pytest.raises(InvalidNotation, match="no combination 'strait'; did you mean straight"):
        fleet_rules_of("fleet").combination("strait")
