"""The program against a second opinion that was written from the rules alone, board by board and throw by throw."""

import random
from collections.abc import Iterable, Mapping
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.odds.shutbox.advice import odds_of
from controller.odds.shutbox.aim import Aim
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw
from controller.rules.tiles import Tile
from tests.support.long import long_but_every
from tests.support.second_opinion import DEFAULTS, TIE, SecondOpinion, Standing, throws

Settings = Mapping[str, bool | int | str]
AIMS = ("score", "shut", "at-most:6")

SMALL: list[tuple[str, dict[str, bool | int | str]]] = [
    ("two-level", {"columns": 4}),
    ("two-level", {"columns": 4, "reveal": "same_throw", "one_die_total": "showing", "one_die_limit": 9}),
    ("two-level", {"columns": 3, "rows": 3, "reveal": "same_throw", "score": "standing", "one_die_forced": True}),
    ("two-level", {"columns": 2, "rows": 6, "reveal": "same_throw", "max_tiles": 3, "one_die": "only1"}),
    ("two-level", {"columns": 3, "dice": 3, "many_dice": "any", "one_die": "high_covered", "score": "count"}),
    ("double-shutter", {"columns": 4}),
    ("pub", {"tiles": 7}),
    ("traditional", {"tiles": 6}),
    ("maker", {"tiles": 6}),
    ("golf", {"tiles": 5, "one_die": "at_most", "one_die_limit": 7, "one_die_forced": True}),
    ("missionary", {"tiles": 6}),
    ("2-to-go", {"tiles": 6, "one_die": "high_covered"}),
    ("3-to-go", {"tiles": 7}),
    ("3-down-extreme", {"tiles": 9}),
    ("lucky-7", {}),
    ("unlucky-7", {"tiles": 7}),
    ("unlucky-7", {"tiles": 7, "on_seven": "round", "one_die": "high_covered"}),
    ("unlucky-7", {"tiles": 7, "on_seven": "played"}),
    ("against-all-odds", {"tiles": 9}),
    ("even-stevens", {"tiles": 8, "one_die": "high_covered"}),
    ("full-house", {"tiles": 6, "max_tiles": 2}),
    ("the-300", {"tiles": 6, "dice": 3}),
    ("the-300", {"tiles": 5, "one_die": "at_most", "many_dice": "any"}),
    ("thai", {"tiles": 7}),
    ("digital", {"tiles": 6}),
    ("2012", {"tiles": 7}),
]
TOO_LARGE = {"two-level", "double-shutter", "full-house", "the-300", "2012", "dominoes"}
DOMINOES: list[dict[str, bool | int | str]] = [
    {},
    {"domino_match": "one_total", "domino_set": 21},
    {"domino_match": "any_total", "domino_set": 28},
    {"domino_match": "any_total", "score": "count"},
]


def moves_named(moves: Iterable[Iterable[Tile]]) -> set[Standing]:
    """The moves as sets of names; no move may be listed twice."""
    listed = [frozenset(tile.name for tile in move) for move in moves]
    assert len(listed) == len(set(listed))
    return set(listed)


def check_rules(rules: Ruleset, second: SecondOpinion, boards: Iterable[Standing], dice: Iterable[int]) -> None:
    for standing in boards:
        board = rules.board(second.text(standing))
        assert str(board) == second.text(standing)
        assert rules.score(board) == second.score(standing), str(board)
        if standing:
            assert tuple(sorted(rules.dice_allowed(board))) == second.dice_allowed(standing), str(board)
        for throw in (throw for number in dice for throw, _ in throws(number, second.faces)):
            moves = moves_named(rules.legal_moves(board, Throw(throw[::-1])))
            assert moves == second.legal_sets(standing, throw), (str(board), throw)


def check_odds(rules: Ruleset, second: SecondOpinion, boards: Iterable[Standing], aims: Iterable[str]) -> None:
    odds = odds_of(rules)
    for standing, aim in ((standing, aim) for standing in boards if standing for aim in aims):
        board, goal = rules.board(second.text(standing)), Aim.parse(aim)
        before = odds.before(board, goal)
        value, dice = second.before(standing, aim)
        assert before.value == pytest.approx(value, rel=TIE, abs=TIE), (str(board), aim)
        assert before.dice in dice, (str(board), aim)
        for throw in (throw for number in second.dice_allowed(standing) for throw, _ in throws(number, second.faces)):
            after = odds.after(board, Throw(throw), goal)
            value, best = second.after(standing, throw, aim)
            assert after.value == pytest.approx(value, rel=TIE, abs=TIE), (str(board), throw, aim)
            assert moves_named(after.best) == best, (str(board), throw, aim)


def pair_of(game: str, options: Settings) -> tuple[Ruleset, SecondOpinion]:
    rules, second = rules_of(game, dict(options)), SecondOpinion(game, options)
    assert str(rules.start()) == second.text(second.start)
    return rules, second


def dice_of(second: SecondOpinion, boards: Iterable[Standing]) -> list[int]:
    """The numbers of dice that occur in a game."""
    return sorted({number for standing in boards if standing for number in second.dice_allowed(standing)})


