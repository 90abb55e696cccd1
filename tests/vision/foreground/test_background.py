"""What the cloth is, learnt from the picture alone."""

import cv2
import numpy as np
import pytest

from vision.capture.frame import Pixels
from vision.foreground.background import Foreground, find_foreground
from vision.foreground.survey import _least_seed

GREEN, RED, BLUE = (60, 120, 40), (40, 40, 190), (190, 110, 60)


def cloth(colour: tuple[int, int, int] = GREEN, seed: int = 1) -> Pixels:
    """A plain cloth of 280 x 200 mm with fibres, at one pixel a millimetre."""
    noise = np.random.default_rng(seed).normal(1.0, 0.06, (200, 280, 1))
    return np.clip(np.array(colour) * noise, 0, 255).astype(np.uint8)


def foreground(pixels: Pixels) -> Foreground:
    return find_foreground(pixels, np.ones(pixels.shape[:2], np.uint8))


def share(mask: np.ndarray, box: tuple[int, int, int, int]) -> float:
    left, top, right, bottom = box
    return float(mask[top:bottom, left:right].mean())


def test_a_plain_cloth_is_all_cloth() -> None:
    seen = foreground(cloth())
    assert max(seen.odd.mean(), seen.dark.mean(), seen.shade.mean()) < 0.002


def test_stripes_and_checks_are_learnt() -> None:
    striped = cloth()
    striped[:, (np.arange(280) // 9) % 2 == 0] = cloth(BLUE)[:, (np.arange(280) // 9) % 2 == 0]
    assert foreground(striped).odd.mean() < 0.01


@pytest.mark.parametrize("dice", [2, 6, 12])
def test_dice_of_one_colour_are_not_taken_for_cloth_however_many_lie_there(dice: int) -> None:
    pixels = cloth()
    boxes = [(20 + 42 * (index % 6), 40 + 70 * (index // 6)) for index in range(dice)]
    for x, y in boxes:
        cv2.rectangle(pixels, (x, y), (x + 16, y + 16), RED, -1)
    seen = foreground(pixels)
    assert all(share(seen.odd, (x, y, x + 16, y + 16)) > 0.95 for x, y in boxes)
    assert seen.odd.sum() < dice * 17 * 17 * 1.1


def test_beside_white_dice_on_grey_cloth_a_coloured_die_is_no_shade() -> None:
    pixels = cloth((50, 56, 55))
    pixels[60:100, 150:190] = cloth((115, 126, 131))[60:100, 150:190]
    cv2.rectangle(pixels, (100, 60), (115, 75), (42, 107, 28), -1)
    assert share(foreground(pixels).odd, (100, 60, 115, 75)) > 0.95


def test_a_hand_over_a_third_of_the_field_is_not_learnt() -> None:
    pixels = cloth()
    cv2.rectangle(pixels, (190, 0), (279, 199), (130, 160, 215), -1)
    assert share(foreground(pixels).odd, (195, 5, 275, 195)) > 0.95


def test_a_shadow_is_cloth_and_a_tinted_one_is_shade() -> None:
    pixels = cloth(BLUE)
    pixels[50:90, 50:90] //= 2
    tinted = pixels[50:90, 150:190].astype(float) * (0.35, 0.4, 0.9)
    pixels[50:90, 150:190] = tinted.astype(np.uint8)
    seen = foreground(pixels)
    assert share(seen.odd, (52, 52, 88, 88)) < 0.02
    assert share(seen.shade, (152, 52, 188, 88)) > 0.9


def test_what_is_too_dark_to_tell_is_dark_and_white_is_odd() -> None:
    pixels = cloth((110, 110, 110))
    pixels[50:70, 50:70], pixels[50:70, 150:170] = 8, 245
    seen = foreground(pixels)
    assert share(seen.dark, (50, 50, 70, 70)) > 0.95
    assert share(seen.odd, (150, 50, 170, 70)) > 0.95


def test_nothing_is_said_outside_the_field() -> None:
    inside = np.zeros((200, 280), np.uint8)
    seen = find_foreground(cloth(), inside)
    assert [mask.any() for mask in (seen.odd, seen.dark, seen.shade)] == [False] * 3


def test_on_black_cloth_what_is_light_stands_out() -> None:
    pixels = np.zeros((200, 280, 3), np.uint8)
    pixels[90:106, 90:106] = (60, 120, 90)
    found = find_foreground(pixels, np.ones((200, 280), np.uint8))
    assert found.all[92:104, 92:104].all()
    assert found.all.sum() == found.all[88:108, 88:108].sum()


@pytest.mark.parametrize(("weave", "spot", "seen"), [(4, 20, True), (30, 36, False), (30, 60, True)])
def test_a_spot_is_a_seed_only_where_it_stands_out_from_the_weave(weave: int, spot: int, seen: bool) -> None:
    off, free = np.full((200, 300), 3, np.uint8), np.ones((200, 300), np.uint8)
    off[5::20, 5::20] = weave
    off[100, 100] = spot
    assert bool(off[100, 100] > _least_seed(off, free)) is seen
