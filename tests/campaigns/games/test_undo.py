"""A short form of the campaign on what is taken back, and what it would notice."""

import json
import random
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.game.core.commands import Command, ConfirmTiles, StartGame, Undo
from controller.game.core.events import GameEvent
from controller.game.core.ledger import Ledger
from controller.game.core.phases import Moving
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, TakeThrow
from controller.game.shutbox.evolve import replay_box_game as replay
from controller.game.shutbox.state import Game
from controller.game.table.engines import decide
from controller.rules.shutbox.games import GAMES
from controller.rules.tiles import NO_MARKS
from controller.runtime.output import Exit
from tests.campaigns.any_game import draw_rules
from tests.campaigns.games.undo import bench_undo, try_undo
from tests.campaigns.games.undone_events import count_events
from tests.support.long import long_but_every

EVOLVE = sys.modules["controller.game.shutbox.evolve"]
AS_IT_IS = EVOLVE._undo
GAMES_TRIED = 10


@pytest.mark.long
def test_games_in_which_things_are_taken_back_are_the_games_they_were(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_undo(3, 102, as_json=True) is Exit.DONE
    told = json.loads(capsys.readouterr().out)
    assert told["problems"] == []
    assert sum(told["ends"].values()) == told["games"] == 3
    assert {"undone", "corrected before", "corrected after", "while tiles moved"} <= set(told["counts"])


def without_moving_tiles(game: Game) -> Game:
    return replace(game, phase=game.phase.then) if isinstance(game.phase, Moving) else game


@pytest.mark.parametrize(
    ("spoil", "seed", "problem"),
    long_but_every(
        4,
        [
            (lambda before, after: replace(after, scores=before.scores), 111, "instead of"),
            (lambda before, after: replace(after, match=before.match), 100, "instead of"),
            (lambda _, after: replace(after, throws=after.throws + 1), 110, "another one than if nothing"),
            (lambda _, after: without_moving_tiles(after), 151, "halted: "),
        ],
    ),
    ids=["scores", "match", "throws", "wood"],
)
def test_what_an_undo_does_not_bring_back_is_noticed(
    monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Game, Game], Game], seed: int, problem: str
) -> None:
    monkeypatch.setattr(EVOLVE, "_undo", lambda game, event: spoil(game, AS_IT_IS(game, event)))
    # In some game at least: which one it shows in depends on every moment of all that the box does.
    assert any(problem in each for game in range(seed, seed + GAMES_TRIED) for each in try_undo(game).problems)


def test_a_referee_that_fails_is_noticed_and_the_command_plays_the_game_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise OverflowError("too large")

    monkeypatch.setattr("controller.journal.record_table.RecordTable.count", fail)
    assert bench_undo(1, 110, as_json=True) is Exit.NO
    [problem] = json.loads(capsys.readouterr().out)["problems"]
    assert problem == "python -m tests.campaigns undo --games 1 --seed 110: OverflowError: too large"


def told(*commands: Command) -> list[GameEvent]:
    """The events of a lone game of golf for coins, up to these commands; the tiles come when they are asked for."""
    events = list(decide(None, StartGame((Player("Ann"), Player("Bob")), "golf", {"first": "chosen", "stake": 2})))
    for command in commands:
        game = replay(events)
        assert game is not None
        events += decide(game, command)
    return events


def test_events_are_counted() -> None:
    events = told(
        ConfirmTiles(),
        TakeThrow((6, 2)),
        CorrectThrow((6, 3)),
        Choose(("front-9",)),
        Undo(),
        ConfirmTiles(),
        Choose(("front-9",)),
        ConfirmTiles(),
        CorrectThrow((1, 1)),
        ConfirmTiles(),
        Choose(("front-2",)),
        ConfirmTiles(),
        TakeThrow((1, 1)),
        AcceptLoss(),
        Undo(),
    )
    problems: list[str] = []
    assert count_events(events, problems) == {
        "throws": 2,
        "choices": 3,
        "undone": 2,
        "corrected before": 1,
        "corrected after": 1,
        "while tiles moved": 2,
        "taken back: choice": 2,
        "taken back: end of a turn": 1,
    }
    assert problems == []


def test_coins_that_do_not_come_to_nothing_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ledger, "pool", 3)
    problems: list[str] = []
    count_events(told(), problems)
    assert problems == [
        "after game_started the coins do not come to 0: Ledger(balances=(-2, -2), paid=(2, 2))",
    ]


def test_every_game_is_drawn_with_its_options_and_marks() -> None:
    drawn = [
        draw_rules(random.Random(f"{name}/{seed}"), name, lambda rules: rules.layout.columns < 20, undo="anybody")
        for name in GAMES
        for seed in range(12)
    ]
    assert {rules.preset.name for rules in drawn} == set(GAMES)
    assert {rules.terms.undo for rules in drawn} == {"anybody"}
    assert all(rules.layout.columns < 20 for rules in drawn)
    assert any(rules.marks != NO_MARKS for rules in drawn)
    for option in ("match", "ties", "first", "race", "score", "carry_board", "alternate"):
        values = {rules.chosen[option] for rules in drawn if option in rules.chosen}
        assert len(values) > 1, option
