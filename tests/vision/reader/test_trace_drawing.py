"""What a reading saw, drawn for people."""

import numpy as np
import pytest

from tests.support.stage import BOX, camera, die
from vision.capture.frame import Pixels
from vision.field.field import locate_field
from vision.field.view import view_of
from vision.network.network import NOT_FLAT
from vision.pips.face import Face
from vision.reader.claims import Claim
from vision.reader.dice import Die, Found
from vision.reader.trace import Stage, Trace, sheet_of, show_cloth, show_faces, show_field, stage

GREY: Pixels = np.full((200, 300, 3), 90, np.uint8)


def two(x: float, y: float, edge_px: float) -> Die:
    middle = np.array([x, y])
    colour = np.zeros(3)
    face = Face(
        2, middle, 0.0, edge_px, 6.0, colour, colour, middle + np.array([(-0.25, -0.25), (0.25, 0.25)]) * edge_px, 0.9
    )
    chances = np.eye(NOT_FLAT + 1, dtype=np.float32)[2]
    return Die(face, chances, 0.0, 0.0, 0.0, False)


def is_drawn(trace: Trace, name: str, place: tuple[int, int]) -> bool:
    """Whether something of a colour that a grey picture has not lies near a place."""
    x, y = place
    near = trace.pictures[name][max(0, y - 4) : y + 5, max(0, x - 4) : x + 5].astype(int)
    return bool((near.max(axis=2) - near.min(axis=2) > 60).any())


def test_the_stages_are_drawn_where_things_lie() -> None:
    trace = Trace()
    unread = Claim(np.array([250.0, 50.0]), 0.9, np.eye(NOT_FLAT + 1, dtype=np.float32)[3])
    show_faces(trace, GREY, Found((two(115, 115, 80),), (unread,), ()))
    assert is_drawn(trace, "pips", (101, 95))
    assert is_drawn(trace, "pips", (276, 50))
    assert is_drawn(trace, "faces", (75, 115))
    assert not is_drawn(trace, "faces", (256, 50))
    odd = np.zeros((100, 150), np.uint8)
    odd[20:30, 40:50] = 1
    show_cloth(trace, GREY, {"other colour": odd})
    assert is_drawn(trace, "no cloth", (90, 50))
    assert not is_drawn(trace, "no cloth", (200, 150))


def test_markers_and_the_outline_of_the_field_are_drawn_over_the_picture_and_dice_over_the_view() -> None:
    pixels = camera([die(4, 140, 100)]).capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    trace = Trace()
    show_field(trace, pixels, field)
    changed = np.abs(trace.pictures["picture"].astype(int) - pixels).max(axis=2) > 40
    for corners in field.markers.values():
        x, y = corners[0].astype(int)
        assert changed[y - 2 : y + 3, x - 2 : x + 3].any()
    view = view_of(pixels, field, BOX.die_mm)
    show_faces(trace, view.cut_out((0.0, 0.0, *view.size)).pixels, Found((), (), ()))
    width, height = (round(4 * (side + 38)) for side in (280, 200))
    assert trace.pictures["faces"].shape == (height, width, 3)


@pytest.mark.parametrize("shape", [(1, 1, 3), (720, 1280, 3), (3, 9000, 3), (2000, 4, 3)])
def test_pictures_of_every_shape_find_room_in_the_sheet(shape: tuple[int, ...]) -> None:
    trace = Trace()
    for number in range(4):
        trace.add(f"stage {number}", np.full(shape, 200, np.uint8))
    trace.tell("say", "One die leans on the wall - größer als " + 60 * "ein Wort ")
    sheet = sheet_of(trace)
    assert sheet.shape[1] == 2424
    assert (sheet == 200).all(axis=2).sum() >= 4


def test_a_caption_alone_is_a_sheet_too() -> None:
    trace = Trace()
    assert sheet_of(trace).shape[0] > 0
    trace.tell("verdict", "refused not_a_picture")
    assert np.max(sheet_of(trace)) > 200


def test_stages_are_timed_where_somebody_looks_and_a_copy_of_the_picture_is_kept() -> None:
    ticks = iter((1.0, 1.5, 2.0, 2.25))
    trace = Trace(stopwatch=lambda: next(ticks))
    for _ in range(2):
        with stage(trace, Stage.FACES), stage(None, Stage.FACES):
            pass
    assert trace.ms == {"faces": 750.0}
    picture = GREY.copy()
    trace.add("one", picture)
    picture[:] = 0
    assert np.min(trace.pictures["one"]) == 90