def check_everything(game: str, options: Settings) -> None:
    rules, second = pair_of(game, options)
    boards = list(second.boards())
    check_rules(rules, second, boards, dice_of(second, boards))
    check_odds(rules, second, boards, AIMS)


@cache
def few_dominoes(size: int) -> list[Standing]:
    """The start, and boards so late that slow odds are soon done."""
    chance = random.Random(20)
    names = sorted(SecondOpinion("dominoes", {"domino_set": size}).start)
    return [frozenset(chance.sample(names, number)) for number in (1, 2, 3, 4, 5, 6, 7)]


@pytest.mark.parametrize(
    ("game", "options"), long_but_every(12, SMALL), ids=lambda part: part if isinstance(part, str) else ""
)
def test_the_program_and_the_second_opinion_agree_on_every_board(game: str, options: Settings) -> None:
    check_everything(game, options)


@pytest.mark.parametrize("options", long_but_every(2, DOMINOES), ids=str)
def test_the_program_and_the_second_opinion_agree_on_dominoes(options: Settings) -> None:
    rules, second = pair_of("dominoes", options)
    boards = few_dominoes(len(second.start))
    check_rules(rules, second, boards, [2])
    check_odds(rules, second, boards, ("score", "shut", "at-most:9"))


@pytest.mark.parametrize("game", long_but_every(2, sorted(DEFAULTS.keys() - TOO_LARGE)))
def test_they_agree_on_the_start_at_full_size_with_the_default_options(game: str) -> None:
    rules, second = pair_of(game, {})
    check_rules(rules, second, [second.start], second.dice_allowed(second.start))
    check_odds(rules, second, [second.start], ["score"])


def test_every_game_has_a_second_opinion_and_is_compared() -> None:
    assert set(GAMES) == DEFAULTS.keys() == {game for game, _ in SMALL} | {"dominoes"}


@pytest.mark.parametrize(
    ("one_die", "least", "shut"),
    [
        ("high_covered", 11.009209, 0.097614),
        ("at_most", 11.021121, 0.097614),
        ("only1", 11.153040, None),
        ("never", 11.157508, 0.071432),
    ],
)
def test_the_second_opinion_finds_the_published_values(one_die: str, least: float, shut: float | None) -> None:
    second = SecondOpinion("pub", {"one_die": one_die})
    assert second.before(second.start, "score")[0] == pytest.approx(least, abs=1e-6)
    if shut is not None:
        assert second.before(second.start, "shut")[0] == pytest.approx(shut, abs=1e-6)


TWO_LEVEL = st.fixed_dictionaries(
    {
        "rows": st.integers(1, 3),
        "columns": st.integers(2, 4),
        "dice": st.integers(1, 3),
        "many_dice": st.sampled_from(["one_or_all", "any"]),
        "reveal": st.sampled_from(["next_throw", "same_throw"]),
        "score": st.sampled_from(["showing", "standing", "count", "double_front", "digits"]),
        "one_die": st.sampled_from(["never", "only1", "high_covered", "at_most"]),
        "one_die_limit": st.integers(6, 9),
        "one_die_total": st.sampled_from(["standing", "showing"]),
        "one_die_forced": st.booleans(),
        "max_tiles": st.integers(0, 3),
    }
)
PUB = st.fixed_dictionaries(
    {
        "tiles": st.integers(1, 9),
        "dice": st.integers(1, 3),
        "many_dice": st.sampled_from(["one_or_all", "any"]),
        "score": st.sampled_from(["showing", "standing", "count", "digits"]),
        "one_die": st.sampled_from(["never", "only1", "high_covered", "at_most"]),
        "one_die_limit": st.integers(6, 9),
        "one_die_forced": st.booleans(),
        "max_tiles": st.integers(0, 4),
    }
)


def score_fits(options: Mapping[str, object]) -> bool:
    """double_front needs two rows and digits one; the program refuses them elsewhere."""
    return {"double_front": 2, "digits": 1}.get(str(options["score"]), options["rows"]) == options["rows"]


def check_some(game: str, options: Settings, seed: int, limit: int) -> None:
    """A few boards of a game, most of them late ones."""
    rules, second = pair_of(game, options)
    boards = sorted(second.boards(), key=lambda standing: (len(standing), second.text(standing)))
    some = random.Random(seed).sample(boards[: 2**7], min(4, len(boards)))
    check_rules(rules, second, some, dice_of(second, boards))
    check_odds(rules, second, some, ("score", "shut", f"at-most:{limit}"))


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(TWO_LEVEL.filter(score_fits), st.integers(0, 2**32), st.integers(0, 20))
def test_they_agree_on_two_level_under_any_options(options: Settings, seed: int, limit: int) -> None:
    check_some("two-level", options, seed, limit)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(PUB, st.integers(0, 2**32), st.integers(0, 20))
def test_they_agree_on_the_pub_game_under_any_options(options: Settings, seed: int, limit: int) -> None:
    check_some("pub", options, seed, limit)
