import cv2
import numpy as np
import pytest

from tests.support.stage import BOX, camera, die
from vision.capture.arrays import Places
from vision.field.field import locate_field
from vision.field.rectify import rectify, remap_table
from vision.field.view import view_of


def noise(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8)


@pytest.mark.parametrize("size", [(120, 90), (33, 31), (1, 1), (64, 200)])
def test_the_way_that_leads_nowhere_else_changes_nothing(size: tuple[int, int]) -> None:
    picture = noise(220, 240)
    assert np.array_equal(rectify(picture, lambda places: places, size), picture[: size[1], : size[0]])


def test_the_way_is_followed_for_no_node_that_no_pixel_lies_beside() -> None:
    asked: list[int] = []

    def way(places: Places) -> Places:
        asked.append(len(places))
        return places

    for side in (79, 80, 81):
        assert remap_table(way, (side, side))[:, -1, -1].tolist() == [side - 1, side - 1]
    assert asked == [16, 16, 25]


def test_a_bent_way_is_followed_within_a_tenth_of_a_pixel() -> None:
    def bent(places: Places) -> Places:
        away = places - 120.0
        return np.asarray(120.0 + away * (0.9 + 5e-7 * (away * away).sum(axis=1, keepdims=True)), np.float64)

    # A ramp of one level a pixel shows where it was taken from, rounded.
    ramp = np.repeat(np.arange(240, dtype=np.uint8)[None], 240, axis=0)
    seen = rectify(ramp, bent, (240, 240))
    x, y = np.meshgrid(np.arange(240.0), np.arange(240.0))
    exact = bent(np.column_stack((x.ravel(), y.ravel())))[:, 0].reshape(240, 240)
    assert np.abs(seen - exact).max() < 0.6


def test_a_piece_of_the_view_shows_the_same_however_large_it_is() -> None:
    pixels = camera([die(5, 140, 100), die(3, 40, 160)]).capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    view = view_of(pixels, field, 16.0)
    whole = view.cut_out((0.0, 0.0, *view.size)).pixels
    for left, top in ((100, 640), (560, 400), (1000, 80)):
        small = view.cut_out((left, top, left + 120, top + 120)).pixels
        off = cv2.absdiff(small, whole[top : top + 120, left : left + 120])
        assert float(off.mean()) < 0.5


def test_over_baize_undoes_on_baize() -> None:
    pixels = camera().capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    view, points_mm = view_of(pixels, field, 16.0), np.array([(10.0, 20.0), (250.0, 180.0)])
    places = view.over_baize(points_mm)
    assert view.on_baize(places) == pytest.approx(points_mm)
    assert np.abs(view.at_mm(places) - points_mm).max() > 0.5


def test_places_of_the_small_picture_are_those_of_the_picture() -> None:
    pixels = camera().capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    small = view_of(pixels, field, 16.0).small
    assert small.padded.shape[0] == pixels.shape[0] // small.shrink
    assert small.place(np.array([[0.5, 0.5]])) == pytest.approx(np.array([[1 / small.shrink - 0.5] * 2]))
