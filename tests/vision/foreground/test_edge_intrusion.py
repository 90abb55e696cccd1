"""Whether something lies across the edge of the baize, told by the step there from cloth to wood."""

import numpy as np
import pytest

from tests.support.stage import BOX, camera
from vision.capture.frame import Pixels
from vision.field.field import locate_field
from vision.field.view import MARGIN_MM, View, view_of
from vision.foreground.background import Foreground
from vision.foreground.survey import Survey
from vision.foreground.things import find_intrusions

CLOTH, WOOD, SHINE, SKIN = (60, 190, 200), (60, 90, 135), (165, 190, 225), (150, 170, 220)
SHAPE = (round(BOX.field.depth_mm + 2 * MARGIN_MM), round(BOX.field.width_mm + 2 * MARGIN_MM))
EDGE = int(MARGIN_MM)


@pytest.fixture(scope="module")
def view() -> View:
    pixels = camera([], 4).capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    return view_of(pixels, field, BOX.die_mm)


def table() -> Pixels:
    """The baize and the wood about it from above, one pixel a millimetre."""
    pixels = np.full((*SHAPE, 3), WOOD, np.uint8)
    pixels[EDGE:-EDGE, EDGE:-EDGE] = CLOTH
    return pixels


def seen(pixels: Pixels) -> Survey:
    none = np.zeros(SHAPE, np.uint8)
    return Survey(pixels, Foreground(none, none, none), none, np.ones_like(none), none, none)


def test_a_plain_table_has_nothing_across_its_edge(view: View) -> None:
    assert find_intrusions(view, seen(table()), []) == []


def test_a_hand_across_the_far_edge_is_noticed(view: View) -> None:
    pixels = table()
    pixels[: EDGE + 40, 100:140] = SKIN
    (thing,) = find_intrusions(view, seen(pixels), [])
    assert thing.from_outside
    assert thing.area_mm2 == pytest.approx(40**2, rel=0.3)


def test_a_hand_that_looks_like_the_cloth_is_noticed_by_the_wood_that_it_hides(view: View) -> None:
    pixels = table()
    pixels[:EDGE, 100:140] = CLOTH
    assert len(find_intrusions(view, seen(pixels), [])) == 1


def test_what_is_light_upon_the_wood_alone_is_noticed_too_for_it_may_be_a_die(view: View) -> None:
    pixels = table()
    pixels[:EDGE, 100:140] = SHINE
    assert len(find_intrusions(view, seen(pixels), [])) == 1


def test_a_hand_over_most_of_a_side_is_noticed_by_the_rest_of_it(view: View) -> None:
    pixels = table()
    pixels[60:, : EDGE + 40] = SKIN
    assert [thing.from_outside for thing in find_intrusions(view, seen(pixels), [])] == [True, True]


def test_a_side_along_which_cloth_and_wood_are_alike_is_not_hidden(view: View) -> None:
    pixels = table()
    pixels[:, :EDGE] = CLOTH
    assert find_intrusions(view, seen(pixels), []) == []
