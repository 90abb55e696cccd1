"""The worked examples of the documents, each with its document's number.

S000 two-level patent, S001 English pub rules, S002 encyclopedia article, S004 maker's sheet.
"""

from collections.abc import Iterable
from itertools import product

import pytest

from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.tiles import Marks

PAIRS = [f"{low},{high}" for low, high in product(range(1, 7), repeat=2)]


def values(rules: Ruleset, throw: str, board: str = "") -> set[frozenset[int]]:
    """The sets that meet a throw, by the values of their tiles."""
    found = rules.legal_moves(rules.board(board) if board else rules.start(), rules.throw(throw))
    return {frozenset(tile.value for tile in move) for move in found}


def lost_throws(rules: Ruleset, board: str = "") -> list[str]:
    """Those of the 36 throws of two dice that end the turn."""
    return [throw for throw in PAIRS if not values(rules, throw, board)]


def numbers(rules: Ruleset) -> list[int]:
    return [tile.value for tile in rules.start().standing]


def sets(*members: Iterable[int]) -> set[frozenset[int]]:
    return set(map(frozenset, members))


# What several documents have.


@pytest.mark.parametrize("game", ["two-level", "pub", "traditional", "maker"])
def test_s000_s001_s002_s004_an_eight_can_be_met_in_six_ways(game: str) -> None:
    assert values(rules_of(game), "6,2") == sets((8,), (7, 1), (6, 2), (5, 3), (5, 2, 1), (4, 3, 1))


@pytest.mark.parametrize(
    ("game", "board"),
    [
        ("two-level", "1 . . . 5 . . . 9/9 . . . 5 . . . 1"),
        ("pub", "1 . . . 5 . . . 9"),
    ],
)
def test_s000_s001_a_four_with_one_five_and_nine_uncovered_ends_the_turn_with_fifteen(game: str, board: str) -> None:
    rules = rules_of(game)

    assert values(rules, "3,1", board) == set()
    assert rules.score(rules.board(board)) == 15


@pytest.mark.parametrize("game", ["traditional", "maker"])
def test_s002_s004_a_one_with_two_three_and_five_open_ends_the_turn_with_ten(game: str) -> None:
    """By their own rules neither would let the player throw the one die that the example needs."""
    rules, board = rules_of(game), ". 2 3 . 5 . . . ."

    assert values(rules, "1", board) == set()
    assert rules.score(rules.board(board)) == 10
    assert rules.dice_allowed(rules.board(board)) == {2}


def test_s002_s004_boxes_have_nine_or_up_to_twelve_tiles() -> None:
    for game, size in product(("traditional", "maker"), (9, 10, 12)):
        assert numbers(rules_of(game, {"tiles": size})) == list(range(1, size + 1))


# S000.


def test_s000_front_and_back_number_of_a_column_are_always_ten_together() -> None:
    columns = rules_of("two-level").layout.by_column

    assert [(front.value, back.value) for front, back in columns] == [(n, 10 - n) for n in range(1, 10)]


def test_s000_further_rows_are_numbered_like_the_first_two_in_turn() -> None:
    rules = rules_of("two-level", {"rows": 4})

    assert str(rules.start()) == "/".join(["1 2 3 4 5 6 7 8 9", "9 8 7 6 5 4 3 2 1"] * 2)
    assert rules.dice_allowed(rules.start()) == {2}, "the dice follow the numbers, not the rows"


@pytest.mark.parametrize(("columns", "dice"), [(4, 2), (12, 2), (13, 3), (18, 3), (24, 4)])
def test_s000_higher_numbers_are_thrown_for_with_more_dice(columns: int, dice: int) -> None:
    rules = rules_of("two-level", {"columns": columns})

    assert rules.dice_allowed(rules.start()) == {dice}


def test_s000_the_box_is_shut_when_all_numbers_of_both_rows_lie() -> None:
    rules = rules_of("two-level")
    board = rules.board(". . . . . . . . ./9 . . . . . . . .")
    [move] = rules.legal_moves(board, rules.throw("5,4"))

    assert not board.is_shut
    assert rules.after(board, rules.throw("5,4"), move).is_shut


def test_s000_a_revealed_number_counts_from_the_next_throw_as_the_claim_says() -> None:
    """The game as sold lets a ten shut the left-most 1 and the 9 behind it."""
    as_claimed, as_sold = rules_of("two-level"), rules_of("double-shutter")

    assert frozenset({1, 9}) in values(as_claimed, "6,4"), "from the front row"
    for rules, possible in ((as_claimed, False), (as_sold, True)):
        moves = rules.legal_moves(rules.start(), rules.throw("6,4"))
        assert (rules.move(["front-1", "back-9"]) in moves) == possible


