"""Which sets of tiles meet a throw: the documents' examples, and every board of small games by counting."""

from itertools import chain, combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.board import Board
from controller.rules.errors import IllegalMove, InvalidNotation
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw
from controller.rules.tiles import Layout

FIGURE_3B = "1 2 . . 5 6 7 8 9/9 8 7 6 5 4 3 2 1"
FIGURE_3C = "1 . . . 5 6 7 8 9/9 8 7 . 5 4 3 2 1"
SETS_OF_8 = {frozenset(s) for s in [(8,), (7, 1), (6, 2), (5, 3), (5, 2, 1), (4, 3, 1)]}


def sets(rules: Ruleset, board: str, throw: str) -> set[frozenset[str]]:
    moves = rules.legal_moves(rules.board(board), rules.throw(throw))
    found = [frozenset(map(str, move)) for move in moves]
    assert len(found) == len(set(found)), "a set was listed twice"
    return set(found)


@pytest.mark.parametrize("game", ["two-level", "pub"])
@pytest.mark.parametrize("throw", ["5,3", "6,2", "4,4"])
def test_an_eight_at_the_start_has_the_six_sets_of_the_documents(game: str, throw: str) -> None:
    rules = rules_of(game)

    moves = rules.legal_moves(rules.start(), rules.throw(throw))

    assert {frozenset(tile.value for tile in move) for move in moves} == SETS_OF_8
    assert all(tile.row == 1 for move in moves for tile in move)


def test_a_four_with_one_five_and_nine_open_ends_the_turn_with_fifteen() -> None:
    rules = rules_of("pub")
    board = rules.board("1 . . . 5 . . . 9")

    assert rules.legal_moves(board, rules.throw("3,1")) == ()
    assert rules.score(board) == 15


def test_a_one_with_two_three_and_five_open_ends_the_turn_with_ten() -> None:
    rules = rules_of("pub")
    board = rules.board(". 2 3 . 5 . . . .")

    assert rules.dice_allowed(board) == {1, 2}
    assert rules.legal_moves(board, rules.throw("1")) == ()
    assert rules.score(board) == 10


def test_four_from_the_front_and_four_from_the_back_make_eight() -> None:
    board = "1 2 3 4 5 . 7 8 9/9 8 7 6 5 4 3 2 1"

    assert frozenset({"front-4", "back-4"}) in sets(rules_of("two-level"), board, "4,4")


@pytest.mark.parametrize(("figure", "revealed"), [(FIGURE_3B, {"back-7", "back-6"}), (FIGURE_3C, {"back-8", "back-7"})])
def test_the_patents_figures_show_these_back_tiles(figure: str, revealed: set[str]) -> None:
    board = rules_of("two-level").board(figure)

    assert {str(tile) for tile in board.showing if tile.row == 2} == revealed
    assert str(board) == figure


def test_a_revealed_tile_counts_from_the_next_throw_or_in_the_same_one() -> None:
    start = str(rules_of("two-level").start())
    next_throw = sets(rules_of("two-level"), start, "5,5")
    same_throw = sets(rules_of("two-level", {"reveal": "same_throw"}), start, "5,5")

    pairs = {frozenset({f"front-{n}", f"back-{10 - n}"}) for n in range(1, 10)}
    assert same_throw - next_throw == pairs
    assert next_throw < same_throw


def test_the_reveal_reading_matters_only_from_a_throw_of_ten_on() -> None:
    one, other = rules_of("two-level"), rules_of("two-level", {"reveal": "same_throw"})
    for throw in map(Throw, combinations(range(1, 7), 2)):
        same = one.legal_moves(one.start(), throw) == other.legal_moves(other.start(), throw)
        assert same == (throw.total < 10)


def brute_force(rules: Ruleset, board: Board, total: int) -> set[frozenset[str]]:
    """Every set of standing tiles with that sum in which each tile shows, now or once those before it lie."""
    same_throw = rules.options.reveal == "same_throw"
    showing = set(board.showing)
    standing = list(board.standing)
    found = set()
    for chosen in chain.from_iterable(combinations(standing, n) for n in range(1, len(standing) + 1)):
        tiles = set(chosen)
        before = {t: {o for o in standing if o.column == t.column and o.row < t.row} for t in tiles}
        usable = all(tile in showing or (same_throw and before[tile] <= tiles) for tile in tiles)
        if usable and sum(tile.value for tile in tiles) == total:
            found.add(frozenset(tile.name for tile in tiles))
    return found


