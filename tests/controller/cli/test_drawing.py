"""The board as a terminal draws it: every tile as wide in every state, and told apart without colours."""

import io

import pytest
from rich.console import Console

from controller.cli.drawing import draw_board
from controller.rules import Board, rules_of

TWO_LEVEL = rules_of("two-level")


def drawn(board: Board, width: int = 80) -> list[str]:
    screen = io.StringIO()
    Console(file=screen, width=width, no_color=True).print(draw_board(board, width))
    return screen.getvalue().splitlines()


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
