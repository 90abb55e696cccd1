import math
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.sim.dice import LOOKS, DieLook, SimulatedDie
from tests.support.stage import BOX, camera, die
from vision.capture.frame import Pixels
from vision.field.field import locate_field
from vision.field.view import MARGIN_MM, PX_PER_MM, View, view_of
from vision.network.network import NOT_FLAT, Chances, FaceNetwork, Planes, face_network

HEIGHT_MM = 16.0
NONE = 0


def view(*dice: SimulatedDie, seed: int = 1) -> View:
    pixels = camera(dice, seed).capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    return view_of(pixels, field, HEIGHT_MM)


def crops(seen: View, *places_mm: tuple[float, float]) -> Pixels:
    return seen.crops((np.array(places_mm, float) + MARGIN_MM) * PX_PER_MM)


def classify(seen: View, *places_mm: tuple[float, float]) -> Chances:
    places = (np.array(places_mm, float) + MARGIN_MM) * PX_PER_MM
    return face_network().classify(seen.crops(places), seen.slopes(places))


def row_of_six(look: DieLook, turn_rad: float) -> tuple[SimulatedDie, ...]:
    return tuple(die(value, 40 + 36 * value, 60 + 12 * value, look, turn_rad + value) for value in range(1, 7))


@pytest.mark.parametrize("colours", range(0, len(LOOKS), 2))
def test_every_value_of_a_flat_die_is_told_with_confidence(colours: int) -> None:
    dice = row_of_six(DieLook(16.0, *LOOKS[colours]), 0.3 * colours)
    chances = classify(view(*dice), *((one.x_mm, one.y_mm) for one in dice))
    assert chances.argmax(axis=1).tolist() == [1, 2, 3, 4, 5, 6]
    assert np.min(chances.max(axis=1)) > 0.8


def test_cloth_a_marker_and_the_wood_beside_the_field_are_no_dice() -> None:
    chances = classify(view(), (140, 100), (60, 150), (18, 18), (260, 16), (-15, 100), (290, 60))
    assert np.min(chances[:, NONE]) > 0.5
    assert np.median(chances[:, NONE]) > 0.95


def test_the_seam_of_two_touching_dice_and_the_corner_of_one_are_no_confident_values() -> None:
    left, right = die(4, 130, 100, angle_rad=0.0), die(5, 146, 100, angle_rad=0.0)
    chances = classify(view(left, right), (138, 100), (122, 92), (154, 108), (138, 94))
    assert np.max(chances[:, 1:7]) < 0.9
    assert np.min(chances[1:, NONE]) > 0.5


def test_a_die_that_leans_far_is_no_confident_value_and_told_as_tilted() -> None:
    leaning = replace(die(5, 140, 100), lean_rad=math.radians(40), lean_to_rad=0.5)
    around = [(x, y) for x in range(130, 153, 4) for y in range(90, 113, 4)]
    chances = classify(view(leaning), *around)
    assert np.max(chances[:, 1:7]) < 0.9
    assert np.max(chances[:, NOT_FLAT]) > 0.5


def test_the_light_and_the_turn_of_a_crop_change_next_to_nothing() -> None:
    shown = crops(view(die(6, 140, 100)), (140, 100))[0]
    dim = (shown * 0.7 + 10).astype(np.uint8)
    turned = np.ascontiguousarray(np.rot90(shown))
    slopes = np.array([[0.2, 0.1], [0.2, 0.1], [0.1, -0.2]], np.float32)
    plain, dimmed, quarter = face_network().classify(np.stack([shown, dim, turned]), slopes)
    assert np.abs(plain - quarter).max() < 0.05
    assert np.abs(plain - dimmed).max() < 0.05


def test_every_row_adds_up_to_one_and_no_crops_give_no_rows() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (5, 40, 40, 3), np.uint8)
    slopes = np.zeros((5, 2), np.float32)
    assert face_network().classify(noise, slopes).sum(axis=1) == pytest.approx(np.ones(5), abs=1e-5)
    assert face_network().classify(noise[:0], slopes[:0]).shape == (0, 8)


def test_the_weights_stay_small() -> None:
    assert len(resources.files("vision.network").joinpath("faces.onnx").read_bytes()) < 300_000


def test_a_doubtful_crop_is_judged_in_each_of_its_turns_once(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[int] = []

    class Doubtful:
        def setInput(self, planes: Planes) -> None:  # noqa: N802
            judged.append(len(planes))

        def forward(self) -> NDArray[np.float32]:
            turn = np.arange(judged[-1], dtype=np.float32) + len(judged)
            return np.column_stack([turn, *[np.zeros_like(turn)] * 7])

    network = FaceNetwork()
    monkeypatch.setattr(network._network, "_net", Doubtful())
    (chances,) = network.classify(np.zeros((1, 40, 40, 3), np.uint8), np.zeros((1, 2), np.float32))
    turns = np.exp([1, 2, 3, 4])
    assert judged == [1, 3]
    assert chances[NONE] == pytest.approx((turns / (turns + 7)).mean())
