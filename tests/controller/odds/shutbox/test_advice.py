"""What players and programs are told."""

import pytest

from controller.odds.shutbox.advice import Before, odds_of
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.model import Model
from controller.odds.work import TooManyBoards
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.ruleset import Move, Ruleset, rules_of
from controller.rules.throw import Throw
from tests.support.long import long_but_every
from tests.support.plain_odds import Worth, plain_mean, plain_values

_PUB = rules_of("pub")
_SCORE = Aim("score")


def _names(moves: tuple[Move, ...]) -> list[list[str]]:
    return [[tile.name for tile in move] for move in moves]


def test_the_start_of_the_pub_game_before_and_after_a_throw() -> None:
    odds = odds_of(_PUB)
    after = odds.after(_PUB.start(), _PUB.throw("5,3"), _SCORE)

    assert odds.before(_PUB.start(), _SCORE).value == pytest.approx(11.0092085932, abs=1e-10)
    assert odds.before(_PUB.start(), _SCORE).dice == 2
    assert after.value == pytest.approx(9.0406746918, abs=1e-10)
    assert _names(after.best) == [["front-8"]]


@pytest.mark.parametrize("aim", long_but_every(3, [Aim("score"), Aim("shut"), Aim("at-most", 4)]))
@pytest.mark.parametrize(
    "rules",
    [
        rules_of("pub", {"tiles": 6}),
        rules_of("2-to-go", {"tiles": 6}),
        rules_of("unlucky-7", {"tiles": 6, "on_seven": "played", "one_die": "high_covered"}),
        rules_of("thai", {"tiles": 6}),
        rules_of("golf", {"tiles": 5, "dice": 3, "one_die": "high_covered", "many_dice": "any"}),
    ],
    ids=lambda rules: rules.preset.name,
)
def test_the_best_number_of_dice_and_the_best_moves_reach_the_value_and_the_others_do_not(
    rules: Ruleset, aim: Aim
) -> None:
    odds = odds_of(rules)
    plain = plain_values(rules, lambda board: aim.end(rules, board), greatest=aim.greatest)
    for index in range(Model.of(rules).size):
        board = Model.of(rules).board_at(index)
        assert odds.before(board, aim).value == pytest.approx(plain(board), abs=1e-12)
        assert odds.before(board, aim).dice == _best_dice(rules, board, aim, plain)
        for throw in (Throw((1,)), Throw((2, 5)), Throw((2, 2)), Throw((3, 3))):
            if len(throw.dice) in rules.dice_counts:
                _check_after(rules, board, throw, aim, plain)


def _best_dice(rules: Ruleset, board: Board, aim: Aim, plain: Worth) -> int | None:
    """The greatest number of dice whose mean is the value."""
    if board.is_shut:
        return None
    means = {
        dice: plain_mean(rules, board, dice, plain, lambda board: aim.end(rules, board), greatest=aim.greatest)
        for dice in rules.dice_allowed(board)
    }
    return max(dice for dice, mean in means.items() if abs(mean - plain(board)) <= 1e-12)


def _check_after(rules: Ruleset, board: Board, throw: Throw, aim: Aim, plain: Worth) -> None:
    found = odds_of(rules).after(board, throw, aim)
    moves = rules.legal_moves(board, throw)
    worth = [
        aim.end(rules, board.without(move)) if rules.ends_turn(throw) else plain(board.without(move)) for move in moves
    ]
    best = (max if aim.greatest else min)(worth, default=aim.end(rules, board))

    assert found.value == pytest.approx(best, abs=1e-12)
    assert found.best == tuple(move for move, value in zip(moves, worth, strict=True) if abs(value - best) <= 1e-12)


def test_one_die_is_advised_where_it_is_better_and_the_more_dice_where_it_is_all_one() -> None:
    odds = odds_of(_PUB)

    assert odds.before(_PUB.board("1 . . . . . . . ."), _SCORE).dice == 1
    assert odds.before(_PUB.board("1 . . . . . . 8 ."), _SCORE).dice == 2
    assert odds_of(rules_of("maker")).before(_PUB.board(". . . . . 6 . . ."), Aim("at-most", 6)) == Before(1.0, 2)


