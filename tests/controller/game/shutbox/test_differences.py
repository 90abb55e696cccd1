"""Tiles that were moved while the box was off: both answers, what is asked, and what is not."""

from dataclasses import replace

import pytest

from controller.errors import NotNow
from controller.game.core.commands import (
    Believe,
    ConfirmTiles,
    Park,
    PutRight,
    ReportFault,
    ReportTiles,
    StartGame,
    Undo,
)
from controller.game.core.phases import FoundTile, Moving, TileMismatch
from controller.game.core.players import Player
from controller.game.core.sight import SnapshotContext
from controller.game.shutbox.commands import Choose, CorrectGame, CorrectThrow, TakeThrow
from controller.game.shutbox.events import MoveChosen
from controller.game.shutbox.messages import describe_phase
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, Resting, TurnDone, TurnLost, can_undo
from controller.game.table.engines import actions_of, decide
from controller.game.table.snapshot import agreed_command, snapshot_of
from controller.rules.throw import Throw
from hardware.errors import Fault
from hardware.tiles import Position
from tests.support.said import said
from tests.support.stories import found, play, table_of, told, with_board

WAITING = table_of(2, "two-level")
CHOOSING = play(WAITING, TakeThrow((5, 3)))
MOVING = play(CHOOSING, Choose(("front-8",)))
JAM = Fault("H-301", "front-8", "SHUT", "OPEN", "Free the tile.")
START = "1 2 3 4 5 6 7 8 9/9 8 7 6 5 4 3 2 1"


def resting(game: Game) -> Resting:
    phase = game.phase.then if isinstance(game.phase, Moving) else game.phase
    assert isinstance(phase, Resting)
    return phase


def corrected(game: Game, **seen: str) -> Game:
    return play(game, found(game, **seen), CorrectGame())


@pytest.mark.parametrize("game", [WAITING, CHOOSING, MOVING], ids=["waiting", "choosing", "moving"])
def test_a_question_changes_nothing_but_the_phase(game: Game) -> None:
    asked = play(game, found(game, front_3="SHUT"))
    then = resting(game)
    assert asked.phase == TileMismatch((FoundTile("front-3", Position.OPEN, Position.SHUT),), then)
    assert (asked.board, asked.earlier, asked.scores) == (game.board, game.earlier, game.scores)
    assert [action.kind for action in actions_of(asked)] == ["put_right", "correct_game", "park", "abandon"]
    assert play(asked, PutRight()).phase == Moving(then)
    assert play(asked, PutRight()).board == game.board
    assert play(asked, ConfirmTiles()).phase == then


def test_the_same_tiles_are_no_news_and_others_are() -> None:
    asked = play(WAITING, found(WAITING, front_3="SHUT"))
    assert decide(asked, found(WAITING, front_3="SHUT")) == ()
    again = play(asked, found(WAITING, front_3="BETWEEN"))
    assert isinstance(again.phase, TileMismatch)
    assert (again.phase.found[0].seen, again.phase.then) == ("BETWEEN", AwaitingThrow())


def test_a_game_that_is_paused_or_halted_is_not_asked_about() -> None:
    for stopped in (play(WAITING, Park()), play(MOVING, ReportFault(JAM))):
        with pytest.raises(NotNow):
            decide(stopped, found(stopped, front_3="SHUT"))


def test_the_board_becomes_what_the_tiles_show() -> None:
    events, news, after = told(
        play(WAITING, found(WAITING, front_3="SHUT", back_7="SHUT", back_1="SHUT")), CorrectGame()
    )
    assert [event.kind for event in events] == ["board_corrected"]
    # back-1 lies behind front-9, which stands: no board has that, so the box puts it up.
    assert str(after.board) == "1 2 . 4 5 6 7 8 9/9 8 . 6 5 4 3 2 1"
    assert after.phase == Moving(AwaitingThrow())
    assert news == "front-3 and back-7 now count as shut."


@pytest.mark.parametrize("seen", ["BETWEEN", "UNKNOWN"])
def test_a_tile_that_is_nowhere_stays_where_the_game_has_it(seen: str) -> None:
    lying = with_board(WAITING, ". 2 3 4 5 6 7 8 9/. 8 7 6 5 4 3 2 1")
    after = corrected(lying, front_1=seen, front_2=seen, front_3="SHUT")
    assert str(after.board) == ". 2 . 4 5 6 7 8 9/. 8 7 6 5 4 3 2 1"
    asked = play(lying, found(lying, front_1=seen))
    with pytest.raises(NotNow, match="put the tiles right, pause or give the game up"):
        decide(asked, CorrectGame())


def test_tiles_that_make_a_move_are_the_choice_and_can_be_taken_back() -> None:
    events, _, after = told(play(CHOOSING, found(CHOOSING, front_3="SHUT", front_5="SHUT")), CorrectGame())
    assert events == [MoveChosen(("front-3", "front-5"))]
    assert after == play(CHOOSING, Choose(("front-3", "front-5")))
    back = play(after, ConfirmTiles(), Undo())
    assert (back.board, back.phase) == (CHOOSING.board, Moving(resting(CHOOSING)))


def test_nobody_chooses_for_the_house() -> None:
    house = play(None, StartGame((Player("House", house=True),)), ConfirmTiles(), TakeThrow((5, 3)))
    events, _, _ = told(play(house, found(house, front_8="SHUT")), CorrectGame())
    assert [event.kind for event in events] == ["board_corrected"]