@pytest.mark.parametrize("reveal", ["next_throw", "same_throw"])
def test_every_board_of_four_columns_agrees_with_brute_force(reveal: str) -> None:
    rules = rules_of("two-level", {"columns": 4, "reveal": reveal})
    boards = [Board(Layout(2, 4), shut) for shut in product(range(3), repeat=4)]
    assert len(boards) == 81

    for board in boards:
        for throw in map(Throw, product(range(1, 7), repeat=2)):
            moves = rules.legal_moves(board, throw)
            assert {frozenset(map(str, move)) for move in moves} == brute_force(rules, board, throw.total)


def test_at_most_so_many_tiles_where_the_option_says_so() -> None:
    rules = rules_of("pub", {"max_tiles": 2})

    assert all(len(move) <= 2 for move in rules.legal_moves(rules.start(), rules.throw("6,4")))
    assert len(rules.legal_moves(rules.start(), rules.throw("6,4"))) == 4


def test_an_illegal_move_is_refused_and_says_what_is_legal() -> None:
    rules = rules_of("two-level")
    board = rules.start()

    said = r"^front-7 does not go with this throw; you can shut front-8, front-1 \+ front-7, "
    with pytest.raises(IllegalMove, match=said):
        rules.after(board, rules.throw("5,3"), rules.move(["front-7"]))
    with pytest.raises(IllegalMove):
        rules.after(board, rules.throw("5,3"), rules.move([]))
    with pytest.raises(IllegalMove, match=r"^front-8 is shut already; you can shut "):
        rules.after(board.without(rules.move(["front-8"])), rules.throw("5,3"), rules.move(["front-8"]))


def test_of_very_many_moves_a_refusal_tells_the_first() -> None:
    rules = rules_of("the-300")
    throw = rules.throw("6,6,6,6")
    with pytest.raises(IllegalMove, match=r"or one of [0-9]+ more$") as refusal:
        rules.after(rules.start(), throw, rules.move(["front-1"]))
    assert len(str(refusal.value)) < 1000


@pytest.mark.parametrize("text", ["7,1", "0", "", "1,2,3", "a,b", "5;3", "1.5", "-1,2", "\u0661,2"])
def test_a_throw_that_no_dice_show_is_refused(text: str) -> None:
    with pytest.raises(InvalidNotation):
        rules_of("two-level").throw(text)


def test_a_single_die_is_a_throw_only_where_the_game_knows_one() -> None:
    assert rules_of("pub").throw("4").total == 4
    with pytest.raises(InvalidNotation, match="2 dice"):
        rules_of("pub", {"one_die": "never"}).throw("4")


shut_counts = st.lists(st.integers(0, 2), min_size=9, max_size=9)


@given(shut_counts, st.lists(st.integers(1, 6), min_size=2, max_size=2), st.sampled_from(["next_throw", "same_throw"]))
def test_every_legal_move_meets_the_throw_and_leads_to_a_board_that_reads_back(
    shut: list[int], dice: list[int], reveal: str
) -> None:
    rules = rules_of("two-level", {"reveal": reveal})
    board, throw = Board(rules.layout, tuple(shut)), Throw(tuple(dice))

    for move in rules.legal_moves(board, throw):
        after = rules.after(board, throw, move)
        assert sum(tile.value for tile in move) == throw.total
        assert set(after.standing) == set(board.standing) - set(move)
        assert rules.board(str(after)) == after


@given(shut_counts)
def test_a_board_reads_back_and_survives_any_spacing(shut: list[int]) -> None:
    rules = rules_of("two-level")
    board = Board(rules.layout, tuple(shut))

    assert rules.board(str(board)) == board
    assert rules.board("  " + str(board).replace(" ", "   ").replace("/", " / ")) == board


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 2 3 4 5 6 7 8 9/9 8 . 6 5 4 3 2 1", "back-7 cannot be shut while front-3 stands"),
        ("1 2 3 4 5 6 7 8 9/9 8 8 6 5 4 3 2 1", "the place of back-7 holds 7 or ., not '8'"),
        ("1 2 3 4 5 6 7 8 9", "2 x 9 tiles"),
        ("1 2 3 4 5 6 7 8/9 8 7 6 5 4 3 2 1", "2 x 9 tiles"),
        ("1 2 3 4 5 6 7 8 10/9 8 7 6 5 4 3 2 1", "front-9 holds 9"),
        ("", "2 x 9 tiles"),
        ("//", "2 x 9 tiles"),
    ],
)
def test_a_board_that_cannot_be_is_refused_with_the_reason(text: str, says: str) -> None:
    with pytest.raises(InvalidNotation) as refusal:
        rules_of("two-level").board(text)
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)
