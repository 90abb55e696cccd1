"""The command line of the odds of Fleet! and Flash!: JSON forms, sentences, batches, and one line for a wrong call."""

import json

import pytest

from controller.rules.fleet.cards import CARDS, CHOICES
from controller.rules.fleet.combinations import COMBINATIONS
from tests.controller.conftest import Shutbox, answers

STRAIGHT = ("odds", "--game", "fleet", "--combination", "straight")


def test_odds_before_and_after_a_throw_have_the_promised_form(shutbox: Shutbox) -> None:
    [before] = answers(shutbox(*STRAIGHT, "--json")[1])
    assert before == {
        "aim": "throws",
        "value": pytest.approx(3.764711505484, abs=1e-9),
        "at_once": pytest.approx(4051 / 6**6, abs=1e-15),
    }
    [after] = answers(shutbox(*STRAIGHT, "--throw", "2,2,3,5,6,joker", "--json")[1])
    assert after == {"aim": "throws", "value": pytest.approx(2.923615594051, abs=1e-9), "best": [["joker"]]}


@pytest.mark.parametrize("game", ["fleet", "flash"])
def test_every_combination_is_asked_for_in_either_game(shutbox: Shutbox, game: str) -> None:
    for name in COMBINATIONS:
        [told] = answers(shutbox("odds", "--game", game, "--combination", name, "--json")[1])
        assert told["value"] > 1


def test_numbers_and_jokers_of_the_best_dice_are_told_apart(shutbox: Shutbox) -> None:
    call = ("odds", "--game", "flash", "--combination", "three-pairs", "--throw", "2,3,3,5,5,bolt", "--json")

    assert answers(shutbox(*call)[1]) == [{"aim": "throws", "value": 0.0, "best": [[2, 3, 3, 5, 5, "joker"]]}]
    [told] = answers(shutbox(*STRAIGHT, "--kept", "2,joker", "--throw", "3,3,4,5", "--aim", "throws", "--json")[1])
    assert told == {"aim": "throws", "value": pytest.approx(3), "best": [[3, 4, 5]]}


def test_options_change_the_odds(shutbox: Shutbox) -> None:
    def value(name: str, *options: str) -> float:
        call = ("odds", "--game", "fleet", "--combination", name, *options, "--json")
        return float(answers(shutbox(*call)[1])[0]["value"])

    assert value("six-of-a-kind", "--set", "keeping=frozen") == value("six-of-a-kind") == pytest.approx(5.6578898)
    assert value("six-of-a-kind", "--set", "keeping=unfrozen") == pytest.approx(5.6436003)
    assert value("two-threes", "--set", "groups=distinct") == value("two-threes") == pytest.approx(3.1933373)
    assert value("two-threes", "--set", "groups=may_repeat") == pytest.approx(3.1390584)
    assert value("all-odd", "--set", "even_odd_jokers=false") > value("all-odd") + 2
    assert value("all-twos", "--set", "six_jokers=false") > value("all-twos")


def test_what_can_never_be_has_no_value(shutbox: Shutbox) -> None:
    never = {"aim": "throws", "value": None}

    assert answers(shutbox(*STRAIGHT, "--kept", "2,2", "--json")[1]) == [never | {"at_once": 0.0}]
    found = answers(shutbox(*STRAIGHT, "--kept", "2,2", "--throw", "3,4,5,6", "--json")[1])
    assert found == [never | {"best": []}]
    impossible = (*STRAIGHT, "--set", "straight=impossible")
    assert answers(shutbox(*impossible, "--json")[1]) == [never | {"at_once": 0.0}]
    assert shutbox(*impossible, "--throw", "2,3,4,5,6,boat") == (0, "Straight can never be thrown.\n", "")
    assert shutbox(*STRAIGHT, "--kept", "2,2") == (0, "Straight with 2 2 kept can never be thrown.\n", "")


