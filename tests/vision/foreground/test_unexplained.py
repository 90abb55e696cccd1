"""What is left on the baize beside dice: shadows are explained, and what may be another die is not."""

import numpy as np
import pytest

from vision.field.view import MARGIN_MM
from vision.foreground.background import Foreground
from vision.foreground.survey import Survey
from vision.foreground.unexplained import find_things_on_baize

DIE = np.array([(100, 80), (116, 80), (116, 96), (100, 96)], np.float64)


def survey(pips: tuple[tuple[int, int], ...] = ()) -> Survey:
    """A die on light cloth, what lies dark to its right, and pips in there (mm)."""
    none, dark, seeds = (np.zeros((240, 320), np.uint8) for _ in range(3))
    left, top = (round(MARGIN_MM + part) for part in (118, 82))
    dark[top : top + 14, left : left + 16] = 1
    for x, y in pips:
        column, row = (round(MARGIN_MM + part) for part in (x, y))
        seeds[row - 1 : row + 2, column - 1 : column + 2] = 1
    pixels = np.full((240, 320, 3), 120, np.uint8)
    return Survey(pixels, Foreground(none, dark, none), seeds, np.ones_like(none), none, none)


def test_what_is_dark_and_plain_beside_a_die_is_its_shadow() -> None:
    assert find_things_on_baize(survey(), [DIE]) == []


def test_a_dark_die_with_pips_and_one_that_stands_alone_are_no_shadows() -> None:
    assert len(find_things_on_baize(survey(((126, 86), (126, 92))), [DIE])) == 1
    assert len(find_things_on_baize(survey(), [])) == 1


@pytest.mark.parametrize(("length_mm", "things"), [(50, 0), (80, 1)])
def test_what_begins_at_a_die_and_is_longer_than_its_shadow_is_none(length_mm: int, things: int) -> None:
    seen = survey()
    top, left = round(MARGIN_MM + 82), round(MARGIN_MM + 118)
    seen.foreground.dark[top : top + 14, left : left + length_mm] = 1
    seen.pixels[top : top + 14, left : left + length_mm] = 20
    assert len(find_things_on_baize(seen, [DIE])) == things
