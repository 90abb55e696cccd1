import numpy as np

from tests.support.calibrations import CAMERA, located
from vision.calibration.measure import check_camera_place
from vision.reading import Reason


def test_a_camera_in_its_place_has_not_moved() -> None:
    assert check_camera_place(located(), CAMERA) is None
    assert check_camera_place(located(shift_px=2.0), CAMERA) is None


def test_a_camera_that_was_knocked_is_refused_in_words() -> None:
    reading = check_camera_place(located(shift_px=9.0), CAMERA)
    assert reading is not None
    assert reading.reason is Reason.CAMERA_MOVED
    assert "9 pixels" in reading.say


def test_one_marker_laid_elsewhere_is_named() -> None:
    field = located()
    moved = {**field.markers, 2: np.asarray(field.markers[2]) + 12.0}
    reading = check_camera_place(located(markers=moved), CAMERA)
    assert reading is not None
    assert "Marker 2" in reading.say


def test_without_a_calibration_nothing_is_said() -> None:
    assert check_camera_place(located(shift_px=90.0), None) is None