def test_what_is_not_asked_for_in_json_is_said_in_sentences(shutbox: Shutbox) -> None:
    before = shutbox("odds", "--game", "flash", "--combination", "all-jokers", "--kept", "bolt")[1]
    takes, enough = before.replace("\n", " ").split(". ", 1)
    assert takes.startswith("All Bolts with bolt kept takes 13.02 throws on average, if the best dice are kept")
    assert enough.startswith("One throw is enough under 0.1 %")
    lines = shutbox(*STRAIGHT, "--throw", "2,2,3,5,6,boat")[1].splitlines()
    assert lines[0] == "Keep boat: you then need 2.92 more throws on average."
    assert lines[1] == "  boat 2 3 5 6: 3.00 throws, 0.08 worse."
    assert (len(lines), lines[-1]) == (13, "And 20 more choices, none of them better.")
    as_good = shutbox("odds", "--game", "fleet", "--combination", "six-of-a-kind", "--throw", "2,2,3,3,4,5")[1]
    assert as_good.splitlines()[:3] == [
        "Keep 2 2: you then need 5.64 more throws on average.",
        "  3 3: as good.",
        "  none: 5.66 throws, 0.02 worse.",
    ]
    assert shutbox(*STRAIGHT, "--throw", "2,3,4,5,6,boat")[1] == "Straight: shout Fleet!\n"
    assert shutbox(*STRAIGHT, "--kept", "2", "--throw", "2,2,2,2,2")[1].startswith("Keep none: ")


def test_a_batch_may_be_about_both_kinds_of_games(shutbox: Shutbox) -> None:
    asked = {"game": "fleet", "set": {"groups": "distinct"}, "combination": "straight"}
    lines = [
        asked,
        asked | {"throw": [2, 2, 3, 5, 6, "joker"]},
        {"game": "pub", "throw": [5, 3]},
        asked | {"kept": ["boat"], "throw": "2 3 4 5 6"},
        asked | {"board": "1"},
        asked | {"throw": [1, 2, 3, 4, 5, 6]},
        {"game": ["fleet"]},
    ]

    status, out, _ = shutbox("odds", "--batch", "-", typed="\n".join(map(json.dumps, lines)))

    before, after, tiles, done, board, face, game = answers(out)
    assert (status, before["at_once"], after["best"]) == (0, pytest.approx(4051 / 6**6), [["joker"]])
    assert (tiles["best"], done["value"]) == ([["front-8"]], 0)
    assert board["error"].endswith("keys are game, set, combination, throw, kept, aim")
    assert face["error"].startswith("no face 1: a die shows 2 to 6 or a boat (joker)")
    assert game["error"].startswith("game: ")


@pytest.mark.long
def test_races_by_chance_tell_wins_chips_and_throws(shutbox: Shutbox) -> None:
    call = ("simulate", "--game", "flash", "--players", "best,thumb", "--games", "4000", "--seed", "7")
    [told] = answers(shutbox(*call, "--json")[1])

    assert list(told) == [
        *("game", "players", "seed", "games", "wins", "standard_errors", "chips", "throws", "rounds"),
    ]
    assert (told["game"], told["players"], told["seed"], told["games"]) == ("flash", ["best", "thumb"], 7, 4000)
    assert (sum(told["wins"]), sum(told["chips"])) == (pytest.approx(1), pytest.approx(8 * 3))
    assert list(told["throws"]) == list(told["rounds"]) == list(CARDS["flash"].combinations)
    drawn = shutbox(*call)[1].splitlines()
    assert drawn[0] == "4000 games, combinations in the order of the sheet; each share is known to 1.3 %."
    assert drawn[1].startswith(" best, 12.1 points █")
    assert drawn[3].split() == ["throws", "on", "average", "best", "thumb", "round"]
    assert (len(drawn), drawn[-1].split()[:2]) == (12, ["All", "Bolts"])
    assert max(map(len, drawn)) <= 85


