"""A short form of the campaign on luck, and what it would notice."""

import json
from dataclasses import replace

import pytest

from controller.game.shutbox.events import Motive
from controller.game.shutbox.state import Choosing, Game
from controller.odds.shutbox.model import Model
from controller.opponents.house import Decision, House
from controller.opponents.lookback import Account
from controller.rules.shutbox.games import GAMES
from controller.rules.shutbox.ruleset import rules_of
from controller.runtime.output import Exit
from tests.campaigns.chance.luck import LuckReport, Mean, bench_luck
from tests.campaigns.chance.lucky_play import Outcome, Sums, Trial, try_luck

BY_CHANCE, PERFECT = 3, len(GAMES) + 3  # the pub game
ANY_OPTIONS = range(2 * len(GAMES) + 1, 2 * len(GAMES) + 7)


@pytest.mark.parametrize("seed", [BY_CHANCE, PERFECT, *ANY_OPTIONS])
def test_games_add_up(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    assert bench_luck(20, seed, as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    assert told["points"]["throws"] >= 20
    assert told["turns"] > 0
    assert told["gap"] < 1e-9


def test_the_seeds_go_through_all_games_by_chance_and_perfectly() -> None:
    trials = [Trial(seed, 1) for seed in range(1, 4 * len(GAMES) + 1)]
    assert {(each.game, each.perfect, each.plain) for each in trials} == {
        (game, perfect, plain) for game in GAMES for perfect in (False, True) for plain in (False, True)
    }
    assert [each.game for each in (Trial(BY_CHANCE, 1), Trial(PERFECT, 1))] == ["pub", "pub"]
    assert Model.of(rules_of("two-level")).size < 20_000, "it is small enough to be played as its document has it"


def test_a_game_that_does_not_add_up_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Account, "errors", property(lambda turn: sum(choice.error for choice in turn.choices) + 1e-6))
    outcome = try_luck(Trial(BY_CHANCE, 20))
    assert outcome.gap == pytest.approx(1e-6, rel=1e-3)
    [problem] = LuckReport([outcome]).problems
    assert problem == "python -m tests.campaigns luck --throws 20 --seed 3: a result is 1.0e-06 off what it is made of"


def test_an_error_of_the_perfect_house_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(House, "choose", lambda _house, game: take_first(game))
    assert try_luck(Trial(PERFECT, 40)).errors > 0


def take_first(game: Game) -> Decision:
    assert isinstance(game.phase, Choosing)
    return Decision(tuple(map(str, game.rules.legal_moves(game.board, game.phase.throw)[0])), Motive("only"))


def test_luck_that_is_somebody_s_is_noticed() -> None:
    sums = Sums()
    for number in range(10_000):
        sums.add(1.1 if number % 2 else -1.0)
    nobody = Sums(2, 0.0, 2.0)
    assert Mean.of([sums]).mean == pytest.approx(0.05)
    assert Mean.of([sums]).standard_error == pytest.approx(0.0105, abs=1e-4)
    outcome = Outcome(Trial(1, 1), points=sums, wins=nobody)
    assert LuckReport([outcome]).problems == ["luck in points is 4.8 standard errors off 0"]
    assert LuckReport([replace(outcome, points=nobody)]).passed


def test_the_report_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_luck(5, BY_CHANCE, as_json=False) is Exit.DONE
    said = capsys.readouterr().out
    assert "in chances to win" in said
    assert "(limit 1e-09)" in said
