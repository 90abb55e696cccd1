"""Choices that are taken back, and readings that are corrected after the choice, until the next throw lies."""

from functools import reduce
from typing import Any

import pytest

from controller.errors import NotNow, SameDice
from controller.game.core.commands import Believe, ConfirmTiles, Park, ReportFault, StartGame, TryAgain, Undo
from controller.game.core.phases import Ended, Moving
from controller.game.core.players import Player
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, TakeThrow
from controller.game.shutbox.events import ChoiceUndone, ThrowCorrected
from controller.game.shutbox.evolve import evolve_box_game as evolve
from controller.game.shutbox.messages import news_of_box_game as news_of
from controller.game.shutbox.state import AwaitingThrow, Choosing, Game, TurnLost
from controller.game.table.engines import actions_of, decide
from controller.rules.throw import Throw
from hardware.errors import Fault
from tests.support.said import text_of
from tests.support.stories import play, told, with_board

ANN, BOB = Player("Ann"), Player("Bob")
JAM = Fault("H-301", "front-8", "SHUT", "OPEN", "Free the tile.")
NEARLY = ". . . . . . . . ./9 . . . . . . . ."


def started(*players: Player, game: str = "two-level", **options: object) -> Game:
    return play(None, StartGame(players or (ANN, BOB), game, {"first": "chosen", **options}), ConfirmTiles())


def chosen(**options: Any) -> Game:
    """Ann has shut front-8 with 3 and 5."""
    return play(started(**options), TakeThrow((5, 3)), Choose(("front-8",)))


def can(game: Game, kind: str) -> bool:
    return any(action.kind == kind for action in actions_of(game))


def test_who_takes_back_what_another_chose_is_named() -> None:
    game = play(chosen(), ConfirmTiles())
    events = decide(game, Undo())
    back = reduce(evolve, events, game)
    assert text_of(news_of(game, events, back, 1)) == "Bob takes the choice back: front-8."
    assert text_of(news_of(game, events, back)) == "Ann takes the choice back: front-8."


@pytest.mark.parametrize("arrived", [False, True])
def test_a_choice_is_taken_back_and_its_tiles_come_up_again(arrived: bool) -> None:
    game = play(chosen(), ConfirmTiles()) if arrived else chosen()
    events, news, back = told(game, Undo())

    assert events == [ChoiceUndone(0, ("front-8",))]
    assert news == "Ann takes the choice back: front-8."
    assert back.phase == Moving(Choosing(Throw((3, 5))))
    assert back.board == back.rules.start()
    again = play(back, ConfirmTiles(), Choose(("front-3", "front-5")), ConfirmTiles())
    assert str(again.board) == "1 2 . 4 . 6 7 8 9/9 8 7 6 5 4 3 2 1"
    assert again.throws == 1
    assert again.undone == (1, 0)


def test_the_next_throw_ends_it_and_so_does_the_end_of_the_game() -> None:
    game = play(chosen(), ConfirmTiles(), TakeThrow((1, 1)))
    assert not can(game, "undo")
    with pytest.raises(NotNow, match="you cannot take it back now"):
        decide(game, Undo())
    over = play(with_board(started(ANN), NEARLY), TakeThrow((1, 2)), AcceptLoss())
    assert isinstance(over.phase, Ended)
    assert not can(over, "undo")


def test_a_turn_that_was_accepted_goes_on_with_all_that_it_changed() -> None:
    lost = play(with_board(started(match="points", stake=2), NEARLY), TakeThrow((1, 2)))
    game = play(lost, AcceptLoss(), ConfirmTiles())
    assert (game.player, game.scores) == (BOB, (9, None))
    assert [action.by for action in actions_of(game) if action.kind == "undo"] == [("Ann",)]

    events, news, back = told(game, Undo())
    assert news == "Ann takes that back."
    assert (back.player, back.scores, back.board) == (ANN, (None, None), lost.board)
    assert back.phase == Moving(TurnLost(Throw((1, 2))))
    assert play(back, ConfirmTiles(), AcceptLoss(), ConfirmTiles()).scores == (9, None)
    assert len(events) == 1


