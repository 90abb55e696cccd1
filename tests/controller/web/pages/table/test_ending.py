"""The end of a game: by how much it was won, and how the box was left."""

from dataclasses import replace

import pytest

from controller.game.core.commands import Abandon
from controller.game.core.sight import SnapshotContext
from controller.game.table.snapshot import SeatView, Snapshot, snapshot_of
from controller.messages.words import words_in
from controller.web.pages.table.ending import ending_of
from tests.controller.game.shutbox.test_actions import CHOOSING, WAITING
from tests.support.stories import play, with_board

AT_REST = SnapshotContext(1, 1, "two-level-9")
BOARD = with_board(WAITING, ". . . . . . 7 . ./. . . . . . 3 . 1")
ENDED = replace(snapshot_of(BOARD, AT_REST), phase="ended", turn="Bob", winners=("Ann",), scores={"Ann": 12, "Bob": 20})
ENGLISH = words_in("en")


def result_of(snapshot: Snapshot) -> str:
    ending = ending_of(snapshot, ENGLISH)
    assert ending is not None
    return ending.title


@pytest.mark.parametrize(
    ("changes", "title"),
    [
        ({}, "Ann wins by 8 points."),
        ({"scores": {"Ann": 12, "Bob": 13}}, "Ann wins by 1 point."),
        ({"scores": {"Ann": 12, "Bob": 12}}, "Ann has won."),
        ({"scores": {"Ann": 0, "Bob": None}}, "Ann has won."),
        ({"winners": ("Ann", "Bob")}, "A draw for Ann and Bob."),
        ({"winners": ()}, "Nobody has won."),
        ({"match": "tournament", "standing": {"Ann": 60, "Bob": 91}}, "Ann wins by 31 points."),
        ({"match": "points", "standing": {"Ann": 3, "Bob": 1}}, "Ann is 2 rounds ahead."),
        ({"match": "drop-out", "standing": {"Ann": 30, "Bob": 46}}, "Ann has won."),
        ({"seats": (SeatView("Ann", None, plays=True),)}, "Well played, Ann."),
    ],
)
def test_by_how_much_a_game_was_won_is_told(changes: dict[str, object], title: str) -> None:
    assert result_of(replace(ENDED, **changes)) == title  # type: ignore[arg-type]


def test_it_is_told_who_left_the_box_so_that_is_drawn() -> None:
    left, shut = (ending_of(each, ENGLISH) for each in (ENDED, replace(ENDED, tiles=())))
    assert left is not None
    assert shut is not None
    assert (left.left, shut.left) == (
        "The box as Bob left it, open: 7 and the 1 behind.",
        "The box as Bob left it: shut.",
    )


def test_there_is_no_end_before_it_nor_of_a_game_that_was_given_up() -> None:
    for game in (CHOOSING, play(CHOOSING, Abandon())):
        assert ending_of(snapshot_of(game, AT_REST), ENGLISH) is None
