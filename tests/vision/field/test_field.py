import random

import cv2
import numpy as np
import pytest

from tests.support.stage import BOX, camera, die
from tools.scenes.families import mount_variously
from vision.capture.frame import Pixels
from vision.field.field import Field, field_of, locate_field
from vision.field.lens import Lens, usual_lens
from vision.field.markers import find_markers, marker_shows
from vision.field.pose import FieldPrior, Pose, marker_corners_mm
from vision.sim.optics import mount

PLACES = np.array([(x, y) for x in np.linspace(10, 270, 7) for y in np.linspace(10, 190, 5)])
CORNERS = np.array([[0.0, 0.0], [280.0, 0.0], [280.0, 200.0], [0.0, 200.0]])


PERFECT = Pose(
    Lens(1280, 720, 1100.0, (645.0, 356.0), (-0.08, 0.01), (0.001, -0.0005)),
    np.asarray(cv2.Rodrigues(np.array([0.12, -0.06, 0.04]))[0], np.float64),
    np.array([120.0, 60.0, 400.0]),
)


def table(seed: int = 1) -> Pixels:
    return camera([die(4, 140, 100)], seed).capture().pixels


def truth(seed: int = 1) -> np.ndarray:
    optics = mount(BOX.camera, BOX.field, seed)
    return optics.project(np.column_stack((CORNERS, np.zeros(4))))


def off_mm(field: Field | None, true_px: np.ndarray) -> float:
    assert field is not None
    return float(np.abs(field.at_mm(true_px) - CORNERS).max())


def covered(pixels: Pixels, *numbers: int) -> Pixels:
    picture = pixels.copy()
    for number, corners in find_markers(pixels).items():
        if number in numbers:
            x, y = corners.mean(axis=0).round().astype(int)
            picture[y - 40 : y + 40, x - 40 : x + 40] = picture[330:410, 400:480]
    return picture


@pytest.mark.parametrize("seed", range(6))
def test_four_markers_give_the_field_within_two_millimetres(seed: int) -> None:
    field = locate_field(table(seed), BOX.field)
    assert off_mm(field, truth(seed)) < 2
    assert field is not None
    assert sorted(field.markers) == [0, 1, 2, 3]


@pytest.mark.parametrize("gone", [(0,), (2,), (0, 1), (1, 2), (2, 3), (0, 3), (0, 2), (1, 3)])
def test_two_markers_suffice(gone: tuple[int, ...]) -> None:
    field = locate_field(covered(table(), *gone), BOX.field)
    assert off_mm(field, truth()) < 4
    assert field is not None
    assert not set(gone) & set(field.markers)


def test_one_marker_does_not_suffice() -> None:
    assert locate_field(covered(table(), 0, 1, 2), BOX.field) is None


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_camera_is_understood(quarters: int) -> None:
    pixels = table()
    turned = np.ascontiguousarray(np.rot90(pixels, quarters))
    height, width = pixels.shape[:2]
    x, y = truth().T
    for _ in range(quarters):
        x, y = y, width - 1 - x
        height, width = width, height
    assert off_mm(locate_field(turned, BOX.field), np.column_stack((x, y))) < 2


def test_a_marker_that_the_first_look_misses_is_found_where_it_must_lie() -> None:
    pixels = table()
    corners = find_markers(pixels)[2]
    x, y = corners.mean(axis=0).round().astype(int)
    # Something on one corner breaks the outline, which the first look needs.
    cv2.circle(pixels, corners[0].round().astype(int).tolist(), 12, (60, 110, 60), -1)
    assert 2 not in find_markers(pixels)
    field = locate_field(pixels, BOX.field)
    assert field is not None
    assert np.abs(field.markers[2].mean(axis=0) - (x, y)).max() < 3


def test_markers_laid_further_in_are_measured() -> None:
    field = locate_field(table(), BOX.field.model_copy(update={"marker_margin_mm": 7.0}))
    assert field is not None
    assert field.inset_mm < 6.5


def test_markers_that_contradict_each_other_are_no_field() -> None:
    seen = dict(find_markers(table()))
    seen[0], seen[1] = seen[1], seen[0]
    assert field_of(seen, FieldPrior(BOX.field, usual_lens(1280, 720))) is None


@pytest.mark.parametrize("number", range(4))
def test_one_moved_marker_is_outvoted_by_the_three_that_agree(number: int) -> None:
    seen = {each: PERFECT.to_px(marker_corners_mm(each, BOX.field, 4.0)) for each in range(4)}
    moved = marker_corners_mm(number, BOX.field, 4.0) + np.array([9.0, -7.0])
    field = field_of({**seen, number: PERFECT.to_px(moved)}, FieldPrior(BOX.field, PERFECT.lens, True))
    assert field is not None
    assert sorted(field.markers) == [each for each in range(4) if each != number]
    assert np.abs(field.at_mm(PERFECT.to_px(CORNERS)) - CORNERS).max() < 0.5


