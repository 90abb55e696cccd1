import numpy as np
import pytest

from vision.field.lens import Lens, usual_lens

LENS = Lens(1280, 720, 1000.0, (640.0, 350.0), (-0.12, 0.03), (0.001, -0.001))
POINTS = np.array([[5.0, 5.0], [1275.0, 8.0], [640.0, 350.0], [1000.0, 700.0]])


def test_a_ray_leads_back_to_its_pixel() -> None:
    assert LENS.to_px(LENS.rays(POINTS)) == pytest.approx(POINTS, abs=1e-9)


def test_a_picture_of_half_the_size_is_seen_through_the_same_lens() -> None:
    half = LENS.of_size(640, 360)
    assert half is not None
    # Pixel middles lie at whole numbers.
    assert half.rays((POINTS + 0.5) / 2 - 0.5) == pytest.approx(LENS.rays(POINTS), abs=1e-9)


def test_a_cropped_picture_has_no_known_lens() -> None:
    assert LENS.of_size(1280, 960) is None


def test_the_usual_lens_sees_66_degrees_across_the_longer_side() -> None:
    upright = usual_lens(720, 1280)
    edge = upright.rays(np.array([[359.5, -0.5], [359.5, 1279.5]]))
    assert np.degrees(np.arctan(edge[1, 1]) - np.arctan(edge[0, 1])) == pytest.approx(66)
