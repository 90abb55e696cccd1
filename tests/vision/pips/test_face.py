"""The square and the colours of a face whose pips are known."""

import math

import cv2
import numpy as np
import pytest

from vision.capture.frame import Pixels
from vision.pips.face import Face, measure_face
from vision.pips.lattice import Lattice
from vision.pips.patch import pips_of

EDGE, MIDDLE, CORNER = 64.0, np.array([80.0, 76.0]), np.array([300.0, 200.0])
TABLE, BODY, PIP = (60, 60, 60), (190, 200, 205), (40, 40, 45)


def face(value: int, *, edge_px: float = EDGE, body: tuple[int, int, int] = BODY) -> Pixels:
    pixels = np.full((152, 160, 3), TABLE, np.uint8)
    low, high = (np.round(MIDDLE + sign * edge_px / 2).astype(int).tolist() for sign in (-1, 1))
    cv2.rectangle(pixels, low, high, body, -1)
    for x, y in MIDDLE + 0.25 * edge_px * np.array(pips_of(value)):
        cv2.circle(pixels, (round(x), round(y)), round(0.09 * edge_px), PIP, -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), 1.0), np.uint8)


def measured(pixels: Pixels, value: int, edge_px: float = EDGE) -> Face | None:
    pips = Lattice(value, MIDDLE, 0.0, 0.25 * edge_px, 0.09 * edge_px, (1.0, 1.0), 0.95)
    return measure_face(pixels, pips, EDGE, CORNER)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("edge_px", [50.0, 64.0, 70.0])
def test_a_face_is_as_large_as_the_square_about_its_pips(value: int, edge_px: float) -> None:
    found = measured(face(value, edge_px=edge_px), value, edge_px)
    assert found is not None
    assert found.edge_px == pytest.approx(edge_px, rel=0.08)
    assert found.middle == pytest.approx(MIDDLE + CORNER)
    assert found.body == pytest.approx(np.array(BODY), abs=6)
    assert found.pip == pytest.approx(np.array(PIP), abs=12)
    assert found.quality > 0.85
    assert np.linalg.norm(found.corners - found.middle, axis=1) == pytest.approx(found.edge_px / math.sqrt(2))


@pytest.mark.parametrize("value", [1, 5])
def test_without_a_square_it_is_as_large_as_its_pips_tell_and_less_certain(value: int) -> None:
    pixels = face(value, body=TABLE)
    pixels[:] = np.where((pixels == np.array(TABLE)).all(axis=2)[:, :, None], np.array(BODY, np.uint8), pixels)
    found = measured(pixels, value)
    assert found is not None
    assert found.edge_px == pytest.approx(EDGE, rel=0.2)
    assert found.quality < 0.6


def test_pips_of_the_colour_of_the_body_are_none() -> None:
    assert measured(face(4, body=PIP), 4) is None