def test_s000_dominoes_fifteen_mixed_ones_have_105_pips_doubles_42_and_blanks_21() -> None:
    games = [rules_of("dominoes", {"domino_set": size}) for size in (15, 21, 28)]

    assert [rules.score(rules.start()) for rules in games] == [105, 105 + 42, 105 + 42 + 21]


def test_s000_dominoes_a_two_and_a_five_turn_the_domino_two_five() -> None:
    rules = rules_of("dominoes")

    assert [str(tile) for move in rules.legal_moves(rules.start(), rules.throw("5,2")) for tile in move] == ["2-5"]
    assert lost_throws(rules) == [f"{n},{n}" for n in range(1, 7)], "there are no doubles among the mixed ones"
    assert lost_throws(rules_of("dominoes", {"domino_set": 21})) == []


@pytest.mark.parametrize(
    ("match", "turned"),
    [
        ("pair", {"1-2"}),
        ("one_total", {"1-2", "0-3"}),
        ("any_total", {"1-2", "0-3", "1-1 0-1", "0-1 0-2", "1-2 0-0", "0-0 0-3", "1-1 0-0 0-1", "0-0 0-1 0-2"}),
    ],
)
def test_s000_dominoes_are_met_by_their_pair_or_by_pips(match: str, turned: set[str]) -> None:
    rules = rules_of("dominoes", {"domino_set": 28, "domino_match": match})

    moves = rules.legal_moves(rules.start(), rules.throw("1,2"))
    assert {" ".join(map(str, move)) for move in moves} == turned


def test_s000_marks_need_not_be_numbers_a_relabelled_game_has_the_same_moves_and_scores() -> None:
    letters = Marks(
        tiles={f"front-{n}": "ABCDEFGHI"[n - 1] for n in range(1, 10)},
        values={"ABCDEFGHI"[n - 1]: n for n in range(1, 10)},
        faces=("a", "b", "c", "d", "e", "f"),
    )
    plain, marked = rules_of("pub"), rules_of("pub", marks=letters)
    assert str(marked.start()) == "A B C D E F G H I"

    for low, high in product(range(6), repeat=2):
        throw, same = marked.throw(f"{letters.faces[low]},{letters.faces[high]}"), plain.throw(f"{low + 1},{high + 1}")
        moves, others = marked.legal_moves(marked.start(), throw), plain.legal_moves(plain.start(), same)
        assert [list(map(str, move)) for move in moves] == [list(map(str, move)) for move in others]
        for move, other in zip(moves, others, strict=True):
            after = marked.start().without(move)
            assert marked.score(after) == plain.score(plain.start().without(other))
            assert marked.board(str(after)) == after


def test_s000_a_mark_is_worth_what_its_table_says() -> None:
    rules = rules_of("pub", {"tiles": 2}, Marks(tiles={"front-1": "sun"}, values={"sun": 5}))

    assert values(rules, "3,2") == sets((5,))
    assert values(rules, "4,3") == sets((5, 2))
    assert rules.score(rules.start()) == 7


# S001.


def test_s001_one_die_or_two_once_seven_eight_and_nine_are_covered() -> None:
    rules = rules_of("pub")

    assert rules.dice_allowed(rules.board("1 2 3 4 5 6 . . .")) == {1, 2}
    for open_tile in (7, 8, 9):
        board = " ".join(str(n) if n == open_tile else "." for n in range(1, 10))
        assert rules.dice_allowed(rules.board(board)) == {2}


# S002.


def test_s002_one_die_only_if_the_one_is_the_only_tile_open() -> None:
    rules = rules_of("traditional")

    assert rules.dice_allowed(rules.board("1 . . . . . . . .")) == {1, 2}
    assert rules.dice_allowed(rules.board(". 2 . . . . . . .")) == {2}


def test_s002_golf_scores_the_sum_and_missionary_the_number_of_open_tiles() -> None:
    board = ". 2 3 . 5 . . . ."

    assert rules_of("golf").score(rules_of("golf").board(board)) == 10
    assert rules_of("missionary").score(rules_of("missionary").board(board)) == 3


def test_s002_two_to_go_four_is_the_one_first_throw_that_loses() -> None:
    rules = rules_of("2-to-go")

    assert lost_throws(rules) == ["1,3", "2,2", "3,1"]
    assert all(2 in chosen for throw in PAIRS for chosen in values(rules, throw))
    assert values(rules, "6,2") == sets((2, 6), (1, 2, 5)), "the 2, with others"
    assert values(rules, "2,2", "1 . 3 4 5 6 7 8 9") == sets((4,), (1, 3)), "only the first set must contain it"


