"""Every board of small boxes against the plain recursion, and the published values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.model import Model
from controller.odds.shutbox.moves import moves_from
from controller.odds.shutbox.solver import solve
from controller.odds.work import MOST_BOARDS, TooManyBoards
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import OneDieRule, Ruleset, rules_of
from controller.rules.tiles import Marks
from tests.support.long import long_but_every
from tests.support.plain_odds import plain_values

Given = dict[str, str | int | bool]

_OF_A_TURN = {
    *("tiles", "columns", "rows", "dice", "domino_set", "domino_match", "reveal", "score", "max_tiles", "on_seven"),
    *("one_die", "one_die_limit", "one_die_total", "one_die_forced", "many_dice"),
}


def _agrees(rules: Ruleset, aim: Aim, board: Board, inner: int | None = None) -> None:
    """The solver's values of all boards after one are those of the recursion, to twelve digits."""
    model = Model.of(rules, board)
    found = solve(model, aim.ends(model), greatest=aim.greatest, inner=inner)
    plain = plain_values(rules, lambda board: aim.end(rules, board), greatest=aim.greatest)
    boards = [model.board_at(index) for index in range(model.size)]

    assert [model.index(board) for board in boards] == list(range(model.size))
    for board, allowed in zip(boards, model.dice_allowed.T.tolist(), strict=True):
        assert {dice for dice, may in zip(model.dice, allowed, strict=True) if may} == rules.dice_allowed(board)
    np.testing.assert_allclose(found, [plain(board) for board in boards], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize(
    ("one_die", "least"),
    [("high_covered", 11.009209), ("at_most", 11.021121), ("only1", 11.153040), ("never", 11.157508)],
)
def test_the_least_expected_score_of_the_classic_nine_is_the_published_one(one_die: str, least: float) -> None:
    model = Model.of(rules_of("pub", {"one_die": one_die}))

    assert solve(model, model.scores)[-1] == pytest.approx(least, abs=5e-7)


@pytest.mark.parametrize(("one_die", "chance"), [("never", 0.071432), ("high_covered", 0.097614)])
def test_the_chance_to_shut_the_classic_nine_is_the_published_one(one_die: str, chance: float) -> None:
    model = Model.of(rules_of("pub", {"one_die": one_die}))

    assert solve(model, np.arange(512) == 0, greatest=True)[-1] == pytest.approx(chance, abs=5e-7)


def test_the_least_expected_score_of_the_sold_two_level_box_is_the_published_one() -> None:
    model = Model.of(rules_of("double-shutter"))

    assert solve(model, model.scores)[-1] == pytest.approx(19.427223611931513, abs=1e-12)


@pytest.mark.parametrize("aim", ["score", "shut"])
@pytest.mark.parametrize(
    ("game", "given"),
    long_but_every(
        2,
        [
            ("pub", {"tiles": 7}),
            ("golf", {"tiles": 5, "dice": 3, "one_die": "at_most", "many_dice": "any"}),
            ("golf", {"tiles": 6, "dice": 3, "one_die": "high_covered", "one_die_forced": True, "many_dice": "any"}),
            ("golf", {"tiles": 6, "dice": 1, "one_die": "high_covered", "one_die_forced": True}),
            ("missionary", {"tiles": 7, "max_tiles": 2}),
            ("digital", {"tiles": 7}),
            ("2-to-go", {"tiles": 7}),
            ("3-to-go", {"tiles": 3, "one_die": "at_most"}),
            ("3-down-extreme", {"tiles": 10}),
            ("lucky-7", {}),
            ("unlucky-7", {"tiles": 7, "on_seven": "turn", "one_die": "high_covered"}),
            ("unlucky-7", {"tiles": 7, "on_seven": "round", "max_tiles": 2}),
            ("unlucky-7", {"tiles": 7, "on_seven": "played", "one_die": "high_covered"}),
            ("against-all-odds", {"tiles": 12}),
            ("the-300", {"tiles": 7, "dice": 3}),
            ("thai", {"tiles": 8}),
            ("2012", {"tiles": 7}),
            ("two-level", {"columns": 4, "score": "standing"}),
            ("double-shutter", {"columns": 4, "max_tiles": 3}),
        ],
    ),
)
def test_every_board_of_a_small_box_is_worth_what_the_recursion_says(game: str, given: Given, aim: str) -> None:
    rules = rules_of(game, given)

    _agrees(rules, Aim.parse(aim), rules.start())


@st.composite
def _rules(draw: st.DrawFn) -> Ruleset:
    """Any game with any options of a turn."""
    preset = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    choices = [choice for choice in preset.choices if choice.name in _OF_A_TURN]
    given = {choice.name: draw(st.sampled_from(choice.allowed)) for choice in choices}
    try:
        return rules_of(preset.name, {**given, "dice": min(3, int(given["dice"]))} if "dice" in given else given)
    except InvalidOption:
        return rules_of(preset.name, {**given, "score": "showing"})


@st.composite
def _late_boards(draw: st.DrawFn, rules: Ruleset) -> Board:
    """A board with few standing tiles, in any of its columns."""
    columns = draw(st.permutations(range(rules.layout.columns)))[:4]
    shut = [rules.layout.rows] * rules.layout.columns
    for column in columns:
        standing = draw(st.integers(1, min(3, rules.layout.rows)))
        if not rules.start().shut[column]:
            shut[column] -= standing
    return Board(rules.layout, tuple(shut))


@pytest.mark.long
@given(st.data())
@settings(max_examples=80, deadline=None)
def test_late_boards_of_any_game_with_any_options_and_split_agree_with_the_recursion(data: st.DataObject) -> None:
    rules = data.draw(_rules())
    board = data.draw(_late_boards(rules))
    aim = data.draw(st.sampled_from([Aim("score"), Aim("shut"), Aim("at-most", 5)]))
    inner = data.draw(st.integers(0, len(Model.of(rules, board).columns)))

    _agrees(rules, aim, board, inner)


@pytest.mark.parametrize("match", ["pair", "one_total", "any_total"])
def test_dominoes_of_one_total_share_a_column_and_blanks_without_a_pair_stand_for_good(match: str) -> None:
    rules = rules_of("dominoes", {"domino_set": 28, "domino_match": match})
    board = rules.start().without(tile for tile in rules.start().standing if tile.name not in _FEW_DOMINOES)

    assert Model.of(rules).size == (2**21 if match == "pair" else 1_658_880)
    _agrees(rules, Aim("score"), board)
    _agrees(rules, Aim("shut"), board)


_FEW_DOMINOES = {"1-4", "2-3", "3-4", "2-2", "0-4", "0-0", "0-5"}


def test_marks_may_give_several_tiles_of_a_row_one_value() -> None:
    names = {f"front-{number}": mark for number, mark in enumerate("abcdef", 1)}
    marks = Marks(names, {"a": 3, "b": 3, "c": 3, "d": 6, "e": 1})
    rules = rules_of("pub", {"tiles": 6}, marks)

    assert Model.of(rules).size == 4 * 3 * 2
    _agrees(rules, Aim("score"), rules.start())


def test_marks_may_give_the_tiles_of_a_column_any_values() -> None:
    names = {"front-1": "a", "back-2": "a", "row3-1": "b", "row4-2": "a"}
    rules = rules_of("two-level", {"rows": 4, "columns": 2}, Marks(names, {"a": 3, "b": 5}))

    for inner in range(3):
        _agrees(rules, Aim("score"), rules.start(), inner)


@pytest.mark.parametrize(
    ("game", "given"),
    long_but_every(
        3,
        [
            ("full-house", {}),
            ("the-300", {"tiles": 12, "one_die": "at_most", "many_dice": "any", "max_tiles": 3}),
            ("thai", {}),
            ("two-level", {"columns": 6}),
            ("double-shutter", {"columns": 6, "max_tiles": 3}),
            ("two-level", {"columns": 4, "score": "standing"}),
        ],
    ),
)
def test_how_the_columns_are_split_does_not_change_the_values(game: str, given: Given) -> None:
    model = Model.of(rules_of(game, given))
    whole = solve(model, model.scores, inner=len(model.columns))

    for inner in range(len(model.columns)):
        np.testing.assert_allclose(solve(model, model.scores, inner=inner), whole, rtol=1e-13)


def test_many_aims_at_once_give_what_each_gives_alone() -> None:
    model = Model.of(rules_of("two-level", {"columns": 5}))
    limits = np.arange(0, 30, 7)
    together = solve(model, model.scores[:, None] <= limits, greatest=True)

    for column, limit in zip(together.T, limits, strict=True):
        np.testing.assert_allclose(column, solve(model, model.scores <= limit, greatest=True), atol=1e-14)


def test_a_shut_box_is_worth_its_end_without_any_rounding() -> None:
    model = Model.of(rules_of("the-300", {"tiles": 6, "dice": 3}))

    assert solve(model, Aim("shut").ends(model), greatest=True)[0] == 1.0


def test_progress_rises_to_one() -> None:
    told: list[float] = []
    model = Model.of(rules_of("full-house"))
    solve(model, model.scores, progress=told.append)

    assert told == sorted(told)
    assert told[-1] == 1


def test_the_moves_of_repeated_boards_in_any_order_are_those_of_the_rules() -> None:
    rules = rules_of("double-shutter", {"columns": 6})
    model = Model.of(rules)
    states = np.array([700, 3, 700, 0, 512])
    moves = moves_from(model.columns, states, most_sum=model.most_sum, most_tiles=None)

    for row, state in enumerate(states.tolist()):
        board = model.board_at(state)
        for throw in ("1", "2,3", "4,4", "6,6"):
            legal = rules.legal_moves(board, rules.throw(throw))
            here = (moves.row == row) & (moves.key_sum == rules.throw(throw).total)
            assert sorted(moves.target[here]) == sorted(model.index(board.without(move)) for move in legal)
            assert sorted(moves.count[here]) == sorted(map(len, legal))


@pytest.mark.parametrize("showing", [False, True])
def test_one_rule_says_of_one_board_and_of_all_boards_when_fewer_dice_are_permitted(showing: bool) -> None:
    """A rule that no game has: it could not hold for both if either had an opinion of its own."""
    rules = rules_of("two-level", {"columns": 4})
    vars(rules)["one_die"] = OneDieRule(lambda tile: tile.column, 3, 5, showing)
    model = Model.of(rules)
    boards = [model.board_at(index) for index in range(model.size)]
    permitted = [
        3 <= sum(tile.column for tile in (board.showing if showing else board.standing)) <= 5 for board in boards
    ]

    assert any(permitted)
    assert [rules.dice_allowed(board) == {1, 2} for board in boards] == permitted
    assert model.dice_allowed[0].tolist() == permitted


def test_a_box_with_too_many_boards_is_refused_with_their_number() -> None:
    with pytest.raises(TooManyBoards, match=f"{3**20} here, at most {MOST_BOARDS}"):
        Model.of(rules_of("two-level", {"columns": 20}))
