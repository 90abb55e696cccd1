"""Where to look for dice of a taught set, and where nothing but cloth is."""

import numpy as np
import pytest

from vision.capture.arrays import Mask
from vision.custom_dice.regions import find_regions, merge_overlapping
from vision.field.view import PX_PER_MM
from vision.foreground.background import Foreground
from vision.foreground.survey import Survey


def survey(seeds: Mask) -> Survey:
    """Plain cloth with these marks; the baize reaches to 40 pixels from the edge."""
    none, inside = np.zeros(seeds.shape, np.uint8), np.zeros(seeds.shape, np.uint8)
    inside[40:-40, 40:-40] = 1
    pixels = np.zeros((*seeds.shape, 3), np.uint8)
    return Survey(pixels, Foreground(none, none, none), seeds, inside, none, none)


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


def test_boxes_that_overlap_are_made_one() -> None:
    boxes = merge_overlapping([(0.0, 0.0, 10.0, 10.0), (8.0, 0.0, 18.0, 10.0), (40.0, 0.0, 50.0, 10.0)])
    assert sorted(boxes) == [
        (0.0, 0.0, 18.0, 10.0),
        (40.0, 0.0, 50.0, 10.0),
    ]


def test_boxes_along_the_walls_do_not_enclose_the_whole_field() -> None:
    step = 30.0
    places = [(x * step, y * step) for x in range(10) for y in range(10) if x in (0, 9) or y in (0, 9)]
    boxes = merge_overlapping([(x, y, x + 40.0, y + 40.0) for x, y in places])
    assert len(boxes) <= 8
    assert sum((right - left) * (bottom - top) for left, top, right, bottom in boxes) < 0.75 * 310.0**2
    for x, y in places:
        assert any(box[0] <= x and box[1] <= y and x + 40 <= box[2] and y + 40 <= box[3] for box in boxes)
