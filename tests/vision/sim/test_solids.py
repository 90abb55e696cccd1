"""Where faces and corners of simulated dice lie."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from hardware.box import FieldLayout
from hardware.sim.dice import D20, LOOKS, DieLook, SimulatedDie
from tests.support.stage import RED, WHITE, die
from tools.scenes import arrangement
from vision.sim.optics import Optics
from vision.sim.solids import gap_mm, solid_of

GEM = DieLook(13.0, *LOOKS[7], faces=D20, sides=20)
LAYOUT = FieldLayout()


@pytest.mark.parametrize("look", [WHITE, replace(WHITE, left_handed=True), GEM])
def test_opposite_faces_add_to_one_more_than_there_are_faces(look: DieLook) -> None:
    faces = solid_of(die(1, 0, 0, look)).faces
    assert sorted(face.value for face in faces) == list(range(1, look.sides + 1))
    for face in faces:
        opposite = min(faces, key=lambda other: float(other.normal @ face.normal))
        assert face.value + opposite.value == look.sides + 1


@pytest.mark.parametrize(("left_handed", "right"), [(False, 3), (True, 4)])
def test_1_2_3_run_anticlockwise_and_clockwise_on_a_left_handed_die(left_handed: bool, right: int) -> None:
    lying = SimulatedDie(1, 2, 0, 0, 0.0, replace(WHITE, left_handed=left_handed))
    assert facing(lying, (0, 1, 0)) == 2
    assert facing(lying, (1, 0, 0)) == right


def test_a_left_handed_die_with_twenty_sides_is_the_mirror_image() -> None:
    lying, mirrored = (die(20, 0, 0, replace(GEM, left_handed=left), 0.0) for left in (False, True))
    lying, mirrored = (replace(one, near_value=2) for one in (lying, mirrored))
    assert facing(lying, (0.6, -0.4, 0.7)) == facing(mirrored, (-0.6, -0.4, 0.7)) != facing(mirrored, (0.6, -0.4, 0.7))


def facing(lying: SimulatedDie, direction: tuple[float, float, float]) -> int:
    return max(solid_of(lying).faces, key=lambda face: float(face.normal @ np.array(direction))).value


def test_a_die_turns_clockwise_as_seen_from_above() -> None:
    # Near is +y; a quarter clockwise, y being down, brings it to the left.
    assert facing(SimulatedDie(1, 2, 0, 0, math.pi / 2, WHITE), (-1, 0, 0)) == 2


@pytest.mark.parametrize("look", [WHITE, GEM])
@pytest.mark.parametrize("lean_deg", [0, 8, 25, 40])
def test_a_cocked_dies_top_tips_by_the_angle_to_the_side_stated(look: DieLook, lean_deg: int) -> None:
    for towards in (0.3, 1.2, 4.0):
        cocked = replace(die(6, 50, 60, look), lean_rad=math.radians(lean_deg), lean_to_rad=towards, lift_mm=3.0)
        normal = arrangement.top_face(cocked).normal
        assert math.degrees(math.acos(min(1.0, normal[2]))) == pytest.approx(lean_deg, abs=1e-5)
        if lean_deg:
            assert math.atan2(normal[1], normal[0]) % (2 * math.pi) == pytest.approx(towards)
        solid = solid_of(cocked)
        assert np.min(solid.core[:, 2]) - solid.radius_mm == pytest.approx(3.0)


def test_a_flat_cubes_corners_are_half_an_edge_from_its_middle() -> None:
    corners = solid_of(SimulatedDie(3, 1, 100, 50, 0.0, RED)).corners
    assert corners.min(axis=0) == pytest.approx([92, 42, 0])
    assert corners.max(axis=0) == pytest.approx([108, 58, 16])


def test_corners_are_projected_as_a_pinhole_does() -> None:
    optics = Optics(1000.0, (640.0, 360.0), (140.0, 100.0, 400.0))
    corners = solid_of(SimulatedDie(3, 1, 148, 108, 0.0, RED)).corners
    seen = optics.project(corners[corners[:, 2] > 8])
    near = 1000 / (400 - 16)
    assert seen.max(axis=0) == pytest.approx([640 + 16 * near, 360 + 16 * near])
    assert seen.min(axis=0) == pytest.approx([640, 360])


def test_a_bottom_that_is_not_beside_the_top_is_refused() -> None:
    with pytest.raises(ValueError, match="6 lies beside no 1"):
        solid_of(SimulatedDie(1, 6, 0, 0, 0.0, WHITE))


@pytest.mark.parametrize("away_mm", [14.0, 16.0, 21.5])
def test_the_gap_of_two_cubes_side_by_side_is_their_distance_less_an_edge(away_mm: float) -> None:
    one, other = (SimulatedDie(2, 1, x, 0, 0.0, WHITE) for x in (0.0, away_mm))
    assert gap_mm(one, other) == pytest.approx(away_mm - 16)


def test_corner_to_corner_the_rounding_counts() -> None:
    one, other = (SimulatedDie(2, 1, x, 0, math.pi / 4, WHITE) for x in (0.0, 16 * math.sqrt(2)))
    assert gap_mm(one, other) == pytest.approx(2 * 1.92 * (math.sqrt(2) - 1))


@pytest.mark.parametrize("seed", range(12))
def test_touching_and_leaning_dice_touch_and_are_not_in_one_another(seed: int) -> None:
    rng = random.Random(seed)
    lying = die(4, 140, 100, WHITE, rng.uniform(0, 6))
    for other in (
        arrangement.lay_touching(rng, lying, RED),
        arrangement.lean_on(rng, lying, RED, rng.uniform(0.14, 0.7)),
    ):
        assert 0 <= gap_mm(lying, other) < 0.05
    upper = arrangement.lay_on(rng, lying, RED)
    assert gap_mm(lying, upper) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_a_die_that_leans_on_a_wall_touches_it_and_tips_towards_it(seed: int) -> None:
    cocked = arrangement.lean_on_wall(random.Random(seed), WHITE, LAYOUT, 0.4)
    solid = solid_of(cocked)
    low, high = solid.core.min(axis=0) - solid.radius_mm, solid.core.max(axis=0) + solid.radius_mm
    gaps = (LAYOUT.width_mm - high[0], LAYOUT.depth_mm - high[1], low[0], low[1])
    assert min(gaps) == pytest.approx(0, abs=1e-9)
    assert round(cocked.lean_to_rad / (math.pi / 2)) == int(np.argmin(gaps))
