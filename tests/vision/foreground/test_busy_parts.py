"""Where a picture shows anything: rectangles about what differs, none over another, all of a picture full of it."""

import numpy as np
import pytest

from vision.capture.frame import Pixels
from vision.reader.scales import Part, busy_parts, parts_about


def table(*squares: tuple[int, int], noise: float = 1.0, level: int = 90) -> Pixels:
    """A grey table with squares of 30 px at these places."""
    pixels = np.random.default_rng(1).normal(150, noise, (480, 640, 3))
    for x, y in squares:
        pixels[y : y + 30, x : x + 30] = level
    return np.asarray(np.clip(pixels, 0, 255), np.uint8)


def holds(part: Part, x: int, y: int, margin: int) -> bool:
    left, top, right, bottom = part
    return left <= x - margin and top <= y - margin and right >= x + 30 + margin and bottom >= y + 30 + margin


def test_each_thing_has_a_part_with_room_about_it() -> None:
    parts = busy_parts(table((100, 100), (450, 300)), 32)
    assert len(parts) == 2
    assert any(holds(part, 100, 100, 28) for part in parts)
    assert any(holds(part, 450, 300, 28) for part in parts)


def test_what_lies_close_together_has_one_part() -> None:
    (part,) = busy_parts(table((100, 100), (150, 140)), 32)
    assert holds(part, 100, 100, 28)
    assert holds(part, 150, 140, 28)


@pytest.mark.parametrize(("level", "seen"), [(147, 0), (130, 1)])
def test_on_a_plain_table_nothing_is_busy_but_what_differs_a_little(level: int, seen: int) -> None:
    assert len(busy_parts(table((300, 200), level=level), 32)) == seen


def test_a_picture_full_of_marks_is_one_part() -> None:
    assert busy_parts(table(noise=60), 32) == [(0, 0, 640, 480)]


def test_parts_about_places_stay_within_the_picture_and_never_overlap() -> None:
    parts = parts_about(np.array([[5.0, 5.0], [300.0, 200.0], [330.0, 240.0], [636.0, 470.0]]), (640, 480), 40)
    assert len(parts) == 3
    assert all(0 <= left < right <= 640 and 0 <= top < bottom <= 480 for left, top, right, bottom in parts)
    assert parts_about(np.zeros((0, 2)), (640, 480), 40) == []
