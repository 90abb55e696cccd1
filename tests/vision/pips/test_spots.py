"""Spots that may be pips: found where they stand out, and in a bounded number where everything is full of them."""

import cv2
import numpy as np

from vision.capture.frame import Pixels
from vision.pips.spots import find_spots

RADII, WINDOWS, CONTRASTS = (3.0, 8.0), (31,), (9, 32)


def dotted(strong: int, size: int = 800) -> Pixels:
    """A grey table with so many strong dots in rows, and a faint one in the lower right corner."""
    picture = np.full((size, size, 3), 128, np.uint8)
    for index in range(strong):
        row, column = divmod(index, 24)
        cv2.circle(picture, (40 + 30 * column, 40 + 30 * row), 5, (40, 40, 40), -1, cv2.LINE_AA)
    cv2.circle(picture, (size - 30, size - 30), 5, (108, 108, 108), -1, cv2.LINE_AA)
    return picture


def test_strong_and_faint_spots_are_found_with_place_and_size() -> None:
    found = find_spots(dotted(6), RADII, WINDOWS, CONTRASTS)
    assert len(found) == 7
    faint = found.strength.argmin()
    assert np.allclose(found.at[faint], (770, 770), atol=0.5)
    assert 4 < found.radius[faint] < 6.5
    assert not found.light.any()


def test_among_very_many_strong_spots_faint_ones_are_not_looked_for() -> None:
    found = find_spots(dotted(24 * 20), RADII, WINDOWS, CONTRASTS)
    assert len(found) == 24 * 20
    assert found.strength.min() > 40


def test_a_red_spot_on_blue_is_as_strong_as_either_colour_where_every_colour_is_looked_at() -> None:
    picture = np.full((120, 120, 3), (150, 40, 30), np.uint8)
    cv2.circle(picture, (60, 60), 5, (30, 40, 150), -1, cv2.LINE_AA)
    plain, every = (find_spots(picture, RADII, WINDOWS, CONTRASTS, every_colour=colours) for colours in (False, True))
    assert every.strength.max() > 80
    assert plain.strength.max(initial=0) < 60
