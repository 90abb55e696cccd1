"""A face whose pips have the other sign than its spots is made of rings about pips: no demands let it pass."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pips.face_candidates import Candidate
from vision.pips.face_check import LENIENT, FaceFit, check_face

BODY, UNIT, PIP, EDGES = 110.0, 18.0, 7.0, (44.0, 86.0)
MIDDLE, REACH = np.array([75.0, 75.0]), np.array([UNIT, UNIT])
CORNERS = MIDDLE + UNIT * np.array([(-1, -1), (1, 1), (-1, 1), (1, -1)])
Levels = tuple[float, float, float]  # by which pips are lighter than the body, in blue, green and red
LIGHTER, DARKER = (100.0, 100.0, 100.0), (-100.0, -100.0, -100.0)


def four(contrast: Levels) -> NDArray[np.uint8]:
    pixels = np.full((150, 150, 3), BODY, np.float32)
    for x, y in CORNERS:
        cv2.circle(pixels, (round(x), round(y)), round(PIP), [BODY + part for part in contrast], -1, cv2.LINE_AA)
    return np.asarray(pixels, np.uint8)


def check(contrast: Levels, *, light: bool) -> FaceFit | None:
    spots = (0, 1, 2, 3)
    attempt = Candidate(4, MIDDLE, REACH, UNIT, PIP, light, spots, CORNERS, 1.0, 100.0)
    return check_face(four(contrast), attempt, EDGES, LENIENT)


@pytest.mark.parametrize(("contrast", "light"), [(LIGHTER, True), (DARKER, False)])
def test_pips_of_the_sign_of_their_spots_make_a_face(contrast: Levels, light: bool) -> None:
    face = check(contrast, light=light)
    assert face is not None
    assert face.value == 4


@pytest.mark.parametrize(
    ("contrast", "light"),
    [(LIGHTER, False), (DARKER, True), ((100.0, 24.0, 100.0), False), ((-100.0, -100.0, -24.0), True)],
)
def test_pips_of_the_other_sign_are_rings_about_pips(contrast: Levels, light: bool) -> None:
    assert check(contrast, light=light) is None


@pytest.mark.parametrize(
    ("contrast", "light"),
    [((100.0, -50.0, 100.0), False), ((100.0, 16.0, 100.0), False), ((-100.0, -100.0, -16.0), True)],
)
def test_pips_that_one_colour_shows_as_neither_have_no_sign(contrast: Levels, light: bool) -> None:
    assert check(contrast, light=light) is not None
