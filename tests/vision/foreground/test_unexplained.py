"""What is left on the baize beside dice: shadows are explained, and what may be another die is not."""

import numpy as np
import pytest

from vision.field.view import MARGIN_MM
from vision.foreground.background import Foreground
from vision.foreground.bodies import measure_cover
from vision.foreground.shadows import lies_in_shadow
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
    bright, dim = (np.zeros_like(none) for _ in range(2))
    return Survey(pixels, Foreground(none, dark, none), seeds, bright, dim, np.ones_like(none), none, none)


def test_what_is_dark_and_plain_beside_a_die_is_its_shadow() -> None:
    assert lies_in_shadow(survey(), np.array((126.0, 89.0)), [DIE])


@pytest.mark.parametrize("place", [(150.0, 89.0), (126.0, 110.0), (-900.0, 89.0)], ids=str)
def test_beside_the_shadow_there_is_none(place: tuple[float, float]) -> None:
    assert not lies_in_shadow(survey(), np.array(place), [DIE])


def test_a_dark_die_with_pips_and_one_that_stands_alone_are_no_shadows() -> None:
    place = np.array((126.0, 89.0))
    assert not lies_in_shadow(survey(((126, 86), (126, 92))), place, [DIE])
    assert not lies_in_shadow(survey(), place, [])


@pytest.mark.parametrize(("length_mm", "is_shadow"), [(50, True), (80, False)])
def test_what_begins_at_a_die_and_is_longer_than_its_shadow_is_none(length_mm: int, is_shadow: bool) -> None:
    seen = survey()
    top, left = round(MARGIN_MM + 82), round(MARGIN_MM + 118)
    seen.foreground.dark[top : top + 14, left : left + length_mm] = 1
    assert lies_in_shadow(seen, np.array((126.0, 89.0)), [DIE]) is is_shadow


@pytest.mark.parametrize("mask", ["dark", "dim", "bright"])
def test_what_is_no_cloth_darker_or_lighter_covers_some(mask: str) -> None:
    seen = survey()
    body = seen.foreground.dark.copy()
    seen.foreground.dark[:] = 0
    (seen.foreground.dark if mask == "dark" else getattr(seen, mask))[:] = body
    assert measure_cover(seen, np.array([(118, 82), (134, 82), (134, 96), (118, 96)], np.float64)) > 0.8
    assert measure_cover(seen, np.array([(127, 82), (143, 82), (143, 96), (127, 96)], np.float64)) == pytest.approx(
        0.43, abs=0.1
    )
    assert measure_cover(seen, DIE) == 0


def shade_at_wall(right: int, pips: tuple[tuple[int, int], ...] = ()) -> Survey:
    """Tinted shade along the far edge, 20 mm deep, from 100 mm to `right`, and pips in it (mm)."""
    none, shade, seeds, inside = (np.zeros((240, 320), np.uint8) for _ in range(4))
    low = round(MARGIN_MM)
    inside[low:-low, low:-low] = 1
    shade[low : low + 20, low + 100 : low + right] = 1
    for x, y in pips:
        seeds[low + y - 1 : low + y + 2, low + x - 1 : low + x + 2] = 1
    pixels = np.full((240, 320, 3), 120, np.uint8)
    pixels[shade > 0] = (80, 60, 60)
    bright, dim = (np.zeros_like(none) for _ in range(2))
    return Survey(pixels, Foreground(none, none, shade), seeds, bright, dim, inside, none, none)


def test_a_long_and_plain_shade_along_the_edge_is_the_wall_s() -> None:
    assert find_things_on_baize(shade_at_wall(180), []) == []


@pytest.mark.parametrize(("right", "pips"), [(125, ()), (180, ((140, 8), (146, 12)))], ids=["short", "with pips"])
def test_a_shade_at_the_edge_that_is_short_or_bears_pips_is_a_thing(
    right: int, pips: tuple[tuple[int, int], ...]
) -> None:
    assert len(find_things_on_baize(shade_at_wall(right, pips), [])) == 1