def test_a_shut_box_is_worth_nothing_more_and_wants_no_dice() -> None:
    odds, shut = odds_of(_PUB), _PUB.board(". . . . . . . . .")

    assert odds.before(shut, _SCORE) == Before(0.0, None)
    assert odds.before(shut, Aim("shut")) == Before(1.0, None)


def test_a_throw_without_a_move_ends_the_turn_with_the_board_as_it_is() -> None:
    odds = odds_of(_PUB)
    board, throw = _PUB.board("1 . . . 5 . . . 9"), _PUB.throw("2,2")

    assert (odds.after(board, throw, _SCORE).value, odds.after(board, throw, _SCORE).best) == (15.0, ())
    assert odds.after(board, throw, Aim("at-most", 14)).value == 0.0
    assert odds.after(board, throw, Aim("at-most", 15)).value == 1.0


def test_moves_that_are_equally_good_are_all_best_in_the_order_of_the_rules() -> None:
    board, throw = _PUB.start(), _PUB.throw("6,6")

    assert odds_of(_PUB).after(board, throw, Aim("at-most", 45)).best == _PUB.legal_moves(board, throw)


def test_a_curve_holds_the_chance_of_every_limit_from_shut_to_certain() -> None:
    rules = rules_of("two-level", {"columns": 5})
    odds, board = odds_of(rules), rules.start()
    curve = odds.curve(board)

    assert len(curve) == Model.of(rules).scores.max() + 1
    assert curve[0] == pytest.approx(odds.before(board, Aim("shut")).value, abs=1e-14)
    assert curve[7] == pytest.approx(odds.before(board, Aim("at-most", 7)).value, abs=1e-14)
    assert list(curve) == sorted(curve)
    assert curve[-1] == 1.0


def test_chances_stay_within_nought_and_one() -> None:
    odds = odds_of(rules_of("two-level", {"columns": 6}))

    assert all(0.0 <= chance <= 1.0 for chance in odds.curve(odds.rules.start()))


def test_a_curve_of_digits_is_refused_with_the_most_that_it_goes_to() -> None:
    rules = rules_of("digital")

    with pytest.raises(InvalidOption, match="up to 123456789"):
        odds_of(rules).curve(rules.start())


def test_blanks_that_stand_for_good_keep_a_box_open_and_those_that_lie_do_not() -> None:
    rules = rules_of("dominoes", {"domino_set": 28})
    last = [tile for tile in rules.start().standing if tile.name not in ("2-5", "0-3")]
    board = rules.start().without(last)
    without_blank = board.without(tile for tile in board.standing if tile.name == "0-3")

    assert odds_of(rules).before(board, Aim("shut")).value == 0.0
    assert odds_of(rules).before(board, _SCORE).value == pytest.approx(3 + 7 * 34 / 36)
    assert odds_of(rules).before(without_blank, Aim("shut")).value == pytest.approx(2 / 36)


def test_digits_of_twelve_tiles_are_exact() -> None:
    rules = rules_of("digital", {"tiles": 12})

    assert Model.of(rules).scores.max() == 123456789101112
    assert odds_of(rules).before(rules.board(". " * 10 + "11 ."), _SCORE).value == pytest.approx(11 * 34 / 36)


@pytest.mark.parametrize("text", ["score", "shut", "at-most:0", "at-most:12"])
def test_an_aim_reads_back(text: str) -> None:
    assert str(Aim.parse(text)) == text


@pytest.mark.parametrize("text", ["", "least", "at-most", "at-most:", "at-most:-1", "at-most:x", "at-most:٣", "Shut"])
def test_any_other_aim_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(InvalidOption, match="the aims are score, shut and at-most:N"):
        Aim.parse(text)


def test_a_game_with_too_many_boards_still_has_odds_near_its_end() -> None:
    rules = rules_of("two-level", {"columns": 20, "dice": 2})
    late = Board(rules.layout, (*[2] * 17, 1, 1, 1))

    with pytest.raises(TooManyBoards):
        odds_of(rules).before(rules.start(), _SCORE)
    assert 0 < odds_of(rules).before(late, _SCORE).value < rules.score(late)
