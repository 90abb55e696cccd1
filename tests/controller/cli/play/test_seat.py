"""What a typed line means, phase by phase."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.cli.odds_drawing import draw_answer
from controller.cli.play.hints import hint_for, repair_hint
from controller.cli.play.tile_names import NotUnderstood
from controller.cli.play.typed import command_for, complete_line, question_about
from controller.game.core.actions import Action
from controller.game.core.commands import Abandon, Believe, GoOn, Park, PutRight, TryAgain, Undo
from controller.game.core.message import Message, compose
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectGame, CorrectThrow, EndTurn, RollDice, TakeThrow
from controller.game.table.snapshot import SeatView, Snapshot, TileView
from controller.game.table.wire import ClientCommand
from controller.opponents.hints import OddsBook
from tests.support.stories import offers
from tests.support.together import together

CHOOSING = Snapshot(
    1,
    "two-level-9",
    "",
    phase="choosing",
    moves=(("front-8",), ("front-3", "front-5")),
    actions=offers("choose", "correct"),
)
ONE_MOVE = replace(CHOOSING, moves=(("front-8",),))
THROWING = Snapshot(
    1, "two-level-9", "", phase="awaiting_throw", dice_allowed=(1, 2), actions=offers("roll", "dice", "park")
)
READING = replace(THROWING, actions=offers("dice", "park"), reading=True)
LOST = Snapshot(1, "two-level-9", "", phase="turn_lost", actions=offers("accept", "correct"))
HALTED = Snapshot(1, "two-level-9", "", phase="halted", actions=offers("try_again", "believe", "end_turn"))
DIFFERING = Snapshot(1, "two-level-9", "", phase="differing", actions=offers("put_right", "correct_game"))
PARKED = Snapshot(1, "two-level-9", "", phase="parked", actions=offers("go_on"))
LIKELY = replace(CHOOSING, likely=((6, 3), (5, 4)), moves_count=2)
WANTED = replace(THROWING, dice_wanted=1)
MOVING = Snapshot(1, "two-level-9", "", phase="moving", actions=offers("park", "abandon"))
CORRECTING = "dice read wrong? type d and what they show, such as d 5 3"


@together(
    ("line", "snapshot", "command"),
    [
        ("", THROWING, RollDice()),
        ("t 1", THROWING, RollDice(1)),
        ("t", THROWING, RollDice()),
        ("c", LIKELY, CorrectThrow((6, 3))),
        ("c 2", LIKELY, CorrectThrow((5, 4))),
        ("c", replace(THROWING, likely=((6, 3),)), TakeThrow((6, 3))),
        ("d 5 3", THROWING, TakeThrow((5, 3))),
        ("2", CHOOSING, Choose(("front-3", "front-5"))),
        ("f8", CHOOSING, Choose(("front-8",))),
        ("f3, B5", CHOOSING, Choose(("front-3", "back-5"))),
        ("front-3 front-5", CHOOSING, Choose(("front-3", "front-5"))),
        ("D 5,3", CHOOSING, CorrectThrow((5, 3))),
        ("", ONE_MOVE, Choose(("front-8",))),
        ("", LOST, AcceptLoss()),
        ("dice 6 1", LOST, CorrectThrow((6, 1))),
        ("p", MOVING, Park()),
        ("give up yes", MOVING, Abandon()),
        ("", WANTED, RollDice(1)),
        ("", HALTED, TryAgain()),
        ("", PARKED, GoOn()),
        ("", DIFFERING, PutRight()),
        ("k", DIFFERING, CorrectGame()),
        ("keep", DIFFERING, CorrectGame()),
        ("s", HALTED, Believe()),
        ("e", HALTED, EndTurn()),
    ],
)
def test_a_line_becomes_a_command(line: str, snapshot: Snapshot, command: ClientCommand) -> None:
    assert command_for(line, snapshot) == command


@together(
    ("line", "snapshot"),
    [
        ("", CHOOSING),
        ("3", CHOOSING),
        ("0", CHOOSING),
        ("", MOVING),
        ("", READING),
        ("7", LOST),
        ("k", HALTED),
        ("hello", THROWING),
        ("d x", THROWING),
        ("1", THROWING),
        ("t 3", THROWING),
        ("t 1", CHOOSING),
        ("c", CHOOSING),
        ("c 3", LIKELY),
        ("c x", LIKELY),
        ("give up", MOVING),
    ],
)
def test_a_line_that_means_nothing_is_told_so(line: str, snapshot: Snapshot) -> None:
    with pytest.raises(NotUnderstood):
        command_for(line, snapshot)


@pytest.mark.parametrize("line", ["f3 f5", "front 3 5", "front-3 front-5", "front 3, front 5"])
def test_a_move_is_typed_as_it_is_listed_too(line: str) -> None:
    assert command_for(line, CHOOSING) == Choose(("front-3", "front-5"))


def test_rows_of_a_list_are_typed_one_after_the_other() -> None:
    assert command_for("front 3, back 8 7, row3 2", CHOOSING) == Choose(("front-3", "back-8", "back-7", "row3-2"))


def test_where_there_is_one_move_the_hint_says_that_enter_takes_it() -> None:
    assert hint_for(replace(ONE_MOVE, moves_count=1)) == ("Enter: take the only move", CORRECTING)
    assert hint_for(replace(CHOOSING, moves_count=2)) == (
        "type a move's number, or its tiles, such as f8",
        "h: hint",
        CORRECTING,
    )


def test_the_hint_tells_the_likely_dice_and_their_keys() -> None:
    sure = ("type a move's number, or its tiles, such as f8", "h: hint", CORRECTING)
    assert hint_for(LIKELY) == sure, "where the camera was sure, it is not said what else it may have been"
    assert hint_for(replace(LIKELY, eye="doubtful")) == (
        "type a move's number, or its tiles, such as f8",
        "h: hint",
        "c: they show 6 and 3",
        "c 2: they show 5 and 4",
        CORRECTING,
    )
    assert hint_for(replace(LOST, likely=((6, 3),), eye="doubtful")) == (
        "Enter: go on",
        "c: they show 6 and 3",
        CORRECTING,
    )


@pytest.mark.parametrize(
    ("line", "snapshot", "lines"),
    [
        ("f", CHOOSING, ("f8", "f3 f5", "front-8", "front-3 front-5")),
        ("f3", CHOOSING, ("f3 f5",)),
        ("front-3 ", CHOOSING, ("front-3 front-5",)),
        ("d", LIKELY, ("d 6 3", "d 5 4")),
        ("k", DIFFERING, ("keep",)),
        ("k", HALTED, ()),
        ("i", HALTED, ("info",)),
        ("i", MOVING, ()),
        ("p", MOVING, ("pause",)),
    ],
)
def test_a_line_is_completed_with_what_can_be_done_now(line: str, snapshot: Snapshot, lines: tuple[str, ...]) -> None:
    assert complete_line(line, snapshot) == lines


def test_every_line_that_completes_another_means_something() -> None:
    for snapshot in (CHOOSING, LIKELY, HALTED, DIFFERING, LOST):
        for line in complete_line("", snapshot):
            if line not in ("hint", "board", "info", "stand", "quit", "new") and not line.startswith("sit"):
                command_for(line, snapshot)


def test_tiles_that_the_box_does_not_see_are_taken_back_by_two_words() -> None:
    seen = replace(THROWING, actions=(Action("undo", "take it back", ("Ann",), vouched=("front-8",)),))
    with pytest.raises(NotUnderstood, match="does not see front-8 move back"):
        command_for("u", seen)
    assert command_for("u yes", seen) == Undo(vouched=True)


@pytest.mark.parametrize("line", ["yes", "help me", "e"])
def test_words_that_are_no_tiles_are_not_taken_for_some(line: str) -> None:
    with pytest.raises(NotUnderstood, match="is not possible now"):
        command_for(line, CHOOSING)


def test_while_dice_are_read_a_number_waits() -> None:
    with pytest.raises(NotUnderstood, match="being read"):
        command_for("1", replace(THROWING, reading=True))


def test_i_tells_of_a_disk_that_takes_nothing() -> None:
    full = compose("error", code="J-104", cause="the disk is full; make room on it")
    wrong = Message("error", "no such tile", {"code": "R-102"}, "help")
    seen = replace(CHOOSING, messages=(wrong, full))
    assert repair_hint(seen) == ("J-104: the disk is full; make room on it",)


def test_a_number_that_names_a_move_and_another_tile_is_asked_about() -> None:
    tiles = tuple(TileView(f"front-{each}", 1, each, str(each), "showing") for each in range(1, 10))
    thai = replace(CHOOSING, game="thai", tiles=tiles, moves=(("front-2",), ("front-3",), ("front-5",)))
    with pytest.raises(NotUnderstood, match=r"3 is the number of a move and of a tile\. Type f3 for the tile, or f5"):
        command_for("3", thai)
    assert command_for("f5", thai) == Choose(("front-5",))
    assert command_for("1", thai) == Choose(("front-2",))
    assert command_for("2", replace(thai, moves=(("front-1",), ("front-2",)))) == Choose(("front-2",))


def test_in_a_race_of_single_throws_a_hint_is_about_winning_it(tmp_path: Path) -> None:
    seats = (SeatView("Ann", None, plays=True), SeatView("Bob", None, plays=True), SeatView("Cleo", None, plays=False))
    race = replace(THROWING, game="lucky-7", board=". . . . . . 7 . .", options={"race": "rotation"}, seats=seats)
    book = OddsBook(tmp_path)
    answer = book.answer(question_about(race))
    assert (answer["aim"], answer["value"]) == ("win", pytest.approx(6 / 11))
    assert "the player whose turn it is wins 54.5 % of such races" in str(
        draw_answer(answer, question_about(race), book)
    )
    assert question_about(replace(race, seats=seats[:1])).aim is None
    assert question_about(replace(race, options={"race": "turn"})).aim is None


def test_no_hint_is_asked_for_where_nobody_is_told_the_odds() -> None:
    with pytest.raises(NotUnderstood, match="Nobody sees the odds"):
        question_about(replace(THROWING, game="pub", phase="awaiting_throw", hints=False))
