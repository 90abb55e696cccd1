"""The board as a terminal draws it: every tile as wide in every state, and told apart without colours."""

import io
from dataclasses import replace

import pytest
from rich.console import Console, RenderableType

from controller.cli.play.drawing import draw_board, draw_hint, draw_moves, draw_table
from controller.game.table.snapshot import Snapshot, TileView
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import rules_of
from hardware.errors import Fault
from hardware.tiles import Position

TWO_LEVEL = rules_of("two-level")


def printed(what: RenderableType, width: int = 80) -> list[str]:
    screen = io.StringIO()
    Console(file=screen, width=width, no_color=True).print(what)
    return [line.rstrip() for line in screen.getvalue().splitlines()]


def drawn(board: Board, width: int = 80) -> list[str]:
    return printed(draw_board(board, width), width)


def test_what_shows_is_hidden_or_lies_differs_without_colours() -> None:
    board = TWO_LEVEL.board("1 . 3 . . 6 7 8 ./9 . 7 6 . 4 3 2 .")
    assert [line.rstrip() for line in drawn(board)] == [
        "  back (9) _8_ (7) [6] _5_ (4) (3) (2) _1_",
        " front [1] _2_ [3] _4_ _5_ [6] [7] [8] _9_",
    ]


@pytest.mark.parametrize(
    "text", [str(TWO_LEVEL.start()), ". . . . . . . . ./9 . 7 6 . 4 3 2 .", "/".join([". " * 9] * 2)]
)
def test_a_board_never_changes_its_width(text: str) -> None:
    board = TWO_LEVEL.board(text.replace(" /", "/").strip())
    assert {len(line.rstrip()) for line in drawn(board)} == {42}


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("game", ["the-300", "dominoes", "2012", "two-level"])
def test_wide_boxes_fit_the_terminal_with_every_mark(game: str, width: int) -> None:
    board = rules_of(game).start()
    lines = drawn(board, width)
    assert max(map(len, lines)) <= width
    shown = "".join(lines).replace(" ", "")
    assert all(f"[{tile.mark}]" in shown for tile in board.showing)


def test_six_rows_stand_one_behind_the_other() -> None:
    names = [line.split()[0] for line in drawn(rules_of("two-level", {"rows": 6}).start())]
    assert names == ["row6", "row5", "row4", "row3", "back", "front"]


def test_moves_are_told_row_by_row_and_dominoes_by_their_pips() -> None:
    moves = (("front-1", "front-3", "back-8"), ("row3-2",), ("2-5",), ("1-6", "3-4"))
    lines = printed(draw_moves(Snapshot(1, "box", "", moves=moves, moves_count=4)))
    assert [line.split("  ", 4)[-1].strip() for line in lines] == ["front 1 3, back 8", "row3 2", "2-5", "1-6 3-4"]


def test_a_hint_is_broken_between_the_things_that_can_be_typed() -> None:
    hint = ("Enter: take the only move", "dice read wrong? type d and what they show, such as d 5 3", "?: help")
    assert printed(draw_hint(hint, 60), 60) == [
        "  Enter: take the only move;",
        "  dice read wrong? type d and what they show, such as d 5 3;",
        "  ?: help",
    ]
    assert printed(draw_hint(hint, one_by_one=True)) == [f"  {each}" for each in hint]


def test_in_a_halt_every_tile_that_was_seen_elsewhere_is_marked() -> None:
    fault = Fault("H-202", "0x40", "an answer", "none", "Check it.")
    tiles = (
        TileView("front-1", 1, 1, "1", "shut", seen=Position.OPEN),
        TileView("front-2", 1, 2, "2", "shut", seen=Position.OPEN, believed=True),
        TileView("front-3", 1, 3, "3", "showing", seen=Position.OPEN),
    )
    snapshot = Snapshot(1, "box", "", phase="halted", game="pub", board=". . 3 4 5 6 7 8 9", tiles=tiles, fault=fault)
    assert printed(draw_table(snapshot))[0] == " front !1! _2_ [3] [4] [5] [6] [7] [8] [9]"


@pytest.mark.parametrize(("number", "told"), [(1, "Round 1 of 2. "), (2, "Round 2 of 2. "), (3, "Round 3. ")])
def test_rounds_are_counted_up_to_those_that_were_agreed_on(number: int, told: str) -> None:
    snapshot = Snapshot(1, "box", "", game="pub", board="1 2 3 4 5 6 7 8 9", match="points", round=number)
    snapshot = replace(snapshot, options={"rounds": 2}, standing={"Ann": 1}, scores={"Ann": None})
    assert printed(draw_table(snapshot))[-1].strip() == f"{told}Rounds won: Ann 1"
