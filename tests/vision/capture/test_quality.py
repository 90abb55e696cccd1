"""What light and focus are blamed for: only what was not read, and only where the picture is dim or soft."""

import cv2
import numpy as np
import pytest

from tests.support.stage import camera, die
from vision.capture.frame import Pixels
from vision.capture.quality import blame_light_or_blur, is_blurred
from vision.reading import Reason, refused


def picture() -> Pixels:
    return camera([die(4, 140, 100)]).capture().pixels


def soft(reach_px: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(picture(), (0, 0), reach_px), np.uint8)


@pytest.mark.parametrize("reason", [Reason.COCKED, Reason.STACKED, Reason.UNSURE, Reason.MOVING, Reason.UNEXPLAINED])
def test_blur_is_the_reason_where_a_soft_picture_was_not_read(reason: Reason) -> None:
    refusal = refused(reason, "One die lies so.")
    assert blame_light_or_blur(soft(1.2), refusal) == refusal
    assert blame_light_or_blur(soft(2.4), refusal).reason is Reason.BLURRED
    assert not is_blurred(soft(2.4))


def test_a_hand_in_a_soft_or_dim_picture_is_a_hand() -> None:
    refusal = refused(Reason.HAND, "Take your hand out of the field.")
    assert blame_light_or_blur(soft(2.4), refusal) == refusal
    assert blame_light_or_blur(picture() // 3, refusal) == refusal


def test_dim_light_is_the_reason_where_a_die_seems_to_lean() -> None:
    refusal = refused(Reason.COCKED, "One die leans.")
    assert blame_light_or_blur(picture(), refusal) == refusal
    assert blame_light_or_blur(picture() // 3, refusal).reason is Reason.DARK


def beside_white_paper(pixels: Pixels) -> Pixels:
    paper = pixels.copy()
    paper[:60] = 240
    return paper


def test_white_paper_does_not_make_a_dark_picture_bright() -> None:
    refusal = refused(Reason.UNSURE, "Which?")
    assert blame_light_or_blur(beside_white_paper(scaled(0.7)), refusal) == refusal
    assert blame_light_or_blur(beside_white_paper(scaled(0.4)), refusal).reason is Reason.DARK


def test_a_picture_all_red_is_not_dark_where_its_red_is_bright() -> None:
    refusal, red = refused(Reason.UNSURE, "Which?"), picture()
    red[:, :, :2] //= 5
    assert blame_light_or_blur(red, refusal) == refusal
    assert blame_light_or_blur(red // 3, refusal).reason is Reason.DARK


@pytest.mark.parametrize("reason", [Reason.UNEXPLAINED, Reason.COCKED, Reason.STACKED])
def test_coins_lie_and_dice_lean_in_dim_light_too_but_who_knows_in_darker(reason: Reason) -> None:
    refusal, dim, darker = refused(reason, "It lies so."), scaled(0.7), scaled(0.45)
    assert blame_light_or_blur(dim, refused(Reason.UNSURE, "Which?")).reason is Reason.DARK
    assert blame_light_or_blur(dim, refusal) == refusal
    assert blame_light_or_blur(darker, refusal).reason is Reason.DARK


@pytest.mark.parametrize(("reach_px", "blurred"), [(1.2, False), (4.0, True), (9.0, True), (18.0, True)])
def test_a_picture_far_out_of_focus_is_blurred_although_it_has_no_edge(reach_px: float, blurred: bool) -> None:
    assert is_blurred(soft(reach_px)) == blurred


def test_what_is_flat_or_a_strip_is_not_blurred() -> None:
    ramp = np.repeat(np.linspace(100, 120, 200).astype(np.uint8)[:, None], 300, axis=1)
    assert not is_blurred(np.dstack([ramp] * 3))
    assert not is_blurred(soft(9.0)[:20])


def scaled(part: float) -> Pixels:
    return np.asarray(part * picture(), np.uint8)
