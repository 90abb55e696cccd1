"""Is something upon a marker?"""

import cv2
import numpy as np
import pytest

from vision.capture.frame import Pixels
from vision.field.markers import is_unoccluded

QUAD = np.array([[40.0, 40.0], [112.0, 40.0], [112.0, 112.0], [40.0, 112.0]])


def table(number: int = 2) -> Pixels:
    picture = np.full((160, 160, 3), (60, 120, 40), np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    picture[30:122, 30:122] = 225
    picture[40:112, 40:112] = 30 + cv2.aruco.generateImageMarker(dictionary, number, 72)[:, :, None] // 255 * 190
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.2), np.uint8)


@pytest.mark.parametrize("number", range(4))
def test_a_marker_in_the_open_is_bare_and_is_no_other(number: int) -> None:
    assert [is_unoccluded(table(number), other, QUAD) for other in range(4)] == [other == number for other in range(4)]


@pytest.mark.parametrize("light", [0.25, 0.6, 1.1])
def test_dim_and_bright_light_do_not_matter(light: float) -> None:
    assert is_unoccluded(np.clip(table() * light, 0, 255).astype(np.uint8), 2, QUAD)


def test_a_place_known_to_half_a_millimetre_will_do() -> None:
    assert is_unoccluded(table(), 2, QUAD + 2.0)


@pytest.mark.parametrize("corner", [(40, 40), (112, 40), (112, 112), (40, 112)])
def test_a_die_on_any_corner_is_noticed(corner: tuple[int, int]) -> None:
    covered = table()
    cv2.circle(covered, corner, 30, (40, 40, 200), -1)
    assert not is_unoccluded(covered, 2, QUAD)


def test_a_plain_place_is_no_marker() -> None:
    assert not is_unoccluded(np.full((160, 160, 3), 90, np.uint8), 2, QUAD)
