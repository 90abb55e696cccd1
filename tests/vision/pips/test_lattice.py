"""Faces are known by their lattice where no spot is round: all values, turned, and with pips that run together."""

import math

import cv2
import numpy as np

from tests.support.together import together
from vision.capture.frame import Pixels
from vision.pips.lattice import read_pips
from vision.pips.patch import pips_of

EDGE, MIDDLE = 48.0, np.array([80.0, 76.0])


def face(value: int, turn_deg: float, *, close: float = 1.0, blur: float = 1.5) -> Pixels:
    """A light face with dark pips on a dark table; `close` brings the pips of the rows of a 6 nearer to each other."""
    turn = math.radians(turn_deg)
    across = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    pixels = np.full((152, 160, 3), 60, np.uint8)
    square = MIDDLE + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ across * EDGE / 2
    cv2.fillConvexPoly(pixels, np.round(square * 16).astype(np.int32), (190, 200, 205), cv2.LINE_AA, 4)
    for pip in np.array(pips_of(value, (close, 1.0))) @ across * EDGE * 0.25 + MIDDLE:
        at = (round(pip[0] * 16), round(pip[1] * 16))
        cv2.circle(pixels, at, round(0.09 * EDGE * 16), (40, 40, 45), -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), blur), np.uint8)


@together("value", range(1, 7))
@together("turn_deg", [0.0, 20.0, 65.0])
def test_pips_are_read_in_their_place_however_the_die_is_turned(value: int, turn_deg: float) -> None:
    found = read_pips(face(value, turn_deg), MIDDLE + np.array([5.1, -1.7]), EDGE)
    assert found is not None
    assert found.value == value
    assert np.linalg.norm(found.middle - MIDDLE) < 1.2
    same = math.pi / (2 if value in (4, 5) else 1)
    off = (found.turn_rad - math.radians(turn_deg) + same / 2) % same - same / 2
    assert value == 1 or abs(off) < math.radians(3.0)


@together("value", range(1, 7))
@together("edge_px", [36.0, 60.0])
def test_small_and_large_dice_are_read(value: int, edge_px: float) -> None:
    picture = cv2.warpAffine(
        face(value, 20.0), np.array([[edge_px / EDGE, 0, 0], [0, edge_px / EDGE, 0]]), (240, 240), borderValue=(60,) * 3
    )
    found = read_pips(np.asarray(picture, np.uint8), MIDDLE * edge_px / EDGE, EDGE)
    assert found is not None
    assert found.value == value


def test_pips_that_run_together_are_a_6_by_their_rows() -> None:
    found = read_pips(face(6, 30.0, close=0.6, blur=2.5), MIDDLE, EDGE)
    assert found is not None
    assert found.value == 6


def test_what_has_no_pips_is_no_face() -> None:
    noise = np.random.default_rng(1).normal(120, 20, (152, 160, 3)).astype(np.uint8)
    assert read_pips(np.asarray(cv2.GaussianBlur(noise, (0, 0), 2.0), np.uint8), MIDDLE, EDGE) is None
    assert read_pips(np.full((152, 160, 3), 120, np.uint8), MIDDLE, EDGE) is None


@together("value", range(2, 7))
def test_beside_the_middle_of_a_face_no_other_value_is_read(value: int) -> None:
    """Two pips of a 4 make a 2: where the whole face is seen, too, the larger value counts."""
    for turn in np.arange(8) * math.pi / 4:
        place = MIDDLE + 6.0 * np.array([math.cos(turn), math.sin(turn)])
        found = read_pips(face(value, 20.0), place, EDGE)
        assert found is None or found.value == value
