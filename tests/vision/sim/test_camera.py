import cv2
import numpy as np
import pytest

from tests.support.stage import BOX, RED, Table, camera, die, thrown
from vision.field.markers import find_markers
from vision.sim.camera import SimulatedCamera
from vision.sim.optics import mount
from vision.sim.solids import solid_of


def test_the_same_seed_time_and_dice_give_the_same_frame() -> None:
    one, other = (camera(thrown(3, 2), 3).capture() for _ in range(2))
    assert np.array_equal(one.pixels, other.pixels)
    assert one.pixels.shape == (720, 1280, 3)
    assert one.pixels.dtype == np.uint8


def test_another_seed_is_another_table() -> None:
    one, other = (camera((), seed).capture().pixels for seed in (1, 2))
    assert np.abs(one.astype(int) - other).mean() > 2


def test_noise_changes_with_time_and_little_else_does() -> None:
    table = Table(thrown(3, 2))
    watching = SimulatedCamera(table, BOX)
    one = watching.capture().pixels.astype(int)
    table.now_s = 0.04
    change = np.abs(watching.capture().pixels - one)
    assert 0.5 < change.mean() < 6
    assert change.max() < 40


@pytest.mark.parametrize("seed", range(8))
def test_an_untrained_eye_sees_all_four_markers(seed: int) -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    _, numbers, _ = detector.detectMarkers(camera((), seed).capture().pixels)
    assert sorted(np.asarray(numbers).ravel().tolist()) == [0, 1, 2, 3]
    assert sorted(find_markers(camera((), seed).capture().pixels)) == [0, 1, 2, 3]


def test_a_die_is_drawn_where_it_lies() -> None:
    optics = mount(BOX.camera, BOX.field, 1)
    lying = die(3, 60, 150, RED)
    change = np.abs(camera([lying]).capture().pixels.astype(int) - camera().capture().pixels).max(axis=2) > 60
    rows, columns = np.nonzero(change)
    corners = optics.project(solid_of(lying).corners)
    assert (np.min(columns), np.min(rows)) == pytest.approx(np.min(corners, axis=0), abs=6)
    assert (np.max(columns), np.max(rows)) == pytest.approx(np.max(corners, axis=0), abs=6)


def test_rolling_dice_are_smeared() -> None:
    table = Table([die(5, 140, 100, RED)])
    watching = SimulatedCamera(table, BOX)
    still = watching.capture().pixels
    table.lying = [die(5, 160, 100, RED)]
    rolled = watching.capture().pixels
    lain = watching.capture().pixels
    assert sharpness(rolled) < 0.9 * sharpness(lain)
    assert sharpness(lain) == pytest.approx(sharpness(still), rel=0.1)


def sharpness(pixels: np.ndarray) -> float:
    return float(np.percentile(np.abs(np.diff(pixels[300:420, 560:760].astype(int), axis=1)), 99.5))


def test_a_frozen_camera_gives_its_last_frame_again() -> None:
    table = Table(thrown(1, 2))
    watching = SimulatedCamera(table, BOX)
    first = watching.capture()
    table.camera_fault, table.now_s, table.lying = "frozen", 9.0, ()
    again = watching.capture()
    assert again.at_s == 0.0
    assert np.array_equal(again.pixels, first.pixels)


def test_a_grey_a_dark_and_a_dead_camera() -> None:
    table = Table(thrown(1, 2), camera_fault="grey")
    watching = SimulatedCamera(table, BOX)
    assert np.ptp(watching.capture().pixels) == 0
    table.camera_fault = "dark"
    assert watching.capture().pixels.mean() < 5
    table.camera_fault = "dead"
    with pytest.raises(OSError, match="does not answer"):
        watching.capture()


def test_it_works_on_after_close_and_reopen() -> None:
    watching = camera(thrown(1, 2))
    first = watching.capture().pixels
    watching.close()
    watching.reopen()
    assert np.array_equal(watching.capture().pixels, first)