@pytest.mark.long
def test_the_best_order_of_a_card_has_the_promised_form(shutbox: Shutbox) -> None:
    call = ("odds", "--game", "flash", "--order", "--players", "2", "--json")
    [told] = answers(shutbox(*call)[1])

    assert list(told) == ["aim", "players", "order", "value", "in_order", "found_by"]
    assert sorted(told["order"]) == sorted(CARDS["flash"].combinations)
    assert told["value"] > told["in_order"] == pytest.approx(8 * 1.5)


def test_games_lists_both_cards_with_their_document_and_options(shutbox: Shutbox) -> None:
    listed = {told["game"]: told for told in answers(shutbox("games", "--json")[1])}
    assert [listed[game]["document"] for game in CARDS] == ["S003", "S003"]
    assert [[*listed[game]["options"]] for game in CARDS] == [[choice.name for choice in CHOICES]] * 2

    status, told, _ = shutbox("games", "fleet")
    assert (status, told.splitlines()[0]) == (
        0,
        "fleet (document S003): A race with six dice and boats for jokers; ten combinations.",
    )
    assert "  --set timer=0\n      seconds for the last player; 0 is none (0, 5, 10, 15," in told


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (("odds", "--game", "fleet"), "a combination is needed, one of all-twos, all-threes"),
        (("odds", "--game", "fleet", "--combination", "strait"), "did you mean straight?"),
        (("odds", "--game", "fleet", "--combination", ""), "no combination ''"),
        ((*STRAIGHT, "--throw", "2,2"), "throw 2,2: it is made with 6 dice, not 2"),
        ((*STRAIGHT, "--throw", "2,3,4,5,6,joker", "--kept", "2"), "it is made with 5 dice with 1 kept, not 6"),
        ((*STRAIGHT, "--throw", ""), "it is made with 6 dice, not 0"),
        ((*STRAIGHT, "--throw", "1,2,3,4,5,6"), "no face '1': a die shows 2 to 6 or a boat (joker)"),
        ((*STRAIGHT, "--throw", "2,2,2,2,2,2,2"), "a player has 6 of them, not 7"),
        ((*STRAIGHT, "--kept", "2,3,4,5,6,boat"), "with all 6 kept there is nothing to throw"),
        ((*STRAIGHT, "--kept", "2", "--set", "keeping=unfrozen"), "say all six as the throw"),
        ((*STRAIGHT, "--aim", "win"), "no aim 'win' in fleet; there is throws"),
        ((*STRAIGHT, "--board", "1 2", "--players", "3"), "leave out board and players"),
        ((*STRAIGHT, "--curve"), "leave out curve"),
        ((*STRAIGHT, "--set", "groups=equal"), "allowed are distinct, may_repeat"),
        (("odds", "--game", "pub", "--combination", "straight"), "are for fleet and flash, not for pub"),
        (("odds", "--kept", "2"), "are for fleet and flash, not for two-level"),
        (("odds", "--batch", "-", "--kept", "2"), "leave out kept"),
        (("odds", "--batch", "-", "--order"), "leave out order"),
        (("odds", "--order", "--players", "3"), "--order is for fleet and flash, not for two-level"),
        (("odds", "--game", "flash", "--order"), "--order needs --players"),
        (("odds", "--game", "flash", "--order", "--players", "9"), "2 to 6 players, not 9"),
        ((*STRAIGHT, "--order", "--players", "3"), "alone"),
        (
            ("simulate", "--game", "fleet", "--player", "best"),
            "fleet is raced for: say --players best,thumb and --games",
        ),
        (("simulate", "--game", "fleet", "--turns", "10"), "say --players best,thumb and --games"),
        (("simulate", "--game", "flash", "--players", "best"), "2 to 6 players, not 1"),
        (("simulate", "--game", "flash", "--players", "best,steady"), "say some of best, thumb"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_two(shutbox: Shutbox, call: tuple[str, ...], says: str) -> None:
    status, out, err = shutbox(*call)

    assert (status, out) == (2, "")
    assert says in err
    assert (err.count("\n"), "Traceback" in err) == (1, False)
