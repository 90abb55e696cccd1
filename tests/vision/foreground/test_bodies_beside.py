"""What has the size of a die beside another is told, be it its shadow or not; what is smaller or farther is not."""

import numpy as np
import pytest

from vision.field.view import MARGIN_MM
from vision.foreground.background import Foreground
from vision.foreground.bodies import find_bodies_beside
from vision.foreground.survey import Survey

DIE = np.array([(100, 80), (116, 80), (116, 96), (100, 96)], np.float64)


def survey(left_mm: int, side_mm: int) -> Survey:
    """Cloth with a tinted square that lies so far to the right."""
    none, shade = (np.zeros((240, 320), np.uint8) for _ in range(2))
    left, top = round(MARGIN_MM + left_mm), round(MARGIN_MM + 81)
    shade[top : top + side_mm, left : left + side_mm] = 1
    pixels = np.full((240, 320, 3), 120, np.uint8)
    return Survey(pixels, Foreground(none, none, shade), none, none, none, np.ones_like(none), none, none)


def test_what_is_as_large_as_a_die_beside_one_is_told() -> None:
    places = find_bodies_beside(survey(118, 14), [DIE])
    assert places == pytest.approx(np.array([(125.0, 88.0)]), abs=2.0)


@pytest.mark.parametrize(("left_mm", "side_mm"), [(118, 7), (136, 14)], ids=["too small", "too far"])
def test_what_is_smaller_or_does_not_touch_is_not(left_mm: int, side_mm: int) -> None:
    assert len(find_bodies_beside(survey(left_mm, side_mm), [DIE])) == 0


def test_no_die_has_a_body_beside_it() -> None:
    assert len(find_bodies_beside(survey(118, 14), [])) == 0
