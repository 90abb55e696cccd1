"""Turns by chance against the odds, and house players against their choices spelled out over the rules."""

import re
from collections.abc import Sequence
from functools import cache
from math import exp, inf, log10, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from controller.odds.shutbox.advice import odds_of
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.choosers import noise_in_points, weights_of
from controller.odds.shutbox.model import throws_of
from controller.opponents.simulation import simulate
from controller.opponents.strength import CHOOSERS, STRENGTHS
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.tiles import Marks
from tests.support.long import long_but_every
from tests.support.plain_odds import plain_mean, plain_values

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


@pytest.mark.parametrize(
    ("game", "given"), long_but_every(5, [(game, _SMALLER.get(game, {})) for game in GAMES] + _OTHERS)
)
def test_the_best_player_scores_on_average_what_the_odds_say_and_nobody_less(game: str, given: Given) -> None:
    rules = rules_of(game, given)
    least = odds_of(rules).before(rules.start(), Aim("score")).value

    for player in CHOOSERS:
        tally = simulate(rules, player, 200_000, seed=11)
        assert tally.mean > least - 4 * tally.standard_error
        assert tally.mean < least + 4 * tally.standard_error or player not in ("best", "perfect")


@pytest.mark.parametrize("player", long_but_every(4, ["careless", "casual", "steady", "skilled"]))
@pytest.mark.parametrize(
    ("game", "given", "marks"),
    [
        ("pub", {"tiles": 7}, None),
        ("pub", {"tiles": 6, "dice": 3, "many_dice": "any"}, _EQUAL_MARKS),
        ("3-to-go", {"tiles": 6}, None),
        ("unlucky-7", {"tiles": 7, "on_seven": "played", "one_die": "high_covered"}, None),
        ("double-shutter", {"columns": 3}, None),
        ("thai", {"tiles": 7}, None),
        ("digital", {"tiles": 6}, None),
    ],
)
def test_a_house_player_does_as_the_same_choices_over_the_rules_would(
    player: str, game: str, given: Given, marks: Marks | None
) -> None:
    rules = rules_of(game, given, marks)
    tally = simulate(rules, player, 400_000, seed=5)
    score, shut, throws = _means(rules, noise_in_points(STRENGTHS[player].noise, rules))

    assert tally.mean == pytest.approx(score, abs=4 * tally.standard_error)
    assert tally.shut_share == pytest.approx(shut, abs=4 * sqrt(shut * (1 - shut) / tally.turns))
    assert tally.throws_per_turn == pytest.approx(throws, abs=0.02)


def _means(rules: Ruleset, noise: float) -> NDArray[np.float64]:
    """Score, chance to shut and throws of a turn, where choices are the rarer the more they leave by the odds."""
    digits = rules.options.score == "digits"

    def end(board: Board) -> NDArray[np.float64]:
        return np.array([rules.score(board), board.is_shut, 0.0])

    def least(board: Board) -> float:
        return float(rules.score(board))

    value = plain_values(rules, least, greatest=False)

    def mixed(parts: Sequence[NDArray[np.float64]], worths: Sequence[float]) -> NDArray[np.float64]:
        perceived = [log10(1 + worth) if digits else worth for worth in worths]
        weights = [exp(-(each - min(perceived)) / noise) for each in perceived]
        return np.asarray(np.average(np.stack(parts), axis=0, weights=weights))

    @cache
    def mean(board: Board) -> NDArray[np.float64]:
        if board.is_shut:
            return end(board)
        dice = sorted(rules.dice_allowed(board))
        worths = [plain_mean(rules, board, each, value, least, greatest=False) for each in dice]
        found: NDArray[np.float64] = mixed([thrown(board, each) for each in dice], worths) + np.array([0, 0, 1])
        return found

    def thrown(board: Board, dice: int) -> NDArray[np.float64]:
        result = np.zeros(3)
        for throw, chance in throws_of(rules, dice):
            after, worth = (end, least) if rules.ends_turn(throw) else (mean, value)
            boards = [board.without(move) for move in rules.legal_moves(board, throw)]
            found = mixed([after(each) for each in boards], [worth(each) for each in boards]) if boards else end(board)
            result += chance * found
        return result

    return mean(rules.start())


def test_of_two_moves_the_one_that_leaves_as_much_more_as_the_noise_is_made_e_times_less_often() -> None:
    assert weights_of([0.0, 2.0, 4.0], 2.0) == pytest.approx([1, exp(-1), exp(-2)])
    assert weights_of([0.0, 2.0], inf) == pytest.approx([1, 1])


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


@pytest.mark.long
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
