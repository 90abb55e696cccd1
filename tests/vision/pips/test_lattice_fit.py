"""Faces are known by their lattice where no spot is round: all values, turned, and with pips that run together."""

import math

import cv2
import numpy as np

from tests.support.together import together
from vision.capture.frame import Pixels
from vision.pips.lattice_fit import fit_lattice
from vision.pips.patch import patterns

EDGE, MIDDLE = 48.0, np.array([80.0, 76.0])
TRIES = (40.0, 48.0, 56.0)


def face(value: int, turn_deg: float, *, close: float = 1.0, blur: float = 1.5) -> Pixels:
    """A light face with dark pips on a dark table; `close` brings the pips of the rows of a 6 nearer to each other."""
    turn = math.radians(turn_deg)
    across = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    pixels = np.full((152, 160, 3), 60, np.uint8)
    square = MIDDLE + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ across * EDGE / 2
    cv2.fillConvexPoly(pixels, np.round(square * 16).astype(np.int32), (190, 200, 205), cv2.LINE_AA, 4)
    for pip in np.array(patterns(value, (close, 1.0))[0].pips) @ across * EDGE * 0.25 + MIDDLE:
        at = (round(pip[0] * 16), round(pip[1] * 16))
        cv2.circle(pixels, at, round(0.09 * EDGE * 16), (40, 40, 45), -1, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), blur), np.uint8)


@together("value", range(1, 7))
@together("turn_deg", [0.0, 20.0, 65.0])
def test_a_face_is_known_by_its_lattice_however_it_is_turned(value: int, turn_deg: float) -> None:
    found = fit_lattice(face(value, turn_deg), MIDDLE + np.array([3.0, -4.0]), TRIES)
    assert found is not None
    assert found[0].value == value
    assert not found[0].light
    assert np.linalg.norm(found[0].middle - MIDDLE) < 3.0


def test_pips_that_run_together_are_a_6_by_their_rows() -> None:
    found = fit_lattice(face(6, 30.0, close=0.6, blur=2.5), MIDDLE, TRIES)
    assert found is not None
    assert found[0].value == 6


def test_what_has_no_lattice_is_no_face() -> None:
    noise = np.random.default_rng(1).normal(120, 20, (152, 160, 3)).astype(np.uint8)
    assert fit_lattice(np.asarray(cv2.GaussianBlur(noise, (0, 0), 2.0), np.uint8), MIDDLE, TRIES) is None
    assert fit_lattice(np.full((152, 160, 3), 120, np.uint8), MIDDLE, TRIES) is None