def test_the_last_turn_of_a_round_gives_its_money_back() -> None:
    game = play(with_board(started(match="points", stake=2), NEARLY), TakeThrow((1, 2)), AcceptLoss(), ConfirmTiles())
    last = play(with_board(game, ". . . . . . . . ./. 8 . . . . . . ."), TakeThrow((1, 2)))
    after = play(last, AcceptLoss())
    assert (after.match.round, after.match.points) == (2, (0, 1))

    back = play(after, Undo())
    assert (back.match, back.scores) == (last.match, last.scores)


def test_a_reading_is_corrected_after_the_choice() -> None:
    events, _, game = told(play(chosen(), ConfirmTiles()), CorrectThrow((6, 2)))

    assert events == [ChoiceUndone(0, ("front-8",)), ThrowCorrected((3, 5), (2, 6))]
    assert game.phase == Moving(Choosing(Throw((2, 6))))
    assert play(game, ConfirmTiles()).phase == Choosing(Throw((2, 6)))


def test_a_correction_to_the_same_dice_takes_no_choice_back() -> None:
    with pytest.raises(SameDice, match="3 and 5 is already in play"):
        decide(play(chosen(), ConfirmTiles()), CorrectThrow((5, 3)))


def test_a_reading_is_corrected_after_a_turn_was_given_up_by_it() -> None:
    game = play(with_board(started(), NEARLY), TakeThrow((1, 2)), AcceptLoss(), ConfirmTiles(), CorrectThrow((6, 3)))
    assert play(game, ConfirmTiles()).phase == Choosing(Throw((3, 6)))
    assert game.player == ANN


@pytest.mark.parametrize(("undo", "by"), [("chooser", ("Ann",)), ("anybody", ("Ann", "Bob"))])
def test_who_may_is_agreed_on(undo: str, by: tuple[str, ...]) -> None:
    assert [action.by for action in actions_of(chosen(undo=undo)) if action.kind == "undo"] == [by]


def test_nobody_may_where_that_is_agreed_on() -> None:
    game = chosen(undo="nobody")
    assert not can(game, "undo")
    assert not can(game, "correct")


def test_it_can_be_done_so_often_only() -> None:
    game = chosen(undo_limit=2)
    for _ in range(2):
        game = play(game, Undo(), ConfirmTiles(), Choose(("front-8",)))
    assert not can(game, "undo")


def test_a_tile_that_somebody_vouched_for_asks_first() -> None:
    believed = play(chosen(), ReportFault(JAM), Believe(), ConfirmTiles())
    [undo] = [action for action in actions_of(believed) if action.kind == "undo"]
    assert undo.vouched == ("front-8",)
    with pytest.raises(NotNow, match="front-8: somebody vouched for it"):
        decide(believed, Undo())
    back = play(believed, Undo(vouched=True))
    assert back.believed == frozenset()


def test_a_tile_that_does_not_come_down_leaves_the_choice_free() -> None:
    halted = play(chosen(), ReportFault(JAM))
    assert can(halted, "undo")
    assert play(halted, Undo(), ConfirmTiles()).phase == Choosing(Throw((3, 5)))
    assert not can(play(halted, Park()), "undo")
    assert can(play(halted, TryAgain()), "undo")


def test_who_is_told_of_news_hears_of_a_turn_that_goes_on() -> None:
    game = play(with_board(started(), NEARLY), TakeThrow((1, 2)), AcceptLoss(), ConfirmTiles())
    events = decide(game, Undo())
    assert text_of(news_of(game, events, play(game, Undo()))) == "Ann takes that back."
    assert play(game, Undo(), ConfirmTiles()).phase == TurnLost(Throw((1, 2)))
    assert game.phase == AwaitingThrow()
