"""The motion check and the notice of repeated pictures."""

import numpy as np
import pytest

from hardware.sim.dice import LOOKS, DieLook
from tests.support.stage import BOX, Table, camera, die
from vision.capture.frame import Frame, Pixels
from vision.sim.camera import SimulatedCamera
from vision.watching.capture_thread import has_moved, is_repeat, thumbnail_of


def noisy(picture: Pixels, seed: int, sigma: float = 4.0) -> Frame:
    noise = np.random.default_rng(seed).normal(0, sigma, picture.shape)
    return Frame(np.clip(picture + noise, 0, 255).astype(np.uint8), float(seed))


@pytest.mark.parametrize("look", LOOKS[::3], ids=["white", "blue", "orange"])
def test_a_die_that_comes_goes_or_moves_by_a_pip_is_seen(
    look: tuple[tuple[int, int, int], tuple[int, int, int]],
) -> None:
    table = Table()
    over_table = SimulatedCamera(table, BOX)

    def seen(x_mm: float | None) -> Frame:
        table.now_s += 10
        table.lying = () if x_mm is None else (die(1, x_mm, 80, DieLook(16.0, *look)),)
        return over_table.capture()

    lying = thumbnail_of(seen(100))
    assert has_moved(lying, thumbnail_of(seen(None)))
    assert has_moved(lying, thumbnail_of(seen(103)))
    assert not has_moved(lying, thumbnail_of(seen(100)))


def test_noise_light_and_soft_shadow_are_no_motion() -> None:
    picture = camera([die(3, 90, 80)]).capture().pixels // 2 + 20
    shade = np.linspace(0, 40, 1280)[None, :, None]
    before = thumbnail_of(noisy(picture, 1))
    for changed in (picture, picture + 15, np.asarray(picture + shade, np.uint8)):
        assert not has_moved(before, thumbnail_of(noisy(changed, 2)))


def test_the_small_picture_of_the_camera_is_taken_where_there_is_one() -> None:
    large = np.zeros((720, 1280, 3), np.uint8)
    small = np.full((180, 320), 77, np.uint8)
    assert (thumbnail_of(Frame(large, 0.0, small)) == 77).all()
    assert (thumbnail_of(Frame(large, 0.0)) == 0).all()


def test_only_the_very_same_picture_under_a_new_time_is_a_repeat() -> None:
    first = noisy(np.full((720, 1280, 3), 90, np.uint8), 1)
    other = first.pixels.copy()
    other[333, 444, 1] ^= 1
    assert is_repeat(Frame(first.pixels.copy(), 5.0), first)
    assert not is_repeat(Frame(first.pixels, first.at_s), first)
    assert not is_repeat(Frame(other, 5.0), first)
    assert not is_repeat(Frame(first.pixels[:360], 5.0), first)


@pytest.mark.parametrize("level", [0, 255])
def test_a_covered_or_burnt_out_picture_may_come_again(level: int) -> None:
    flat = np.full((720, 1280, 3), level, np.uint8)
    assert not is_repeat(Frame(flat.copy(), 5.0), Frame(flat, 4.0))