@pytest.mark.parametrize(
    "seen",
    [{"front_8": "SHUT", "back_2": "SHUT"}, {"front_8": "SHUT", "front_1": "BETWEEN"}, {"front_7": "SHUT"}],
    ids=["one more lies", "one more is half way", "no move"],
)
def test_anything_else_is_no_choice(seen: dict[str, str]) -> None:
    events, _, after = told(play(CHOOSING, found(CHOOSING, **seen)), CorrectGame())
    assert [event.kind for event in events] == ["board_corrected"]
    assert isinstance(after.phase, Moving)
    assert after.phase.then == Choosing(Throw((5, 3)))


def test_a_throw_that_lies_is_judged_by_the_corrected_board() -> None:
    few = play(with_board(WAITING, ". . . . . 6 . . ./. . . . . 4 . . ."), TakeThrow((1, 5)))
    assert few.phase == Choosing(Throw((1, 5)))
    lost = corrected(few, front_1="OPEN", front_6="SHUT")
    assert lost.phase == Moving(TurnLost(Throw((1, 5))))
    missed = play(with_board(WAITING, ". . . . . . . . 9/. . . . . . . . 1"), TakeThrow((1, 5)))
    assert missed.phase == TurnLost(Throw((1, 5)))
    assert corrected(missed, front_6="OPEN").phase == Moving(Choosing(Throw((1, 5))))


@pytest.mark.parametrize("throw", [(5, 4), (1, 2)], ids=["choosing", "turn lost"])
def test_a_board_that_is_shut_ends_the_turn_once_the_sensors_confirm_it(throw: tuple[int, int]) -> None:
    last = play(with_board(WAITING, ". . . . . . . . ./9 . . . . . . . ."), TakeThrow(throw))
    assert isinstance(last.phase, Choosing if throw == (5, 4) else TurnLost)
    shut = corrected(last, back_9="SHUT")
    # With 5 and 4 that is the choice; with 1 and 2 no throw lies any more.
    assert shut.phase == Moving(AwaitingThrow())
    assert play(shut, ConfirmTiles()).scores[0] == 0


def test_the_end_of_a_turn_is_scored_by_the_corrected_board() -> None:
    game = play(table_of(2, "two-level"), TakeThrow((5, 3)))
    done = replace(game, phase=Moving(TurnDone()))
    after = play(done, found(done, front_3="SHUT"), CorrectGame(), ConfirmTiles())
    assert after.scores[0] == done.rules.score(done.board) - 3 + 7  # back-7 comes to light


def test_after_a_correction_of_the_board_there_is_nothing_to_take_back() -> None:
    confirmed = play(MOVING, ConfirmTiles())
    assert can_undo(confirmed)
    assert can_undo(play(confirmed, found(confirmed, front_3="SHUT"), PutRight(), ConfirmTiles()))
    assert not can_undo(corrected(confirmed, front_3="SHUT"))
    again = corrected(CHOOSING, front_1="SHUT")
    assert play(again, ConfirmTiles(), CorrectThrow((6, 6))).phase == Choosing(Throw((6, 6)))


def test_a_tile_that_was_believed_is_so_no_longer_where_the_board_is_corrected() -> None:
    believed = play(MOVING, ReportFault(JAM), Believe(), ConfirmTiles())
    assert believed.believed == {"front-8"}
    assert corrected(believed, front_8="OPEN").believed == frozenset()


def test_before_a_game_has_begun_its_tiles_can_only_be_put_right() -> None:
    rolling = table_of(2, "two-level", first="lowest")
    asked = play(rolling, found(rolling, front_3="SHUT"))
    assert [action.kind for action in actions_of(asked)] == ["put_right", "park", "abandon"]
    assert said(describe_phase(asked)).endswith("Or keep your hands off and let the box do it.")


def test_tiles_that_the_game_does_not_have_are_told_and_put_right() -> None:
    pub = table_of(1, "pub")
    strange = FoundTile("front-12", Position.SHUT, Position.OPEN)
    asked = play(pub, ReportTiles((strange, FoundTile("front-3", Position.OPEN, Position.SHUT))))
    assert "front-12 is up and should be down" in said(describe_phase(asked))
    assert str(play(asked, CorrectGame()).board) == "1 2 . 4 5 6 7 8 9"


def test_every_tile_is_said_with_what_is_expected_and_seen() -> None:
    game = with_board(WAITING, "1 2 3 4 5 6 7 . 9/9 8 7 6 5 4 3 2 1")
    asked = play(
        game, found(game, front_3="SHUT", front_7="SHUT", front_8="OPEN", front_1="BETWEEN", front_2="UNKNOWN")
    )
    assert said(describe_phase(asked)) == (
        "Something moved while the box was off. front-3 and front-7 are down and should be up. front-8 is up and "
        "should be down. front-1 is half way and should be up. The sensors of front-2 disagree; the tile should be "
        "up. Put them right by hand and the game continues. Or keep your hands off and let the box do it. Or leave "
        "them: they then count as they are. front-3 and front-7 then count as shut. front-8 then counts as up."
    )


def test_a_press_of_enter_puts_the_tiles_right() -> None:
    snapshot = snapshot_of(play(CHOOSING, found(CHOOSING, front_8="SHUT")), SnapshotContext(1, 1, "two-level-9"))
    assert (snapshot.phase, snapshot.throw, snapshot.moves) == ("differing", (3, 5), ())
    assert [tile.name for tile in snapshot.found] == ["front-8"]
    assert agreed_command(snapshot) == PutRight()
    assert said(snapshot.messages[0]).endswith(" Or leave it: it then counts as your move.")
