"""Look-aheads of bounded work against the odds: turns played out in thought, and players to come taken as all alike."""

import numpy as np
import pytest

from controller.odds.best import best_of
from controller.odds.shutbox.advice import odds_of
from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.choosers import heuristic_dice, heuristic_move
from controller.odds.shutbox.model import Model, throws_of
from controller.odds.shutbox.playouts import Playouts
from controller.odds.shutbox.seats import RoundState, seats_of
from controller.opponents.house import Rivals
from controller.opponents.simulation import simulate
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw

POINTS = Aim("score")


@pytest.mark.long
@pytest.mark.parametrize(("game", "board"), [("two-level", None), ("pub", "1 2 3 4 5 6 7 8 9"), ("thai", None)])
def test_turns_played_out_choose_nearly_as_well_as_the_odds(game: str, board: str | None) -> None:
    """Of all throws: what the chosen move leaves more than the best one, on average, and what any move would."""
    rules = rules_of(game)
    start = rules.start() if board is None else rules.board(board)
    lost = any_lost = 0.0
    for throw, chance in throws_of(rules, 2):
        moves = rules.legal_moves(start, throw)
        if not moves:
            continue
        values = odds_of(rules).values(start, throw, moves, POINTS)
        _, [place, *_] = best_of(Playouts.of(rules, start, seed=4).values(moves, POINTS), greatest=False)
        lost += chance * (values[place] - min(values))
        any_lost += chance * (float(np.mean(values)) - min(values))

    assert lost < 0.15
    assert lost < any_lost / 10


@pytest.mark.long
def test_the_same_seed_values_moves_alike_and_a_chance_lies_between_0_and_1() -> None:
    rules = rules_of("the-300")
    moves = rules.legal_moves(rules.start(), rules.throw("6,5,4,4"))
    one = Playouts.of(rules, rules.start(), seed=1).values(moves, Aim("at-most", 150))

    assert one == Playouts.of(rules, rules.start(), seed=1).values(moves, Aim("at-most", 150))
    assert one != Playouts.of(rules, rules.start(), seed=2).values(moves, Aim("at-most", 150))
    assert 0 <= min(one) < max(one) <= 1


@pytest.mark.parametrize("game", ["pub", "thai", "unlucky-7"])
def test_turns_are_played_out_by_the_rule_of_thumb(game: str) -> None:
    rules = rules_of(game)
    scores = Playouts.of(rules, rules.start(), seed=3).scores()

    assert sum(share for _, share in scores) == pytest.approx(1)
    mean = sum(score * share for score, share in scores)
    assert mean == pytest.approx(mean_by_thumb(rules), abs=4 * 13 / 800**0.5)


def mean_by_thumb(rules: Ruleset) -> float:
    values: dict[Board, float] = {}

    def mean(board: Board) -> float:
        if board.is_shut:
            return 0.0
        if board not in values:
            dice = heuristic_dice(rules.dice_allowed(board))
            values[board] = sum(chance * after(board, throw) for throw, chance in throws_of(rules, dice))
        return values[board]

    def after(board: Board, throw: Throw) -> float:
        moves = rules.legal_moves(board, throw)
        left = board.without(heuristic_move(moves)) if moves else board
        return rules.score(left) if not moves or rules.ends_turn(throw) else mean(left)

    return mean(rules.start())


@pytest.mark.parametrize("scores", [(), (9,), (9, 9), (20, 4)])
@pytest.mark.parametrize(("game", "given"), [("pub", {}), ("pub", {"shut": "play_on", "ties": "earlier_wins"})])
def test_a_chance_against_rivals_is_close_to_that_against_players_who_look_at_the_scores(
    game: str, given: dict[str, str | int], scores: tuple[int, ...]
) -> None:
    rules = rules_of(game, given)
    stand, board = RoundState(scores, 3 - len(scores)), rules.start()
    guessed = odds_of(rules).before(board, Rivals.of(rules).aim(stand)).value
    known = seats_of(rules).before(board, stand).value

    assert guessed == pytest.approx(known, abs=0.03)


def test_the_scores_of_rivals_are_those_of_players_for_few_points() -> None:
    rules = rules_of("pub")
    rivals = Rivals.of(rules)

    mean = sum(score * share for score, share in rivals.scores)
    assert mean == pytest.approx(simulate(rules, "best", 100_000, seed=8).mean, abs=0.4)


def test_numbers_of_boards_are_looked_up_alike_for_all_and_for_some() -> None:
    for game in ("two-level", "2-to-go", "the-300", "digital", "dominoes"):
        rules = rules_of(game, {"tiles": 9} if game in ("the-300", "digital") else {})
        model = Model.of(rules)
        states = np.arange(0, model.size, 7)
        np.testing.assert_array_equal(model.scores_at(states), model.scores[states])
        np.testing.assert_array_equal(model.dice_allowed_at(states), model.dice_allowed[:, states])
        last = np.array([model.size - 1])
        np.testing.assert_array_equal(model.dice_allowed_at(last), model.dice_allowed[:, last])
        for aim in (POINTS, Aim("shut"), Aim("at-most", 7), seats_of(rules).aim(RoundState((9,), 0))):
            np.testing.assert_array_equal(aim.ends(model, states), aim.ends(model)[states])
