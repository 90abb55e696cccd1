"""A lamp's spot in the middle of a dark 2 is no pip, whatever its colour; a pip in the lamp's light is one."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pips.face_check import FaceFit
from vision.pips.flaws import measure_gloss
from vision.pips.patch import Outline

NO_OUTLINE = Outline(0.0, 0.0, 0.0, 1.0)

EDGE, PIP, MIDDLE = 72.0, 7.0, np.array([75.0, 75.0])
PLACES = MIDDLE + np.array([(0.0, 0.0), (-18.0, -18.0), (18.0, 18.0)])
BODY, WHITE, PURPLE = (30.0, 35.0, 30.0), (215.0, 220.0, 220.0), (232.0, 144.0, 173.0)
PLAIN, GLOSSY = 30.0, 80.0  # levels on either side of the limit


def die(pips: NDArray[np.float64], colour: tuple[float, float, float]) -> NDArray[np.float32]:
    pixels = np.full((150, 150, 3), BODY, np.float32)
    for x, y in pips:
        cv2.circle(pixels, (round(x), round(y)), round(PIP), colour, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), 1.2), np.float32)


def lamp(levels: float, width_px: float, at: tuple[float, float] = (75.0, 75.0)) -> NDArray[np.float32]:
    x, y = np.meshgrid(np.arange(150.0), np.arange(150.0))
    spot = levels * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * width_px**2))
    return np.repeat(spot[:, :, None], 3, axis=2).astype(np.float32)


def gloss(drawn: NDArray[np.float32], value: int = 3) -> float:
    pixels = np.clip(drawn, 0, 255).astype(np.uint8)
    body, pip = np.array(BODY), np.array(WHITE)
    numbers = (0, 1, 2)
    face = FaceFit(value, MIDDLE, 0.0, EDGE, PIP, True, body, pip, numbers, PLACES, 1.0, 100.0, 1.0, NO_OUTLINE)
    return measure_gloss(pixels, face)


@pytest.mark.parametrize("colour", [WHITE, PURPLE])
def test_a_pip_like_the_others_is_no_gloss_out_of_the_light_and_in_it(colour: tuple[float, float, float]) -> None:
    three = die(PLACES, colour)
    assert gloss(three) < PLAIN
    assert gloss(three + lamp(25.0, 30.0)) < PLAIN


@pytest.mark.parametrize("colour", [WHITE, PURPLE])
def test_a_spot_that_is_fainter_than_the_pips_is_gloss(colour: tuple[float, float, float]) -> None:
    assert gloss(die(PLACES[1:], colour) + lamp(110.0, 9.0)) > GLOSSY


def test_a_spot_of_another_colour_is_gloss_although_it_is_as_dark_as_the_pips_in_one() -> None:
    grey = PURPLE[1] - BODY[1]
    assert gloss(die(PLACES[1:], PURPLE) + lamp(1.08 * grey, 9.0)) > GLOSSY


def test_a_spot_as_light_as_the_pips_is_gloss_for_it_has_no_rim() -> None:
    assert gloss(die(PLACES[1:], WHITE) + lamp(205.0, 9.0)) > GLOSSY


def test_a_lamp_upon_the_middle_pip_is_gloss() -> None:
    assert gloss(die(PLACES, PURPLE) + lamp(80.0, 12.0)) > 60.0


def test_what_no_pip_in_the_middle_changes_is_no_gloss() -> None:
    assert gloss(die(PLACES[1:], WHITE) + lamp(205.0, 9.0), 6) == 0.0


def light_four(
    middle_level: float | None,
    lamp_levels: float,
    at: tuple[float, float] = (75.0, 75.0),
    spot_px: int = 0,
    body_level: float = 205.0,
) -> float:
    """The gloss on a light die that is taken for a 4, with a dark pip in its middle or without (None), under a lamp, or
    with a spot in which that is mirrored.
    """
    pixels = np.full((150, 150, 3), body_level, np.float32)
    corners = MIDDLE + np.array([(-18.0, -18.0), (18.0, 18.0), (-18.0, 18.0), (18.0, -18.0)])
    for x, y in corners:
        cv2.circle(pixels, (round(x), round(y)), round(PIP), (30.0, 30.0, 30.0), -1, cv2.LINE_AA)
    if middle_level is not None:
        cv2.circle(pixels, (75, 75), round(PIP), (middle_level,) * 3, -1, cv2.LINE_AA)
    if spot_px:
        cv2.circle(pixels, (75, 75), spot_px, (255.0,) * 3, -1, cv2.LINE_AA)
    drawn = np.clip(cv2.GaussianBlur(pixels, (0, 0), 1.2) + lamp(lamp_levels, 12.0, at), 0, 255).astype(np.uint8)
    body, pip = np.full(3, body_level), np.full(3, 30.0)
    numbers = (0, 1, 2, 3)
    face = FaceFit(4, MIDDLE, 0.0, EDGE, PIP, False, body, pip, numbers, corners, 1.0, 100.0, 1.0, NO_OUTLINE)
    return measure_gloss(drawn, face)


@pytest.mark.parametrize("at", [(75.0, 75.0), (71.0, 77.0)])
def test_a_light_that_fades_from_the_middle_of_a_light_die_hides_no_pip(at: tuple[float, float]) -> None:
    assert light_four(None, 47.0, at) == 0.0


def test_a_middle_that_is_washed_out_as_a_whole_may_hide_one() -> None:
    assert light_four(None, 130.0) > 39.5


def test_a_strong_light_may_hide_one_however_it_fades() -> None:
    assert light_four(None, 133.0, body_level=120.0) > 90.0


def test_a_dark_pip_that_shines_has_a_lighter_rim() -> None:
    assert light_four(30.0, 222.0) > 39.5


@pytest.mark.parametrize("spot_px", [5, 6, 8, 9, 10])
def test_a_sharp_spot_on_a_dark_pip_hides_it_be_it_smaller_or_larger(spot_px: int) -> None:
    assert light_four(30.0, 0.0, spot_px=spot_px) > 39.5
