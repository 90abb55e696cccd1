"""Turns by chance against the odds, and house players against their rule of thumb spelled out over the rules."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.odds import Aim, odds_of, throws_of
from controller.odds.turns import CHOOSERS, simulate
from controller.rules import GAMES, Board, InvalidOption, Marks, Move, Ruleset, rules_of

Given = dict[str, str | int | bool]

_SMALLER: dict[str, Given] = {
    "two-level": {"columns": 7},
    "double-shutter": {"columns": 7},
    "the-300": {"tiles": 12, "dice": 3},
    "dominoes": {"domino_match": "any_total"},
}
_OTHERS: list[tuple[str, Given]] = [
    ("golf", {"one_die": "high_covered", "one_die_forced": True}),
    ("golf", {"tiles": 8, "dice": 3, "one_die": "at_most", "one_die_limit": 9, "many_dice": "any"}),
    ("maker", {"tiles": 10, "max_tiles": 2}),
    ("unlucky-7", {"on_seven": "round", "one_die": "at_most"}),
    ("unlucky-7", {"on_seven": "played", "one_die": "high_covered"}),
    ("two-level", {"columns": 5, "rows": 2, "reveal": "same_throw", "score": "standing"}),
    ("dominoes", {"domino_set": 15}),
    ("dominoes", {"domino_match": "one_total", "domino_set": 15}),
    ("pub", {"tiles": 1}),
]
_EQUAL_MARKS = Marks(
    {f"front-{number}": mark for number, mark in enumerate("abcdef", 1)}, {"a": 3, "b": 3, "c": 3, "d": 6, "e": 1}
)


@pytest.mark.parametrize(("game", "given"), [(game, _SMALLER.get(game, {})) for game in GAMES] + _OTHERS)
def test_the_best_player_scores_on_average_what_the_odds_say_and_nobody_less(game: str, given: Given) -> None:
    rules = rules_of(game, given)
    least = odds_of(rules).before(rules.start(), Aim("score")).value

    for player in CHOOSERS:
        tally = simulate(rules, player, 200_000, seed=11)
        assert tally.mean > least - 4 * tally.standard_error
        assert tally.mean < least + 4 * tally.standard_error or player in ("careless", "casual", "steady")


def _of_careless(moves: Sequence[Move]) -> Sequence[Move]:
    return moves


def _of_casual(moves: Sequence[Move]) -> Sequence[Move]:
    return [min(moves, key=lambda move: (len(move), max(tile.value for tile in move)))] if moves else []


def _of_steady(moves: Sequence[Move]) -> Sequence[Move]:
    return [min(moves, key=lambda move: (len(move), -max(tile.value for tile in move)))] if moves else []


@pytest.mark.parametrize(
    ("player", "chosen"), [("careless", _of_careless), ("casual", _of_casual), ("steady", _of_steady)]
)
@pytest.mark.parametrize(
    ("game", "given", "marks"),
    [
        ("pub", {"tiles": 7}, None),
        ("pub", {"tiles": 6, "dice": 3, "many_dice": "any"}, _EQUAL_MARKS),
        ("3-to-go", {"tiles": 6}, None),
        ("unlucky-7", {"tiles": 7, "on_seven": "played", "one_die": "high_covered"}, None),
        ("double-shutter", {"columns": 3}, None),
        ("thai", {"tiles": 7}, None),
    ],
)
def test_a_house_player_does_as_the_same_choices_over_the_rules_would(
    player: str, chosen: Callable[[Sequence[Move]], Sequence[Move]], game: str, given: Given, marks: Marks | None
) -> None:
    rules = rules_of(game, given, marks)
    tally = simulate(rules, player, 400_000, seed=5)
    score, shut, throws = _means(rules, chosen, all_dice=player == "careless")

    assert tally.mean == pytest.approx(score, abs=4 * tally.standard_error)
    assert tally.shut_share == pytest.approx(shut, abs=4 * sqrt(shut * (1 - shut) / tally.turns))
    assert tally.throws_per_turn == pytest.approx(throws, abs=0.02)


def _means(
    rules: Ruleset, chosen: Callable[[Sequence[Move]], Sequence[Move]], *, all_dice: bool
) -> NDArray[np.float64]:
    """Score, chance to shut and throws of a turn, where `chosen` are equally often made of the legal moves."""

    def end(board: Board) -> NDArray[np.float64]:
        return np.array([rules.score(board), board.is_shut, 0.0])

    @cache
    def mean(board: Board) -> NDArray[np.float64]:
        if board.is_shut:
            return end(board)
        dice = sorted(rules.dice_allowed(board))
        parts = [thrown(board, count) for count in (dice if all_dice else dice[:1])]
        found: NDArray[np.float64] = sum(parts, np.zeros(3)) / len(parts) + np.array([0, 0, 1])
        return found

    def thrown(board: Board, dice: int) -> NDArray[np.float64]:
        result = np.zeros(3)
        for throw, chance in throws_of(rules, dice):
            after = end if rules.ends_turn(throw) else mean
            found = [after(board.without(move)) for move in chosen(rules.legal_moves(board, throw))]
            result += chance * (sum(found) / len(found) if found else end(board))
        return result

    return mean(rules.start())


def test_the_same_seed_gives_the_same_tally_and_another_one_another() -> None:
    rules = rules_of("two-level", {"columns": 6})
    for player in CHOOSERS:
        tally = simulate(rules, player, 5_000, seed=3)

        assert tally == simulate(rules, player, 5_000, seed=3)
        assert tally != simulate(rules, player, 5_000, seed=4)


def test_a_tally_is_the_summary_of_its_histogram() -> None:
    told: list[float] = []
    tally = simulate(rules_of("pub"), "casual", 10_000, 1, progress=told.append)
    scores = np.repeat([*tally.histogram], [*tally.histogram.values()])

    assert len(scores) == tally.turns == 10_000
    assert tally.mean == pytest.approx(scores.mean())
    assert tally.standard_error == pytest.approx(scores.std(ddof=1) / 100)
    assert tally.shut_share == tally.histogram[0] / 10_000
    assert told == sorted(told)
    assert told[-1] == 1


def test_the_scores_of_many_turns_are_as_often_as_the_curve_says() -> None:
    rules = rules_of("pub")
    tally = simulate(rules, "best", 1_000_000_000, seed=2)
    at_most = np.cumsum([tally.histogram.get(score, 0) for score in range(46)]) / tally.turns

    # The curve is that of players who want just this score: nobody does better.
    assert (at_most <= np.array(odds_of(rules).curve(rules.start())) + 1e-4).all()


def test_a_board_of_blanks_that_no_pair_meets_is_not_shut() -> None:
    tally = simulate(rules_of("dominoes", {"domino_set": 28}), "casual", 2_000, seed=1)

    assert tally.shut_share == 0
    assert min(tally.histogram) >= 21


def test_scores_of_very_many_digits_are_exact() -> None:
    tally = simulate(rules_of("the-300", {"tiles": 20, "score": "digits"}), "casual", 100, seed=1)
    rising = "".join(f"(?:{number})?" for number in range(1, 21))

    assert max(tally.histogram) > 2**63
    assert all(re.fullmatch(rising, str(score)) for score in tally.histogram)


@pytest.mark.parametrize(("player", "turns"), [("lucky", 10), ("best", 0)])
def test_unknown_players_and_no_turns_are_refused(player: str, turns: int) -> None:
    with pytest.raises(InvalidOption, match="best, careless, casual, steady, skilled, perfect"):
        simulate(rules_of("pub"), player, turns, seed=1)


def test_alternate_throws_are_no_turns_of_one_player() -> None:
    with pytest.raises(InvalidOption, match="leave out alternate=true"):
        simulate(rules_of("two-level", {"alternate": True}), "careless", 10, seed=1)
