import math
from dataclasses import replace
from importlib import resources

import numpy as np
import pytest

from hardware.sim.dice import LOOKS, DieLook, SimulatedDie
from tests.support.stage import BOX, RED, WHITE, camera, die
from vision.field.field import locate_field
from vision.field.view import View, view_of
from vision.foreground.survey import look_over
from vision.network.network import EDGE_PX, SIDE_PX, Stances, beside_flat, stance_network, stances_of
from vision.network.networks import packaged
from vision.reader.dice import Found, find_dice

FLAT = (die(5, 140, 100, WHITE, 0.3), die(2, 60, 60, RED, 1.0), die(6, 250, 150, WHITE, 0.8))


def view(*dice: SimulatedDie, seed: int = 1) -> View:
    pixels = camera(dice, seed).capture().pixels
    field = locate_field(pixels, BOX.field)
    assert field is not None
    return view_of(pixels, field, 16.0)


def found(seen: View) -> Found:
    return find_dice(seen, look_over(seen), packaged())


def leaning_by(degrees: float, towards_rad: float) -> SimulatedDie:
    return replace(FLAT[0], lean_rad=math.radians(degrees), lean_to_rad=towards_rad)


@pytest.mark.parametrize("colours", range(1, len(LOOKS), 3))
def test_flat_dice_in_the_middle_and_in_the_corners_look_flat(colours: int) -> None:
    look = DieLook(16.0, *LOOKS[colours])
    dice = [die(value, x, y, look, value) for value, (x, y) in enumerate([(140, 100), (55, 35), (230, 170)], 2)]
    leaning = [one.leaning for one in found(view(*dice)).dice]
    assert len(leaning) == 3
    assert max(leaning) < 0.5


@pytest.mark.parametrize("towards", [0.0, 1.6, 3.1, 4.7])
def test_a_leaning_die_does_not_and_the_one_beside_it_does(towards: float) -> None:
    seen = found(view(leaning_by(24, towards), FLAT[1]))
    by_value = {one.face.value: one.leaning for one in seen.dice}
    # One whose pips are not made out is not read at all.
    assert by_value.get(5, 1.0) > 0.75
    assert [claim.leans for claim in seen.unread] == [True] * (5 not in by_value)
    assert by_value[2] < 0.5


def test_the_upper_die_of_a_stack_does_not_look_flat() -> None:
    lower = die(3, 140, 100, RED, 0.2)
    upper = replace(die(5, 145, 103, WHITE, 0.9), lift_mm=16.0)
    seen = found(view(lower, upper))
    assert [one.face.value for one in seen.dice] == [5]
    assert seen.dice[0].leaning > 0.75


def test_crops_show_the_faces_upright_in_their_middle() -> None:
    look = DieLook(16.0, (20, 20, 200), (250, 250, 250))
    for turn in (0.0, 0.4, 1.2):
        seen = view(die(4, 140, 100, look, turn))
        (crop,) = stances_of(seen, found(seen).faces).crops
        body = np.abs(crop.astype(int) - crop[SIDE_PX // 2, SIDE_PX // 2]).sum(axis=2) < 120
        half = round(EDGE_PX / 2)
        middle = slice(SIDE_PX // 2 - half + 2, SIDE_PX // 2 + half - 2)
        assert body[middle, SIDE_PX // 2].all()
        assert body[SIDE_PX // 2, middle].all()
        assert not body[:6].any()


def test_slopes_turn_with_the_crops() -> None:
    seen = view(*FLAT)
    faces = found(seen).faces
    plain = seen.slopes(np.array([face.middle for face in faces]))
    turned = stances_of(seen, faces).slopes
    assert np.linalg.norm(turned, axis=1) == pytest.approx(np.linalg.norm(plain, axis=1), rel=1e-5)
    quarter = stances_of(seen, [replace(face, turn_rad=face.turn_rad + math.pi / 2) for face in faces]).slopes
    assert quarter == pytest.approx(np.stack((turned[:, 1], -turned[:, 0]), axis=1), abs=1e-5)


def test_a_flat_die_reaches_from_its_top_to_its_foot_towards_the_camera() -> None:
    above, aside = beside_flat(np.array([[0.0, 0.0], [0.25, 0.0]], np.float32))
    middle, half, foot = SIDE_PX // 2, EDGE_PX / 2, 0.25 * EDGE_PX
    columns = np.flatnonzero(above[middle] < 0)
    assert len(columns) == EDGE_PX
    columns = np.flatnonzero(aside[middle] < 0)
    assert columns[0] == pytest.approx(middle - half, abs=1)
    assert columns[-1] == pytest.approx(middle + half + foot, abs=1)
    assert np.abs(aside).max() <= 1.0


def test_no_faces_give_no_chances_and_the_weights_stay_small() -> None:
    nothing = Stances(np.zeros((0, SIDE_PX, SIDE_PX, 3), np.uint8), np.zeros((0, 2), np.float32))
    assert stance_network().classify(nothing).shape == (0,)
    assert len(resources.files("vision.network").joinpath("stances.onnx").read_bytes()) < 900_000


def test_the_value_of_a_die_is_judged_as_if_it_lay_flat() -> None:
    (one,) = found(view(FLAT[0])).dice
    doubted = replace(one, chances=np.array([0.02, 0, 0, 0, 0, 0.58, 0, 0.4], np.float32))
    assert doubted.agreement == pytest.approx(0.58 / 0.6)
