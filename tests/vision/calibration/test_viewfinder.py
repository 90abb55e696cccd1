"""The picture for people who set up a camera: what is outlined in it, and its scores."""

import cv2
import numpy as np
import pytest

from tests.support.stage import BOX, camera, die
from vision.calibration.viewfinder import Viewfinder
from vision.capture.frame import Pixels


def table() -> Pixels:
    return camera([die(4, 140, 100)], 1).capture().pixels


def test_a_good_picture_scores_well() -> None:
    scores = Viewfinder(table(), BOX.field).scores
    assert (scores.markers, scores.sharpness, scores.upside_down) == (4, 1.0, False)
    # 400 mm above the baize, with the lens of the simulated camera.
    assert scores.px_per_mm == pytest.approx(2.46, abs=0.1)
    assert scores.light == pytest.approx(0.95, abs=0.15)


def test_a_picture_turned_round_scores_the_same_and_is_told_of() -> None:
    upright = Viewfinder(table(), BOX.field).scores
    turned = Viewfinder(np.ascontiguousarray(table()[::-1, ::-1]), BOX.field).scores
    assert turned.upside_down
    assert turned.px_per_mm == pytest.approx(upright.px_per_mm, rel=1e-3)


def test_dark_and_blurred_pictures_score_less() -> None:
    seen = table()
    dark = Viewfinder(np.asarray(seen // 3, np.uint8), BOX.field).scores
    assert dark.light is not None
    assert dark.light < 0.5
    assert Viewfinder(np.asarray(cv2.GaussianBlur(seen, (0, 0), 4), np.uint8), BOX.field).scores.sharpness < 0.8


def test_a_picture_without_the_field_has_no_scale() -> None:
    scores = Viewfinder(np.full((720, 1280, 3), 90, np.uint8), BOX.field).scores
    assert (scores.markers, scores.px_per_mm, scores.light) == (0, None, None)


def test_the_outlines_lie_on_the_markers() -> None:
    finder = Viewfinder(table(), BOX.field)
    shown = cv2.imdecode(np.frombuffer(finder.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape == (540, 960, 3)
    assert finder.field is not None
    for quad in finder.field.markers.values():
        x, y = np.round(quad.mean(axis=0) * 0.75 + (quad[0] - quad.mean(axis=0)) * 0.75).astype(int)
        blue, green, red = shown[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).astype(int).T
        assert (green - np.maximum(blue, red)).max() > 40, "a green corner"