def test_three_markers_of_which_one_was_moved_far_are_no_field() -> None:
    seen = {each: PERFECT.to_px(marker_corners_mm(each, BOX.field, 4.0)) for each in range(3)}
    seen[1] = PERFECT.to_px(marker_corners_mm(1, BOX.field, 4.0) + np.array([-25.0, 20.0]))
    assert field_of(seen, FieldPrior(BOX.field, PERFECT.lens, True)) is None


def test_a_number_seen_twice_is_believed_where_the_others_say() -> None:
    pixels = table()
    x, y = find_markers(pixels)[2].mean(axis=0).round().astype(int)
    pixels[300:380, 600:680] = pixels[y - 40 : y + 40, x - 40 : x + 40]
    field = locate_field(pixels, BOX.field)
    assert off_mm(field, truth()) < 2
    assert field is not None
    assert np.abs(field.markers[2].mean(axis=0) - (x, y)).max() < 3


def test_a_mirrored_picture_has_no_field() -> None:
    assert locate_field(np.ascontiguousarray(table()[:, ::-1]), BOX.field) is None


def test_the_way_to_millimetres_leads_back() -> None:
    field = locate_field(table(), BOX.field)
    assert field is not None
    points = np.array([[30.0, 40.0], [200.0, 150.0]])
    assert field.at_mm(field.at_px(points)) == pytest.approx(points)


def test_every_height_is_exact_with_a_known_lens() -> None:
    seen = {number: PERFECT.to_px(marker_corners_mm(number, BOX.field, 4.0)) for number in range(4)}
    field = field_of(seen, FieldPrior(BOX.field, PERFECT.lens, True))
    assert field is not None
    assert field.camera_mm == pytest.approx(PERFECT.camera_mm, abs=0.6)
    for height_mm in (0.0, 16.0, 24.0):
        points = PERFECT.to_px(PLACES, height_mm)
        assert field.at_mm(points, height_mm) == pytest.approx(PLACES, abs=0.05)
        assert field.at_px(PLACES, height_mm) == pytest.approx(points, abs=0.12)


@pytest.mark.parametrize("seed", range(12))
def test_without_a_known_lens_the_tops_of_dice_are_placed_within_three_millimetres(seed: int) -> None:
    optics = mount_variously(random.Random(seed), BOX.field)
    corners = {number: marker_corners_mm(number, BOX.field, 3.5) for number in range(4)}
    seen = {number: optics.project(np.column_stack((places, np.zeros(4)))) for number, places in corners.items()}
    field = field_of(seen, FieldPrior(BOX.field, usual_lens(1280, 720)))
    assert field is not None
    off = field.at_mm(optics.project(np.column_stack((PLACES, np.full(len(PLACES), 16.0)))), 16.0) - PLACES
    assert np.linalg.norm(off, axis=1).max() < 3.0
    assert np.sqrt(np.mean(off**2)) < 1.0


def flat_marker(number: int, rim_px: int) -> Pixels:
    """A green picture with one marker of 72 pixels, its black border beginning at (100, 100)."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    pixels = np.full((280, 280, 3), (60, 90, 40), np.uint8)
    pixels[100 - rim_px : 172 + rim_px, 100 - rim_px : 172 + rim_px] = 220
    pixels[100:172, 100:172] = np.maximum(cv2.aruco.generateImageMarker(dictionary, number, 72), 30)[:, :, None]
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), 1.2), np.uint8)


@pytest.mark.parametrize("rim_px", [0, 3, 5, 8])
def test_a_thin_white_rim_is_no_part_of_a_marker(rim_px: int) -> None:
    corners = find_markers(flat_marker(2, rim_px))[2]
    assert np.ptp(corners, axis=0) == pytest.approx([72, 72], abs=2.5)


def test_a_marker_half_in_shadow_shows_and_a_covered_one_does_not() -> None:
    pixels = flat_marker(1, 8)
    pixels[:, :130] //= 3
    quad = np.array([[100.0, 100.0], [172.0, 100.0], [172.0, 172.0], [100.0, 172.0]])
    modules = np.array([[118.0, 118.0], [118.0, 154.0], [154.0, 118.0], [154.0, 154.0], [230.0, 230.0]])
    shows = marker_shows(pixels, 1, quad, modules)
    assert shows.tolist() == [True, True, True, True, False]
    pixels[120:172, 120:172] = (40, 40, 190)
    shows = marker_shows(pixels, 1, quad, modules)
    assert not shows[3]


def test_a_marker_of_which_a_die_covers_a_corner_does_not_hide_the_field() -> None:
    field = locate_field(camera((), 22).capture().pixels, BOX.field)
    assert field is not None
    seen = dict(field.markers)
    seen[3] = seen[3] + np.array([[0.0, 0.0], [-8.0, 0.0], [3.0, 0.0], [0.0, 0.0]])
    again = field_of(seen, FieldPrior(BOX.field, usual_lens(1280, 720), False))
    assert again is not None
    assert np.abs(again.at_px(CORNERS) - field.at_px(CORNERS)).max() < 6
