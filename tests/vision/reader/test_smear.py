"""A die that moved while its picture was taken: it is told from one that lies still, whatever it shows."""

import math

import cv2
import numpy as np
import pytest

from hardware.box import load_box
from tools.scenes.random_scenes import random_throw
from vision.capture.frame import Pixels
from vision.reader.reader import read_dice
from vision.reading import Reading, Reason
from vision.sim.scene import render

BOX = load_box("two-level-9")
PX_PER_MM = 2.6  # of these pictures


def moved(pixels: Pixels, way_mm: float, turn_rad: float) -> Pixels:
    """The same picture, taken while all of it moved."""
    reach = math.ceil(way_mm * PX_PER_MM / 2) + 1
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    for part in np.linspace(-0.5, 0.5, 60):
        off = part * way_mm * PX_PER_MM
        kernel[round(reach + off * math.sin(turn_rad)), round(reach + off * math.cos(turn_rad))] += 1 / 60
    return np.asarray(cv2.filter2D(pixels, -1, kernel), np.uint8)


def reading_of(seed: int, way_mm: float) -> Reading:
    """Of a throw in which the dice moved, and the table about them did not."""
    pixels = render(random_throw(seed, 2).scene)
    still = read_dice(pixels, layout=BOX.field, die_mm=BOX.die_mm)
    smeared = moved(pixels, way_mm, 0.7 * seed)
    where = np.zeros(pixels.shape[:2], np.uint8)
    for die in still.dice:
        cv2.circle(where, (round(die.center_px[0]), round(die.center_px[1])), 45, 1, -1)
    drawn = np.where(where[:, :, None] > 0, smeared, pixels)
    return read_dice(np.asarray(drawn, np.uint8), layout=BOX.field, die_mm=BOX.die_mm)


@pytest.mark.parametrize("seed", [5000, 5006])
def test_no_value_is_given_of_dice_smeared_by_five_millimetres(seed: int) -> None:
    assert not reading_of(seed, 5.0).is_read


def test_one_that_can_still_be_read_is_called_moving() -> None:
    assert any(reading_of(seed, 4.0).reason is Reason.MOVING for seed in range(5000, 5006))


def test_dice_that_lie_still_are_read() -> None:
    assert reading_of(5000, 0.4).is_read
