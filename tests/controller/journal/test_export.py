"""The rows of a journal say what happened, with what was corrected and taken back."""

from pathlib import Path
from typing import Any

import pytest

from controller.errors import JournalDiffers
from controller.game.core.events import GameAbandoned, GameEvent, GameStarted, TilesConfirmed
from controller.game.core.players import Player
from controller.game.shutbox.events import ChoiceUndone, DiceThrown, FirstRolled, MoveChosen, ThrowCorrected, TurnEnded
from controller.journal.export import ChoiceRow, GameRow, Row, ScoreRow, ThrowRow, export_rows
from controller.journal.store import Entry, Journal
from controller.rules.shutbox.ruleset import rules_of

STARTED = GameStarted("pub", rules_of("pub", {"first": "highest"}).chosen, (Player("Ann"), Player("House", house=True)))
FULL = "1 2 3 4 5 6 7 8 9"
EVENTS: tuple[GameEvent, ...] = (
    STARTED,
    TilesConfirmed(),
    FirstRolled(0, (2,), "camera"),
    FirstRolled(1, (1,), "camera"),
    TilesConfirmed(),
    DiceThrown((5, 4), "camera"),
    ThrowCorrected((5, 4), (5, 3)),
    ThrowCorrected((5, 3), (6, 3)),
    MoveChosen(("front-9",)),
    ChoiceUndone(0, ("front-9",)),
    TilesConfirmed(),
    MoveChosen(("front-6", "front-3")),
    TilesConfirmed(),
    DiceThrown((6, 6), "typed"),
    TurnEnded(0, 36),
)


def rows_after(path: Path, *events: GameEvent) -> list[Row]:
    with Journal(path / "journal.sqlite3") as journal:
        entries = [Entry(number, f"t{number}", event, "") for number, event in enumerate(events, 1)]
        journal.append(1, "classic-9", entries)
        return list(export_rows(journal))


def test_what_happened_is_told_with_what_was_corrected_and_taken_back(tmp_path: Path) -> None:
    game, *rows = rows_after(tmp_path, *EVENTS)

    def about(event: int) -> dict[str, Any]:
        return {"game": 1, "event": event, "at": f"t{event}", "round": 1, "player": "Ann"}

    chosen: dict[str, Any] = {"house": False, "door": "box", "board": FULL, "dice": (6, 3)}
    assert rows == [
        ThrowRow(**about(3), purpose="first", dice=(2,), source="camera"),
        ThrowRow(**{**about(4), "player": "House"}, purpose="first", dice=(1,), source="camera"),
        ThrowRow(**about(6), purpose="turn", dice=(6, 3), source="camera", read=(5, 4)),
        ChoiceRow(**about(9), **chosen, tiles=("front-9",), taken_back=True),
        ChoiceRow(**about(12), **chosen, tiles=("front-6", "front-3")),
        ThrowRow(**about(14), purpose="turn", dice=(6, 6), source="typed"),
        ScoreRow(**about(15), score=36, lost=False),
    ]
    assert isinstance(game, GameRow)
    assert (game.name, game.box, game.players, game.house) == ("pub", "classic-9", ("Ann", "House"), ("House",))
    assert (game.began, game.ended, game.outcome, game.winners) == ("t1", None, "unfinished", ())


def test_a_game_that_was_given_up_has_no_winner(tmp_path: Path) -> None:
    [game] = rows_after(tmp_path, STARTED, GameAbandoned())

    assert isinstance(game, GameRow)
    assert (game.ended, game.outcome, game.winners) == ("t2", "given_up", ())


def test_a_game_that_has_lost_a_throw_is_named(tmp_path: Path) -> None:
    started = GameStarted("pub", rules_of("pub", {"first": "chosen"}).chosen, STARTED.players)
    with pytest.raises(JournalDiffers, match=r"game 1, event 3 \(throw_corrected\)"):
        rows_after(tmp_path, started, TilesConfirmed(), ThrowCorrected((5, 4), (6, 3)))


def test_a_game_that_does_not_replay_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalDiffers, match="game 1, event 2"):
        rows_after(tmp_path, STARTED, MoveChosen(("front-77",)))
