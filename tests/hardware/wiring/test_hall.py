"""The sensor and the magnet of the parts list see each other when a tile lies, and only then."""

import math
import random
from collections.abc import Iterable
from itertools import pairwise

import pytest

from firmware.calibration.fit import SOUND_PLAY_DEG
from firmware.calibration.measure import FAR_DEG, LIFT_DEG
from hardware import hall
from hardware.column import TRAVEL_DEG
from hardware.hall import DiscMagnet
from hardware.sim.contacts import Contact, hall_sensor, limit_switch

# The strongest grade that is sold for little discs (N52); the parts list says N35 or stronger.
STRONGEST = DiscMagnet(hall.MAGNET.diameter_mm, hall.MAGNET.height_mm, "N52", 1.48)
MIDDLE_MM = sum(hall.GAP_MM) / 2 + hall.SENSOR.depth_mm / 2


def change_deg(contact: Contact, angles_deg: Iterable[float]) -> float:
    """The angle at which a simulated contact changes on the way over `angles_deg`."""
    return next(angle for angle in angles_deg if contact.follow(angle, 0.0))


@pytest.mark.parametrize("gap_mm", [2.0, 4.0, 5.52])
def test_the_formula_of_the_axis_is_what_the_faces_sum_up_to(gap_mm: float) -> None:
    assert hall.MAGNET.field_mt(gap_mm) == pytest.approx(hall.field_mt(hall.MAGNET, gap_mm, 0.0), rel=0.02)


def test_a_magnet_is_half_its_remanence_where_it_is_long_and_nothing_far_away() -> None:
    assert DiscMagnet(1.0, 1000.0, "", 1.2).field_mt(0.0) == pytest.approx(600, rel=1e-3)
    assert hall.MAGNET.field_mt(1000.0) < 1e-4
    assert all(near > far for near, far in pairwise(map(hall.MAGNET.field_mt, range(20))))


def test_the_weakest_magnet_at_the_largest_distance_closes_the_dullest_sensor_with_a_margin() -> None:
    assert hall.least_field_mt() > 1.5 * hall.SENSOR.operate_mt[2]
    # A tile that lies two degrees short of its ledge, the magnet being that much higher.
    assert hall.field_mt(hall.MAGNET, hall.GAP_MM[1] + hall.SENSOR.depth_mm, 2.0) > 1.2 * hall.SENSOR.operate_mt[2]


def test_the_strongest_magnet_of_an_open_tile_lets_the_keenest_sensor_go_with_a_margin() -> None:
    away_mm = math.sqrt(2) * hall.AXLE_MM - STRONGEST.height_mm  # on its axis, where a magnet reaches farthest
    assert STRONGEST.field_mt(away_mm) < 0.7 * hall.SENSOR.release_mt[0]
    for gap_mm in (hall.GAP_MM[0], MIDDLE_MM):
        assert abs(hall.field_mt(STRONGEST, gap_mm, 90.0)) < 0.5 * hall.SENSOR.release_mt[0]


def test_the_sensor_lets_go_long_before_the_limit_switch_closes() -> None:
    switches = [limit_switch(random.Random(seed), 0.0) for seed in range(100)]
    closed_deg = max(change_deg(switch, range(90)) for switch in switches)

    assert TRAVEL_DEG - hall.turn_deg(hall.SENSOR.release_mt[0], hall.GAP_MM[0]) > closed_deg + 10


@pytest.mark.parametrize("gap_mm", [hall.GAP_MM[0], MIDDLE_MM])
def test_a_sensor_that_answers_far_before_the_ledge_has_the_hysteresis_on_which_the_calibration_counts(
    gap_mm: float,
) -> None:
    parts = [part / 50 for part in range(51)]  # from the keenest to the dullest
    levels = (
        [least + part * (most - least) for part in parts]
        for least, _, most in (hall.SENSOR.operate_mt, hall.SENSOR.release_mt)
    )
    turns = [(hall.turn_deg(on, gap_mm), hall.turn_deg(off, gap_mm)) for on, off in zip(*levels, strict=True)]
    far = [off - on for on, off in turns if on > FAR_DEG - SOUND_PLAY_DEG[1] / 2 - 1.5]

    assert far or gap_mm > hall.GAP_MM[0]
    assert all(own > LIFT_DEG + SOUND_PLAY_DEG[1] for own in far)


@pytest.mark.parametrize(("kind", "least_deg", "most_deg"), [("typical", 13, 19), ("dull", 8, 9), ("keen", 29, 30)])
def test_the_simulated_sensor_closes_where_the_real_one_may(kind: str, least_deg: int, most_deg: int) -> None:
    """The dullest of the data sheet at the farthest magnet, the keenest at the nearest, and what lies between."""
    sensors = [hall_sensor(random.Random(seed), 0.0, kind) for seed in range(100)]
    steps = [step / 2 for step in range(2 * round(TRAVEL_DEG) + 1)]
    before = [TRAVEL_DEG - change_deg(sensor, steps) for sensor in sensors]
    keeps = [TRAVEL_DEG - change_deg(sensor, reversed(steps)) for sensor in sensors]
    farthest_mm, nearest_mm = hall.GAP_MM[1] + hall.SENSOR.depth_mm, hall.GAP_MM[0]

    assert least_deg - 0.5 <= min(before) <= max(before) <= most_deg + 0.5
    assert hall.turn_deg(hall.SENSOR.operate_mt[2], farthest_mm) - 0.5 < min(before)
    assert max(before) < hall.turn_deg(hall.SENSOR.operate_mt[0], nearest_mm)
    assert all(9 <= off - on <= 20 for on, off in zip(before, keeps, strict=True))
