"""A lamp in the middle of a face may hide a pip, or look like one."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.capture.frame import Pixels
from vision.pips.face import Face
from vision.pips.flaws import is_washed_out
from vision.pips.patch import pips_of

MIDDLE, EDGE, PIP_PX, CORNER = np.array([60.0, 60.0]), 64.0, 6.0, np.array([500.0, 300.0])
WHITE_BODY, DARK_BODY = (200, 205, 210), (40, 30, 90)


def face(value: int, body: Sequence[int], pip: Sequence[int]) -> tuple[Pixels, Face]:
    pixels = np.full((120, 120, 3), body, np.uint8)
    places = MIDDLE + 0.25 * EDGE * np.array(pips_of(value))
    for x, y in places:
        cv2.circle(pixels, (round(x), round(y)), round(PIP_PX), list(pip), -1, cv2.LINE_AA)
    colours = np.array(body, np.float64), np.array(pip, np.float64)
    return pixels, Face(value, MIDDLE + CORNER, 0.0, EDGE, PIP_PX, *colours, places + CORNER, 0.9)


def lit(pixels: Pixels, reach_px: float) -> Pixels:
    """The same with a lamp in the middle."""
    x, y = np.meshgrid(*(np.arange(120) - part for part in MIDDLE))
    light = 400 * np.exp(-(x**2 + y**2) / (2 * reach_px**2))
    return np.asarray(np.clip(pixels + light[:, :, None], 0, 255), np.uint8)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize(("body", "pip"), [(WHITE_BODY, (30, 30, 30)), (DARK_BODY, (225, 230, 235))])
def test_a_plain_face_is_not_washed_out(value: int, body: Sequence[int], pip: Sequence[int]) -> None:
    assert not is_washed_out(*face(value, body, pip), CORNER)


@pytest.mark.parametrize("value", [2, 4])
@pytest.mark.parametrize(("body", "pip"), [(WHITE_BODY, (30, 30, 30)), (DARK_BODY, (225, 230, 235))])
def test_a_lamp_in_the_middle_of_a_2_or_4_may_hide_a_pip(value: int, body: Sequence[int], pip: Sequence[int]) -> None:
    pixels, found = face(value, body, pip)
    assert is_washed_out(lit(pixels, 5.0), found, CORNER)


@pytest.mark.parametrize("value", [3, 5])
def test_a_light_middle_pip_that_outshines_the_others_may_be_the_lamp(value: int) -> None:
    pixels, found = face(value, DARK_BODY, (150, 160, 200))
    assert is_washed_out(lit(pixels, 5.0), found, CORNER)


def test_a_spot_on_the_dark_middle_pip_of_a_5_changes_no_value() -> None:
    pixels, found = face(5, WHITE_BODY, (30, 30, 30))
    assert not is_washed_out(lit(pixels, 2.0), found, CORNER)


def test_an_overexposed_body_with_dark_pips_is_no_lamp() -> None:
    assert not is_washed_out(*face(4, (254, 254, 255), (60, 60, 60)), CORNER)


def test_where_the_light_reaches_the_pips_it_is_one() -> None:
    assert is_washed_out(*face(4, (254, 254, 255), (110, 110, 110)), CORNER)


@pytest.mark.parametrize("value", [1, 6])
def test_a_1_and_a_6_differ_from_no_value_by_a_pip_in_the_middle(value: int) -> None:
    pixels, found = face(value, WHITE_BODY, (30, 30, 30))
    assert not is_washed_out(lit(pixels, 5.0), found, CORNER)
