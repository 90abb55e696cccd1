"""What lies on the baize and what reaches in, told by its average colour alone."""

import numpy as np
import pytest

from tests.support.stage import BOX
from vision.capture.frame import Pixels
from vision.field.view import MARGIN_MM
from vision.foreground.background import Foreground
from vision.foreground.survey import Survey
from vision.foreground.things import find_off_colour

CLOTH, BROWN = np.array((60, 95, 130)), np.array((70, 90, 125))
SHAPE = (round(BOX.field.depth_mm + 2 * MARGIN_MM), round(BOX.field.width_mm + 2 * MARGIN_MM))
EDGE = int(MARGIN_MM)
BAIZE = (slice(EDGE, -EDGE), slice(EDGE, -EDGE))
WEAVE = 14.0  # levels


def baize(colour: np.ndarray) -> Pixels:
    """Coarse cloth from above, a pixel a millimetre: any pixel of it may have the colour of BROWN."""
    grain = np.random.default_rng(5).normal(0, WEAVE, (*SHAPE, 3))
    return np.clip(colour + grain, 0, 255).astype(np.uint8)


def seen(pixels: Pixels) -> Survey:
    none, inside = np.zeros(SHAPE, np.uint8), np.zeros(SHAPE, np.uint8)
    inside[BAIZE] = 1
    return Survey(pixels, Foreground(none, none, none), none, inside, none, none)


def laid(pixels: Pixels, upon: Pixels, rows: slice, columns: slice) -> Pixels:
    both = pixels.copy()
    both[rows, columns] = upon[rows, columns]
    return both


def square(corner: tuple[float, float]) -> np.ndarray:
    """The outline of a die of 16 mm (mm)."""
    return np.array(corner) + 16.0 * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])


FINGERS = slice(100, 160), slice(0, EDGE + 60)


def test_a_hand_of_nearly_the_colour_of_the_cloth_is_noticed() -> None:
    (hand,) = find_off_colour(seen(laid(baize(CLOTH), baize(BROWN), *FINGERS)), [])
    assert hand.from_outside
    assert hand.area_mm2 == pytest.approx(60 * 60, rel=0.3)
    assert hand.middle == pytest.approx((4 * (EDGE + 30), 4 * 130), abs=20)


@pytest.mark.parametrize("shade", [0.5, 1.6])
def test_shadow_and_light_that_reach_in_are_none(shade: float) -> None:
    assert find_off_colour(seen(laid(baize(CLOTH), baize(shade * CLOTH), *FINGERS)), []) == []


def test_plain_cloth_holds_nothing() -> None:
    assert find_off_colour(seen(baize(CLOTH)), []) == []


@pytest.mark.parametrize("die", [None, (150.0, 60.0)], ids=["alone", "with a die elsewhere"])
def test_a_coin_of_nearly_the_colour_of_the_cloth_is_noticed(die: tuple[float, float] | None) -> None:
    coin = slice(100, 122), slice(120, 142)
    (thing,) = find_off_colour(seen(laid(baize(CLOTH), baize(BROWN), *coin)), [] if die is None else [square(die)])
    assert not thing.from_outside
    assert thing.middle == pytest.approx((4 * 131, 4 * 111), abs=12)


def test_what_begins_beside_a_die_may_be_its_tinted_shadow() -> None:
    shadow = slice(100, 122), slice(120, 142)
    beside = square((142.0 - EDGE, 100.0 - EDGE))
    assert find_off_colour(seen(laid(baize(CLOTH), baize(BROWN), *shadow)), [beside]) == []


def test_the_shadow_of_a_wall_tinted_by_its_wood_is_no_hand() -> None:
    along = slice(0, SHAPE[0]), slice(0, EDGE + 22)
    assert find_off_colour(seen(laid(baize(CLOTH), baize(0.6 * BROWN), *along)), []) == []


def test_dice_that_were_read_are_no_hand() -> None:
    die = np.array([(-5.0, 60.0), (50.0, 60.0), (50.0, 115.0), (-5.0, 115.0)])
    rows, columns = slice(EDGE + 60, EDGE + 115), slice(EDGE, EDGE + 50)
    survey = seen(laid(baize(CLOTH), baize(BROWN), rows, columns))
    assert len(find_off_colour(survey, [])) == 1
    assert find_off_colour(survey, [die]) == []


def test_without_baize_nothing_reaches_in() -> None:
    survey = seen(baize(CLOTH))
    survey.inside[:] = 0
    assert find_off_colour(survey, []) == []


@pytest.mark.parametrize(("off", "count"), [(0.039, 0), (0.055, 1)])
def test_what_packing_does_to_half_a_cloth_is_none_and_a_little_more_is_a_thing(off: float, count: int) -> None:
    grey, across = np.array((150.0, 150.0, 150.0)), np.array((1.0, 0.0, -1.0)) / np.sqrt(2)
    tinted = grey + off * (np.linalg.norm(grey) + 20) * across
    pixels = np.broadcast_to(grey, (*SHAPE, 3)).round().astype(np.uint8)
    pixels[:, : SHAPE[1] // 3] = tinted.round().astype(np.uint8)
    assert len(find_off_colour(seen(pixels), [])) == count
