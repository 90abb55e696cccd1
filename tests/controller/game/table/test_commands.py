"""What may be asked, as JSON and back: one form, from the typed line to the referee."""

import json
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from controller.game.core.actions import LABELS, ActionKind
from controller.game.core.commands import Abandon, Believe, GoOn, Park, PutRight, StartGame, TryAgain, Undo
from controller.game.core.players import Player
from controller.game.fleet.commands import (
    CallGo,
    Claim,
    EndRound,
    NameCombination,
    Shout,
    ThrowOwnDice,
    WithdrawShout,
)
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, EndTurn, RollDice, TakeThrow
from controller.game.shutbox.events import Motive
from controller.game.table.wire import COMMAND, ClientCommand
from controller.rules.tiles import Marks
from tests.support.together import together

PLAYERS = (Player("Ann"), Player("House", house=True, strength="perfect"))
MARKS = Marks({"front-1": "sun"}, {"sun": 3}, tuple("abcdef"))
COMMANDS: tuple[ClientCommand, ...] = (
    StartGame(PLAYERS),
    StartGame(PLAYERS, "pub", {"tiles": 10, "carry": True, "one_die": "never"}, MARKS),
    RollDice(),
    RollDice(1),
    TakeThrow((5, 3)),
    TakeThrow((5, 3), game_id=3, event=17, key="0123456789abcdef"),
    Choose(("front-3", "back-5")),
    CorrectThrow((5, 2)),
    Undo(),
    Undo(vouched=True),
    AcceptLoss(),
    GoOn(),
    TryAgain(),
    Believe(),
    EndTurn(),
    PutRight(),
    CorrectGame(),
    Park(),
    Abandon(),
    NameCombination("straight"),
    NameCombination("all-twos", "Ann"),
    CallGo(),
    ThrowOwnDice(),
    ThrowOwnDice((2, 2, "boat"), "Ann"),
    Shout(),
    Shout("three-pairs", "Ann"),
    WithdrawShout("Ann"),
    Claim((2, 2, 3, 3, "joker", "boat"), "Ann"),
    EndRound(),
)


@together("command", COMMANDS)
def test_a_command_is_the_same_after_its_way_as_json(command: ClientCommand) -> None:
    assert COMMAND.validate_json(COMMAND.dump_json(command)) == command


def test_each_command_has_a_tag_of_its_own_and_none_is_left_out() -> None:
    tags = "'start', 'roll', 'dice', 'correct', 'choose', 'undo', 'accept', 'go_on', 'try_again', 'believe', 'end_turn'"
    with pytest.raises(ValidationError, match=f"expected tags: {tags}"):
        COMMAND.validate_python({"do": "dance"})
    assert {command.do for command in COMMANDS} == set(get_args(ActionKind)) == set(LABELS)


@pytest.mark.parametrize(
    "command",
    [
        TakeThrow((5, 3), "camera"),
        Choose(("front-8",), Motive("only")),
        Shout(at_ms=1200),
        Claim((2, 2, 3, 3, 4, 4), source="camera"),
    ],
)
def test_what_only_the_box_says_of_a_command_is_not_in_its_json(command: ClientCommand) -> None:
    assert json.loads(COMMAND.dump_json(command, exclude_none=True)).keys() <= {"dice", "tiles", "do"}


@pytest.mark.parametrize(
    "asked",
    [
        {"do": "dice", "dice": ["x"] * 10_000},
        {"do": "choose", "tiles": [1] * 10_000},
        {"do": "start", "players": [{}] * 10_000},
        {"do": "claim", "dice": ["x"] * 10_000},
        {"do": "throw", "keep": [{}] * 10_000},
    ],
    ids=lambda asked: asked["do"],
)
def test_a_list_of_mistakes_is_given_up_at_the_first(asked: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as refused:
        COMMAND.validate_python(asked)
    assert refused.value.error_count() <= 2, "the mistake, and at most the length"