def test_s002_three_to_go_two_is_the_one_first_throw_that_loses_and_six_is_one_two_three() -> None:
    rules = rules_of("3-to-go")

    assert lost_throws(rules) == ["1,1"]
    assert values(rules, "3,3") == sets((1, 2, 3))


def test_s002_three_down_extreme_starts_with_thirty_nine_and_a_two_or_three_ends_it() -> None:
    rules = rules_of("3-down-extreme")

    assert (str(rules.start()), rules.score(rules.start())) == (". . . 4 5 6 7 8 9", 39)
    assert lost_throws(rules) == ["1,1", "1,2", "2,1"]


def test_s002_lucky_seven_only_the_seven_is_up_and_only_a_seven_shuts_it() -> None:
    rules = rules_of("lucky-7")

    assert str(rules.start()) == ". . . . . . 7 . ."
    assert len(PAIRS) - len(lost_throws(rules)) == 6
    assert rules.dice_allowed(rules.start()) == {2}


def test_s002_unlucky_seven_a_seven_stops_it_and_nothing_else_does() -> None:
    rules = rules_of("unlucky-7")

    assert {sum(map(int, throw.split(","))) for throw in lost_throws(rules)} == {7}
    assert lost_throws(rules_of("unlucky-7", {"on_seven": "played"})) == []


@pytest.mark.parametrize(
    ("game", "size", "open_tiles", "points"),
    [
        ("against-all-odds", 9, [1, 3, 5, 7, 9], 25),
        ("against-all-odds", 12, [1, 3, 5, 7, 9, 11], 36),
        ("even-stevens", 9, [2, 4, 6, 8], 20),
        ("even-stevens", 12, [2, 4, 6, 8, 10, 12], 42),
        ("full-house", None, list(range(1, 13)), 78),
        ("the-300", None, list(range(1, 25)), 300),
    ],
)
def test_s002_these_tiles_are_up_at_the_start(game: str, size: int | None, open_tiles: list[int], points: int) -> None:
    rules = rules_of(game, {"tiles": size} if size else {})

    assert numbers(rules) == open_tiles
    assert rules.score(rules.start()) == points


def test_s002_the_300_is_played_with_four_dice_throughout() -> None:
    rules = rules_of("the-300")

    assert rules.dice_allowed(rules.start()) == {4}
    assert rules.dice_allowed(rules.board("1 " + ". " * 22 + ".")) == {4}
    assert frozenset({24}) in values(rules, "6,6,6,6")
    assert values(rules, "1,1,1,1") == sets((4,), (1, 3))


def test_s002_thai_one_tile_that_equals_one_die_or_their_sum() -> None:
    rules = rules_of("thai")

    assert values(rules, "2,3") == sets((2,), (3,), (5,))
    assert values(rules, "2,2") == sets((2,), (4,))
    assert values(rules, "6,6") == sets((6,))
    assert rules.dice_allowed(rules.board("1 . . . . . . . .")) == {2}, "always two dice"


@pytest.mark.parametrize(
    ("size", "open_tiles", "points"),
    [
        (9, {1, 2, 5}, 125),
        (12, {3, 7, 9, 11}, 37911),
        (12, set(range(1, 13)), 123456789101112),
        (9, set(), 0),
    ],
)
def test_s002_digital_reads_the_open_digits_as_one_number(size: int, open_tiles: set[int], points: int) -> None:
    rules = rules_of("digital", {"tiles": size})
    board = " ".join(str(n) if n in open_tiles else "." for n in range(1, size + 1))

    assert rules.score(rules.board(board)) == points


def test_s002_2012_is_twelve_tiles_and_one_die_of_twenty_sides() -> None:
    rules = rules_of("2012")

    assert (len(numbers(rules)), rules.sides, rules.dice_allowed(rules.start())) == (12, 20, frozenset({1}))
    assert all(values(rules, str(face)) for face in range(1, 21))
    assert frozenset({12, 8}) in values(rules, "20")


# S004.


def test_s004_one_die_once_the_open_tiles_are_six_or_less_together() -> None:
    rules = rules_of("maker")

    assert rules.dice_allowed(rules.board("1 2 3 . . . . . .")) == {1, 2}
    assert rules.dice_allowed(rules.board(". 2 . . 5 . . . .")) == {2}


def test_every_game_names_its_document() -> None:
    assert {game.document for game in GAMES.values()} == {"S000", "S001", "S002", "S004"}
