"""One tolerance for all who choose: what rounding does not tell apart is equal, what differs is not."""

import numpy as np

from controller.odds.best import best_of, best_of_runs, is_better
from controller.odds.shutbox.advice import odds_of
from controller.odds.shutbox.aim import Aim
from controller.rules.shutbox.ruleset import rules_of


def test_what_differs_by_rounding_is_as_good_and_what_differs_by_more_is_not() -> None:
    assert best_of([0.3, 0.1 + 0.2, 0.3 - 1e-10], greatest=True) == (0.1 + 0.2, [0, 1])
    assert best_of([0.3, 0.1 + 0.2, 0.3 + 1e-10], greatest=False) == (0.3, [0, 1])
    assert best_of([123456789012345.0, 123456789012346.0, 123456789012445.0], greatest=False)[1] == [0, 1]


def test_what_may_not_be_chosen_is_never_as_good() -> None:
    costs, gains = np.array([np.inf, 2.0, 1.0, np.inf]), np.array([-np.inf, 3.0, 3.0, -np.inf])
    starts = np.array([0, 2])

    assert best_of_runs(costs, starts, greatest=False).as_good.tolist() == [False, True, True, False]
    assert best_of_runs(gains, starts, greatest=True).as_good.tolist() == [False, True, True, False]
    forbidden = np.array([-np.inf, 1.0, -np.inf])
    assert is_better(np.array([1.0, -np.inf, -np.inf]), forbidden).tolist() == [True, False, False]


def test_a_move_that_shuts_the_box_a_little_less_often_is_not_among_the_best() -> None:
    """The two best chances lie 4e-10 apart, a million times what rounding does."""
    rules = rules_of("full-house", {"dice": 6})
    board, throw, aim = rules.start(), rules.throw("1,6,6,6,6,6"), Aim("shut")
    odds = odds_of(rules)
    values = odds.values(board, throw, rules.legal_moves(board, throw), aim)
    best, second = sorted(values, reverse=True)[:2]

    assert 1e-10 < best - second < 1e-9
    assert len(odds.after(board, throw, aim).best) == 1
