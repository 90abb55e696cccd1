"""The log tells of every event in words: no class, no bracketed list, nothing that is empty."""

import pytest

from controller.game.core.events import GameEvent, GameStarted, TilesConfirmed
from controller.game.core.players import Origin, Player
from controller.game.fleet.events import Shouted
from controller.game.shutbox.events import DiceThrown, MoveChosen, RoundEnded, TurnEnded
from controller.game.table.wire import log_line


@pytest.mark.parametrize(
    ("event", "origin", "line"),
    [
        (DiceThrown((3, 5), "typed"), Origin("terminal", 0), "dice thrown: dice 3 5, source typed (terminal, seat 1)"),
        (MoveChosen(("front-8",)), Origin("page"), "move chosen: tiles front-8 (page)"),
        (TilesConfirmed(), Origin(), "tiles confirmed (box)"),
        (TurnEnded(1, 12), Origin(), "turn ended: player 2, score 12 (box)"),
        (TurnEnded(0, 0), Origin(), "turn ended: player 1, score 0 (box)"),
        (Shouted(0, None, 0), Origin("page", 0), "shouted: player 1, at ms 0 (page, seat 1)"),
        (RoundEnded((0, 2)), Origin(), "round ended: winners 1 3 (box)"),
        (
            GameStarted("pub", {"first": "chosen", "stake": 2}, (Player("Ann"), Player("House", True, "casual"))),
            Origin("script"),
            "game started: game pub, options first=chosen stake=2, players (name Ann) "
            "(name House, house true, strength casual) (script)",
        ),
    ],
)  # fmt: skip
def test_an_event_is_a_line_of_words(event: GameEvent, origin: Origin, line: str) -> None:
    assert log_line(event, origin) == line
