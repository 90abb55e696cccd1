"""One die, scores and options: the readings of the documents, and the published values of the classic game."""

from functools import cache
from itertools import product

import pytest

from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw
from tests.support.long import long_but_every
from tests.support.together import together


def test_one_die_in_the_pub_once_seven_eight_and_nine_are_shut() -> None:
    rules = rules_of("pub")

    assert rules.dice_allowed(rules.board("1 2 3 4 5 6 . . .")) == {1, 2}
    assert rules.dice_allowed(rules.board("1 . . . . . 7 . .")) == {2}
    assert rules_of("pub", {"tiles": 12}).dice_allowed(
        rules_of("pub", {"tiles": 12}).board("1 " + ". " * 10 + "12")
    ) == {2}


@together(
    ("options", "board", "dice"),
    [
        ({}, ". . . . . . . . ./. . . . . . 3 2 1", {1, 2}),
        ({}, "1 . . . . . . . ./9 . . . . . . . .", {2}),
        ({"one_die_total": "showing"}, "1 . . . . . . . ./9 . . . . . . . .", {1, 2}),
        ({"one_die_limit": "9"}, ". . . . . . . . ./9 . . . . . . . .", {1, 2}),
        ({"one_die_limit": "8"}, ". . . . . . . . ./9 . . . . . . . .", {2}),
        ({"one_die_forced": "true"}, ". . . . . . . . ./. . . . . . 3 2 1", {1}),
        ({"one_die": "never"}, ". . . . . . . . ./. . . . . . . . 1", {2}),
        ({"one_die": "only1"}, ". . . . . . . . ./. . . . . . . . 1", {1, 2}),
        ({"one_die": "only1"}, ". . . . . . . . ./. . . . . . . 2 .", {2}),
        ({"one_die": "high_covered"}, ". . . . . . . . ./. . . 6 5 4 3 2 1", {1, 2}),
        ({"one_die": "high_covered"}, "1 . . . . . . . ./9 . . . . . . . .", {2}),
        ({"one_die": "high_covered", "one_die_total": "showing"}, "1 . . . . . . . ./9 . . . . . . . .", {1, 2}),
    ],
)
def test_when_a_two_level_player_may_throw_one_die(options: dict[str, str], board: str, dice: set[int]) -> None:
    rules = rules_of("two-level", options)

    assert rules.dice_allowed(rules.board(board)) == dice


@pytest.mark.parametrize(
    ("score", "points"), [("showing", 1 + 8), ("standing", 1 + 9 + 8), ("double_front", 2 + 9 + 8)]
)
def test_the_three_ways_to_score_a_two_level_board(score: str, points: int) -> None:
    rules = rules_of("two-level", {"score": score})

    assert rules.score(rules.board("1 . . . . . . . ./9 8 . . . . . . .")) == points


def test_a_shut_box_scores_nothing_and_a_start_scores_everything() -> None:
    for score, full in (("showing", 45), ("standing", 90), ("double_front", 135)):
        rules = rules_of("two-level", {"score": score})
        assert rules.score(rules.board(". . . . . . . . ./. . . . . . . . .")) == 0
        assert rules.score(rules.start()) == full


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("columns", "25", "columns=25 is not possible; allowed are 1 to 24"),
        ("columns", True, "allowed are 1 to 24"),
        ("reveal", "later", "next_throw, same_throw"),
        ("one_die_forced", 1, "false, true"),
        ("tiles", "9", "no option 'tiles' in this game"),
        ("colour", "red", "did you mean columns? It has columns, rows"),
    ],
)
def test_an_option_that_does_not_exist_is_refused_with_what_does(name: str, value: object, says: str) -> None:
    with pytest.raises(InvalidOption) as refusal:
        rules_of("two-level", {name: value})
    assert says in str(refusal.value)


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidOption, match="the games are two-level, double-shutter, pub"):
        rules_of("chess")


def least_expected_score(rules: Ruleset) -> float:
    """The textbook recursion over all boards: an independent use of moves, one-die permission and score."""

    @cache
    def before_throw(board: Board) -> float:
        if board.is_shut:
            return 0.0
        return min(mean(board, dice) for dice in rules.dice_allowed(board))

    def mean(board: Board, dice: int) -> float:
        throws = [Throw(faces) for faces in product(range(1, 7), repeat=dice)]
        return sum(after_throw(board, throw) for throw in throws) / len(throws)

    def after_throw(board: Board, throw: Throw) -> float:
        moves = rules.legal_moves(board, throw)
        return min((before_throw(board.without(move)) for move in moves), default=float(rules.score(board)))

    return before_throw(rules.start())


@pytest.mark.parametrize(
    ("one_die", "value"),
    long_but_every(
        2, [("high_covered", 11.009209), ("at_most", 11.021121), ("only1", 11.153040), ("never", 11.157508)]
    ),
)
def test_the_least_expected_score_of_the_classic_nine_is_the_published_one(one_die: str, value: float) -> None:
    assert least_expected_score(rules_of("pub", {"one_die": one_die})) == pytest.approx(value, abs=5e-7)
