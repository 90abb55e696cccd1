"""The reader that knows its box: when it looks for the field again, and when a moved marker is refused."""

import cv2
import numpy as np
import pytest

import vision.field.field
from hardware.calibration import CameraCalibration, Measured
from tests.support.calibrations import calibrated
from tests.support.stage import BOX, camera, die
from vision.calibration.measure import LensResult, calibration_of
from vision.capture.frame import Frame, Pixels
from vision.field.field import locate_field
from vision.field.lens import usual_lens
from vision.reading import Reason
from vision.watching.box_reader import BoxReader

DICE = [die(5, 120, 95), die(3, 170, 120)]


def frame(pixels: Pixels) -> Frame:
    return Frame(pixels, 0.0)


def calibration() -> CameraCalibration:
    """What a calibration of the simulated camera would keep of its markers."""
    field = locate_field(camera((), 3).capture().pixels, BOX.field)
    assert field is not None
    result = LensResult(usual_lens(1280, 720), 0.2, 0.9, 0.001, 11)
    measured = Measured(date=calibrated().date, author="ann")
    return calibration_of(result, field, BOX.camera, measured, "background-x.png")


@pytest.fixture
def looked_for(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Counts how often the field is looked for."""
    times: list[int] = []

    def located(*given: object) -> object:
        times.append(1)
        return locate_field(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(vision.field.field, "locate_field", located)
    return times


def test_the_field_is_located_once_while_camera_and_tray_stay(looked_for: list[int]) -> None:
    reader = BoxReader(BOX.field, BOX.die_mm)
    assert [reader(frame(camera(DICE, 3).capture().pixels)).values for _ in range(3)] == [(3, 5)] * 3
    assert len(looked_for) == 1


def test_a_tray_that_was_pushed_is_located_again(looked_for: list[int]) -> None:
    reader = BoxReader(BOX.field, BOX.die_mm)
    pixels = camera(DICE, 3).capture().pixels
    reader(frame(pixels))
    pushed = np.roll(pixels, 40, axis=1)
    reading = reader(frame(pushed))
    assert (reading.values, len(looked_for)) == ((3, 5), 2)
    assert reading.dice[0].center_px[0] == pytest.approx(reader(frame(pixels)).dice[0].center_px[0] + 40, abs=1)


def test_a_hand_on_one_marker_does_not_make_it_look_again(looked_for: list[int]) -> None:
    reader = BoxReader(BOX.field, BOX.die_mm)
    pixels = camera(DICE, 3).capture().pixels
    reader(frame(pixels))
    reader(frame(np.asarray(cv2.circle(pixels.copy(), (350, 130), 40, (120, 150, 200), -1), np.uint8)))
    assert len(looked_for) == 1


def test_a_marker_moved_since_the_calibration_is_refused_and_named() -> None:
    pixels = camera(DICE, 3).capture().pixels
    reader = BoxReader(BOX.field, BOX.die_mm, calibration())
    assert reader(frame(pixels)).values == (3, 5)
    field = locate_field(pixels, BOX.field)
    assert field is not None
    left, top = np.floor(field.markers[0].min(axis=0)).astype(int) - 10
    right, bottom = np.ceil(field.markers[0].max(axis=0)).astype(int) + 10
    moved = pixels.copy()
    moved[top:bottom, left:right] = pixels[300 : 300 + bottom - top, 400 : 400 + right - left]
    moved[top + 6 : bottom + 6, left + 8 : right + 8] = pixels[top:bottom, left:right]
    refusal = BoxReader(BOX.field, BOX.die_mm, calibration())(frame(moved))
    assert refusal.reason is Reason.CAMERA_MOVED
    assert "Marker 0" in refusal.say


def test_a_camera_moved_as_a_whole_is_coped_with() -> None:
    pixels = np.roll(camera(DICE, 3).capture().pixels, 30, axis=1)
    assert BoxReader(BOX.field, BOX.die_mm, calibration())(frame(pixels)).values == (3, 5)
    # Whether so many dice are a throw is for the watcher to say: they may be left from the last one.
    assert BoxReader(BOX.field, BOX.die_mm)(frame(pixels), frozenset({3})).values == (3, 5)


def test_without_light_or_field_it_says_so() -> None:
    reader = BoxReader(BOX.field, BOX.die_mm)
    assert reader(frame(np.zeros((720, 1280, 3), np.uint8))).reason is Reason.DARK
    assert reader(frame(np.full((720, 1280, 3), 120, np.uint8))).reason is Reason.NO_FIELD
