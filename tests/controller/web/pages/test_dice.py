"""Dice as they are drawn: where the camera saw them, with faces that a real die has."""

from dataclasses import replace

from controller.game.core.sight import BaizeView, DieView
from controller.game.table.snapshot import Snapshot
from controller.rules.tiles import Marks
from controller.web.pages.scene import draw_dice

BAIZE = BaizeView(280.0, 200.0, 16.0)
SEEN = Snapshot(
    1, "box", "", throw=(2, 6), baize=BAIZE, dice=(DieView(6, 70.0, 150.0, "red"), DieView(2, 280.0, 0.0, "white"))
)


def test_a_die_lies_where_the_camera_saw_it_in_parts_of_the_field() -> None:
    red, white = draw_dice(SEEN)

    assert (red.x, red.y, red.colour, red.face) == (25.0, 75.0, "red", 6)
    assert (white.x, white.y, white.colour, white.face) == (100.0, 0.0, "white", 2)


def test_dice_that_nobody_has_seen_lie_in_a_tidy_row() -> None:
    typed = draw_dice(replace(SEEN, dice=(DieView(6), DieView(2), DieView(1))))

    assert [(die.x, die.y, die.turn) for die in typed] == [(36.0, 50.0, 0), (50.0, 50.0, 0), (64.0, 50.0, 0)]


def test_three_faces_of_a_die_meet_at_a_corner() -> None:
    for face in range(1, 7):
        (die,) = draw_dice(replace(SEEN, dice=(DieView(face),)))
        assert len({min(each, 7 - each) for each in (die.face, die.front, die.side)}) == 3


def test_faces_that_are_no_dots_are_written() -> None:
    (twenty,) = draw_dice(replace(SEEN, sides=20, dice=(DieView(17),)))
    (marked,) = draw_dice(replace(SEEN, marks=Marks(faces=("a", "b", "c", "d", "e", "f")), dice=(DieView(2),)))

    assert (twenty.face, twenty.mark) == (0, "17")
    assert (marked.face, marked.mark) == (0, "b")
