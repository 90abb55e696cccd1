import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="no gymnasium here: make lanes")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from controller.odds.shutbox.advice import odds_of  # noqa: E402
from controller.odds.shutbox.aim import Aim  # noqa: E402
from controller.opponents.engines.environment import TurnEnvironment  # noqa: E402
from controller.rules.shutbox.ruleset import rules_of  # noqa: E402


@pytest.mark.parametrize("game", ["pub", "two-level", "2012", "dominoes", "full-house"])
def test_it_is_an_environment_as_gymnasium_has_them(game: str) -> None:
    check_env(TurnEnvironment(game), skip_render_check=True)


def test_random_legal_play_is_worse_than_the_exact_odds() -> None:
    environment = TurnEnvironment("pub", one_die="never")
    total = 0.0
    for seed in range(400):
        _, info = environment.reset(seed=seed)
        is_over = False
        while not is_over:
            move = info["moves"][environment.np_random.integers(len(info["moves"]))]
            _, reward, is_over, _, info = environment.step(move)
        total -= reward
    best = odds_of(rules_of("pub", {"one_die": "never"})).tables.of(rules_of("pub").start(), Aim("score")).values[-1]
    assert best < total / 400 < 45


def test_tiles_that_do_not_fit_end_the_turn_with_its_score() -> None:
    environment = TurnEnvironment("pub", one_die="never")
    environment.reset(seed=1)
    _, reward, is_over, _, _ = environment.step(np.ones(10, dtype=np.int8))
    assert (reward, is_over) == (-45.0, True)


def test_the_number_of_dice_is_an_action_where_there_is_a_choice() -> None:
    environment = TurnEnvironment("pub")
    asked = 0
    for seed in range(200):
        observation, info = environment.reset(seed=seed)
        is_over = False
        while not is_over:
            asks = not observation["dice"].any()
            action = info["moves"][-1]
            observation, _, is_over, _, info = environment.step(action)
            if asks:
                asked += 1
                assert action.tolist() == [0] * 9 + [1]
                assert observation["dice"].sum() == 1
    assert asked > 0
