"""What is dim, as thick as a die and apart from those that were read is told; what begins at one is its shadow."""

import numpy as np
import pytest

from vision.field.view import MARGIN_MM
from vision.foreground.background import Foreground
from vision.foreground.bodies import find_dim_bodies, lies_on_dim
from vision.foreground.survey import Survey

DIE = np.array([(100, 80), (116, 80), (116, 96), (100, 96)], np.float64)


def survey(left_mm: int, width_mm: int) -> Survey:
    """Cloth with something dim of a die's depth that lies so far to the right."""
    none, dim = (np.zeros((240, 320), np.uint8) for _ in range(2))
    left, top = round(MARGIN_MM + left_mm), round(MARGIN_MM + 81)
    dim[top : top + 14, left : left + width_mm] = 1
    pixels = np.full((240, 320, 3), 120, np.uint8)
    return Survey(pixels, Foreground(none, none, none), none, none, dim, np.ones_like(none), none, none)


def test_what_is_as_thick_as_a_die_is_told() -> None:
    assert find_dim_bodies(survey(200, 14), [DIE]) == pytest.approx(np.array([(207.0, 88.0)]), abs=2.0)
    assert len(find_dim_bodies(survey(200, 14), [])) == 1


def test_a_slip_of_shadow_is_not() -> None:
    assert len(find_dim_bodies(survey(200, 6), [DIE])) == 0


def test_nor_is_what_begins_at_a_die_the_shadow_of_a_large_one() -> None:
    assert len(find_dim_bodies(survey(120, 14), [DIE])) == 0
    assert len(find_dim_bodies(survey(130, 14), [DIE])) == 1


def test_nor_is_a_die_that_was_read() -> None:
    assert len(find_dim_bodies(survey(101, 14), [DIE])) == 0


def test_the_largest_ones_are_told_where_there_are_many() -> None:
    seen = survey(10, 20)
    for left in range(60, 300, 30):
        seen.dim[100:110, left : left + 10] = 1
    places = find_dim_bodies(seen, [])
    assert len(places) == 4
    assert places[0] == pytest.approx((20.0, 88.0), abs=2.0)


@pytest.mark.parametrize(("place", "dim"), [((207, 88), True), ((180, 88), False), ((-900, 9000), False)])
def test_a_place_on_one_is_dim(place: tuple[int, int], dim: bool) -> None:
    assert lies_on_dim(survey(200, 14), np.array(place, np.float64)) is dim
