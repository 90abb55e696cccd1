"""Where to look for dice on the baize, and where nothing but cloth is."""

import numpy as np
import pytest

from vision.field.view import MARGIN_MM, PX_PER_MM
from vision.foreground.background import Foreground, Mask
from vision.foreground.segment import Survey, find_regions
from vision.foreground.unexplained import has_foreground


def survey(seeds: Mask) -> Survey:
    """Plain cloth with these marks; the baize reaches to 40 pixels from the edge."""
    nothing, inside = np.zeros(seeds.shape, np.uint8), np.zeros(seeds.shape, np.uint8)
    inside[40:-40, 40:-40] = 1
    return Survey(
        np.zeros((*seeds.shape, 3), np.uint8), Foreground(nothing, nothing, nothing), seeds, inside, nothing, nothing
    )


def marks(*boxes: tuple[int, int, int, int]) -> Mask:
    seeds = np.zeros((240, 320), np.uint8)
    for left, top, width, height in boxes:
        seeds[top : top + height, left : left + width] = 1
    return seeds


@pytest.mark.parametrize("line", [(50, 60, 200, 4), (60, 50, 2, 9), (60, 50, 1, 120), (50, 60, 26, 5)])
def test_lines_along_the_walls_are_no_regions(line: tuple[int, int, int, int]) -> None:
    assert find_regions(survey(marks(line))) == []


@pytest.mark.parametrize(
    "mark", [(150, 100, 3, 3), (150, 100, 4, 12), (150, 100, 12, 12), (150, 100, 40, 16), (150, 100, 2, 3)]
)
def test_whatever_may_be_a_pip_or_a_die_is_one_large_enough_for_a_die(mark: tuple[int, int, int, int]) -> None:
    left, top, width, height = mark
    (box,) = find_regions(survey(marks(mark, (50, 60, 200, 2))))
    low, high = np.array(box).reshape(2, 2) / PX_PER_MM
    assert (low < (left, top)).all()
    assert (high > (left + width, top + height)).all()
    assert (high - low >= 28).all()


def test_plain_cloth_shows_nothing_and_beside_the_baize_anything_may_be() -> None:
    seen = survey(marks((150, 100, 3, 3)))
    places = np.array([(151, 101), (155, 104), (170, 101), (151, 150), (20, 100), (400, 100)], np.float64) - MARGIN_MM
    assert has_foreground(seen, places).tolist() == [True, True, False, False, True, True]
