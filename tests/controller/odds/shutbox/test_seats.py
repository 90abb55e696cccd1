"""Chances to win against a recursion that plays every round out, with the game's own match and ledger."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from controller.game.core.players import MOST_PLAYERS
from controller.odds.shutbox import seats
from controller.odds.shutbox.advice import odds_of
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.graph import Graph
from controller.odds.shutbox.model import Model, throws_of
from controller.odds.shutbox.seats import RoundState, seats_of
from controller.odds.work import PLAYERS_OF_A_ROUND, TooManyBoards
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw
from controller.rules.tiles import Marks
from tests.support.long import long_but_every
from tests.support.plain_odds import plain_values
from tests.support.plain_round import Ended, coins, plain_round, shares

Given = dict[str, str | int | bool]

_ROUNDS: list[tuple[str, Given, int]] = [
    ("pub", {"tiles": 2}, 2),
    ("pub", {"tiles": 4}, 3),
    ("pub", {"tiles": 3, "ties": "earlier_wins"}, 3),
    ("pub", {"tiles": 3, "shut": "play_on"}, 3),
    ("pub", {"tiles": 3, "match": "tournament"}, 3),
    ("pub", {"tiles": 3, "match": "drop-out", "match_shut": "wins_match"}, 3),
    ("pub", {"tiles": 3, "match": "tournament", "ties": "earlier_wins", "shut": "play_on"}, 3),
    ("pub", {"tiles": 3, "match": "points", "ties": "earlier_wins"}, 3),
    ("golf", {"tiles": 3, "shut": "play_on", "ties": "earlier_wins"}, 3),
    ("missionary", {"tiles": 4, "one_die": "high_covered"}, 3),
    ("maker", {"tiles": 2, "one_die_limit": 6}, 4),
    ("2-to-go", {"tiles": 4}, 3),
    ("2-to-go", {"tiles": 4, "ties": "earlier_wins"}, 3),
    ("2-to-go", {"tiles": 4, "lost": "turn"}, 3),
    ("unlucky-7", {"tiles": 4, "on_seven": "turn", "one_die": "at_most"}, 3),
    ("unlucky-7", {"tiles": 7, "on_seven": "played"}, 2),
    ("thai", {"tiles": 3}, 3),
    ("two-level", {"columns": 3}, 2),
    ("double-shutter", {"columns": 2}, 3),
    ("even-stevens", {"tiles": 8, "shut": "play_on"}, 2),
    ("lucky-7", {"race": "turn"}, 3),
]


@pytest.mark.parametrize(("game", "given", "players"), long_but_every(3, _ROUNDS))
def test_every_seat_wins_as_often_as_the_recursion_says(game: str, given: Given, players: int) -> None:
    rules = rules_of(game, given)

    np.testing.assert_allclose(seats_of(rules).by_seat(players), plain_round(rules, players, shares), atol=1e-12)


@pytest.mark.parametrize("double_stake", ["none", "extra", "on_top"])
@pytest.mark.parametrize(
    ("game", "given", "players"),
    [
        ("pub", {"tiles": 3}, 3),
        ("pub", {"tiles": 3, "shut": "play_on"}, 2),
        ("2-to-go", {"tiles": 3}, 3),
        ("thai", {"tiles": 3, "ties": "earlier_wins"}, 3),
    ],
)
def test_every_seat_gains_what_the_ledger_says_after_the_recursion(
    game: str, given: Given, players: int, double_stake: str
) -> None:
    rules = rules_of(game, {**given, "stake": 12, "double_stake": double_stake})
    gains = seats_of(rules).gains(players)

    np.testing.assert_allclose(gains, plain_round(rules, players, coins), atol=1e-10)
    assert sum(gains) == pytest.approx(0, abs=1e-10)


def test_a_player_of_tiny_boxes_in_the_middle_of_a_round_has_the_chance_of_the_recursion() -> None:
    rules = rules_of("pub", {"tiles": 4})
    for scores in [(), (3,), (3, 3), (10, 2), (2, 10), (10,)]:
        ended = tuple(Ended(score, shut=False, lost=False) for score in scores)
        before = seats_of(rules).before(rules.start(), RoundState(scores, 2 - len(scores)))

        assert before.value == pytest.approx(plain_round(rules, 3, shares, ended)[len(scores)], abs=1e-12)
        assert before.dice == 2


@pytest.mark.parametrize("game", ["pub", "2-to-go", "thai"])
@pytest.mark.parametrize("stand", [RoundState((), 2), RoundState((9, 9, 14), 0), RoundState((45,), 1)])
def test_the_chance_before_a_throw_is_the_mean_of_those_after_it(game: str, stand: RoundState) -> None:
    rules = rules_of(game)
    found = seats_of(rules)
    board = rules.start()
    after = sum(chance * found.after(board, throw, stand).value for throw, chance in throws_of(rules, 2))

    assert found.before(board, stand).value == pytest.approx(after, abs=1e-12)


@pytest.mark.parametrize(("game", "given"), [("pub", {}), ("2-to-go", {}), ("missionary", {}), ("digital", {})])
def test_the_chances_of_two_to_six_seats_are_those_of_one_winner(game: str, given: Given) -> None:
    rules = rules_of(game, given if game != "digital" else {"tiles": 6})
    # Nobody wins where all lose on the first throw: a 2, a 3 or an even number without its 2, of 36.
    nobody = (3 / 36) if game == "2-to-go" else 0.0
    for players in range(2, 7):
        chances = seats_of(rules).by_seat(players)

        assert sum(chances) == pytest.approx(1 - nobody**players, abs=1e-12)
        first = seats_of(rules).before(rules.start(), RoundState((), players - 1)).value
        assert chances[0] == pytest.approx(first, abs=1e-12)


def test_the_last_player_needs_less_than_the_lowest_score_where_the_earlier_one_wins() -> None:
    rules = rules_of("pub", {"ties": "earlier_wins", "shut": "play_on"})
    curve = odds_of(rules).curve(rules.start())
    for lowest in (1, 6, 20):
        before = seats_of(rules).before(rules.start(), RoundState((30, lowest, lowest), 0))
        assert before.value == pytest.approx(curve[lowest - 1], abs=1e-12)


def test_who_must_get_below_six_leaves_other_tiles_than_who_wants_few_points() -> None:
    rules = rules_of("pub")
    board, throw = rules.board(". . 3 4 5 6 . . ."), rules.throw("4,5")
    found = seats_of(rules).after(board, throw, RoundState((6,), 0))

    assert found.value == pytest.approx(1 / 3)
    assert [" ".join(map(str, move)) for move in found.best] == ["front-3 front-6"]
    assert found.best != odds_of(rules).after(board, throw, Aim("score")).best


def test_the_race_of_lucky_7_follows_the_formula() -> None:
    rules = rules_of("lucky-7", {"stake": 3, "double_stake": "extra"})
    found = seats_of(rules)
    chances = [(5 / 6) ** seat * (1 / 6) / (1 - (5 / 6) ** 4) for seat in range(4)]

    assert found.by_seat(4) == pytest.approx(chances, abs=1e-12)
    assert found.gains(4) == pytest.approx([6 * (4 * chance - 1) for chance in chances], abs=1e-12)
    assert found.before(rules.start(), RoundState((), 3)).value == pytest.approx(chances[0])
    assert found.after(rules.start(), rules.throw("3,4"), RoundState((), 3)).value == 1
    assert found.after(rules.start(), rules.throw("3,3"), RoundState((), 3)).value == pytest.approx(chances[3])


def test_a_race_counts_on_the_value_of_its_tile() -> None:
    rules = rules_of("lucky-7", marks=Marks({"front-7": "x"}, {"x": 12}))
    never = rules_of("lucky-7", marks=Marks({"front-7": "x"}, {"x": 13}))

    assert seats_of(rules).by_seat(2)[0] == pytest.approx(36 / 71)
    with pytest.raises(InvalidOption, match="value from 2 to 12"):
        seats_of(never)


@pytest.mark.parametrize(
    ("game", "given", "said"),
    [
        ("two-level", {"carry_board": True}, "leave out carry_board=true"),
        ("two-level", {"alternate": True}, "leave out alternate=true"),
        ("unlucky-7", {"on_seven": "round"}, "say on_seven=turn or on_seven=played"),
    ],
)
def test_games_without_such_chances_are_refused(game: str, given: Given, said: str) -> None:
    with pytest.raises(InvalidOption, match=said):
        seats_of(rules_of(game, given))


@pytest.mark.parametrize(
    ("game", "given"),
    [
        ("pub", {"tiles": 7, "dice": 3, "many_dice": "any"}),
        ("double-shutter", {"columns": 3}),
        ("2-to-go", {"tiles": 6}),
        ("thai", {"tiles": 5}),
        ("unlucky-7", {"tiles": 7, "on_seven": "played"}),
    ],
)
def test_who_does_as_well_in_any_way_throws_all_dice_and_makes_the_first_move_of_the_rules(
    game: str, given: Given
) -> None:
    rules = rules_of(game, given)
    model = Model.of(rules)
    chances = Graph.of(model, np.arange(model.size)).ends(np.zeros((model.size, 1)), lambda players: None)

    @cache
    def score(board: Board) -> float:
        if board.is_shut:
            return 0
        return sum(chance * after(board, throw) for throw, chance in throws_of(rules, max(rules.dice_allowed(board))))

    def after(board: Board, throw: Throw) -> float:
        moves = rules.legal_moves(board, throw)
        end = not moves or rules.ends_turn(throw)
        left = board.without(moves[0]) if moves else board
        return rules.score(left) if end else score(left)

    assert model.scores @ chances == pytest.approx(score(rules.start()), abs=1e-12)


def test_impossible_players_and_scores_are_refused() -> None:
    found = seats_of(rules_of("even-stevens"))

    with pytest.raises(InvalidOption, match="2 to 12 players, not 1"):
        found.by_seat(1)
    with pytest.raises(InvalidOption, match="ends with 3 points"):
        found.before(rules_of("even-stevens").start(), RoundState((3,), 1))


def test_with_many_boards_only_the_last_player_can_be_told() -> None:
    rules = rules_of("the-300")
    board = _with_standing(rules, {2, 3, 5, 6, 9, 14})
    found = seats_of(rules)
    plain = plain_values(rules, lambda end: 1.0 if end.is_shut else _against(rules.score(end), 9), greatest=True)

    assert found.before(board, RoundState((9, 9), 0)).value == pytest.approx(plain(board), abs=1e-12)
    for ask in (lambda: found.by_seat(2), lambda: found.before(board, RoundState((9,), 1))):
        with pytest.raises(TooManyBoards, match="16777216 here, at most 600000"):
            ask()


def test_with_too_many_different_scores_only_the_last_player_can_be_told() -> None:
    rules = rules_of("the-300", {"tiles": 13, "score": "digits"})

    # Of the 8192 boards three have the score of another: 12, 13 and 1213 are read from two boards each.
    with pytest.raises(InvalidOption, match="look at 5000 scores, these boards have 8189"):
        seats_of(rules).by_seat(2)
    assert seats_of(rules).before(rules.start(), RoundState((12345,), 0)).value > 0


def test_what_was_found_once_is_neither_worked_out_again_nor_lost_with_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "SLOW_BY_SEAT", 0)
    seats._memory.cache_clear()
    rules = rules_of("pub", {"tiles": 5})
    told: list[float] = []
    first = seats_of(rules, folder=tmp_path, progress=told.append).by_seat(3)
    assert told == sorted(told)
    assert told[-1] == 1

    with monkeypatch.context() as patch:
        patch.setattr(Graph, "ends", _refuse)
        assert seats_of(rules).by_seat(3) == first
        seats._memory.cache_clear()
        assert seats_of(rules, folder=tmp_path).by_seat(3) == first

    seats._memory.cache_clear()
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:-8])
    assert seats_of(rules, folder=tmp_path).by_seat(3) == first


def _refuse(*_: object) -> None:
    raise AssertionError("worked out again")


def _against(score: int, lowest: int) -> float:
    """The share of a win with `score` against two who both have the lowest."""
    return 1.0 if score < lowest else (1 / 3 if score == lowest else 0.0)


def _with_standing(rules: Ruleset, numbers: set[int]) -> Board:
    return rules.start().without(tile for tile in rules.start().standing if tile.value not in numbers)


def test_seats_are_counted_for_as_many_players_as_may_sit_down() -> None:
    """Game and odds do not know each other: each has the limit, and they are the same."""
    assert PLAYERS_OF_A_ROUND[-1] == MOST_PLAYERS
