"""The sensor and the magnet of the parts list see each other when a tile lies, and only then."""

import math
import random
from collections.abc import Iterable
from itertools import pairwise

import pytest

from firmware.calibration.fit import SHUT_PLAY_DEG
from hardware import hall
from hardware.hall import DiscMagnet
from hardware.sim.contacts import Contact, hall_sensor, limit_switch

# The strongest grade that is sold for little discs (N52); the parts list says N35 or stronger.
STRONGEST = DiscMagnet(hall.MAGNET.diameter_mm, hall.MAGNET.height_mm, "N52", 1.48)
MIDDLE_MM = sum(hall.GAP_MM) / 2 + hall.SENSOR.depth_mm / 2


def field_mt(magnet: DiscMagnet, gap_mm: float, angle_deg: float) -> float:
    """The field in mT along the sensor's axis while the tile is at an angle: both faces of the disc summed up.

    The axle lies beside the sensor, as high as its element, and the tile turns about it.
    """
    turn, total = math.radians(90 - angle_deg), 0.0
    rings, steps, radius = 12, 24, magnet.diameter_mm / 2
    for height, charge in ((gap_mm, 1.0), (gap_mm + magnet.height_mm, -1.0)):
        for ring in range(rings):
            out = radius * (ring + 0.5) / rings
            patch = out * (radius / rings) * (2 * math.pi / steps)
            for step in range(steps):
                along = out * math.cos(2 * math.pi * step / steps) + hall.AXLE_MM
                across = out * math.sin(2 * math.pi * step / steps)
                x = along * math.cos(turn) - height * math.sin(turn) - hall.AXLE_MM
                z = along * math.sin(turn) + height * math.cos(turn)
                total += charge * patch * z / math.hypot(x, across, z) ** 3
    return 1000 * magnet.remanence_t / (4 * math.pi) * total


def angle_at(level_mt: float, gap_mm: float) -> float:
    """The angle in degrees at which the field of the parts list's magnet passes a level."""
    low, high = 0.0, 90.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (low, middle) if field_mt(hall.MAGNET, gap_mm, middle) > level_mt else (middle, high)
    return high


def own_play_deg(gap_mm: float) -> list[float]:
    """By how many degrees the keenest, a typical and the dullest sensor keep closed on the way up."""
    levels = zip(hall.SENSOR.operate_mt, hall.SENSOR.release_mt, strict=True)
    return [angle_at(operate, gap_mm) - angle_at(release, gap_mm) for operate, release in levels]


def change_deg(contact: Contact, angles_deg: Iterable[float]) -> float:
    """The angle at which a simulated contact changes on the way over `angles_deg`."""
    return next(angle for angle in angles_deg if contact.follow(angle, 0.0))


@pytest.mark.parametrize("gap_mm", [2.0, 4.0, 5.52])
def test_the_formula_of_the_axis_is_what_the_faces_sum_up_to(gap_mm: float) -> None:
    assert hall.MAGNET.field_mt(gap_mm) == pytest.approx(field_mt(hall.MAGNET, gap_mm, 90.0), rel=0.01)


def test_a_magnet_is_half_its_remanence_where_it_is_long_and_nothing_far_away() -> None:
    assert DiscMagnet(1.0, 1000.0, "", 1.2).field_mt(0.0) == pytest.approx(600, rel=1e-3)
    assert hall.MAGNET.field_mt(1000.0) < 1e-4
    assert all(near > far for near, far in pairwise(map(hall.MAGNET.field_mt, range(20))))


def test_the_weakest_magnet_at_the_largest_distance_closes_the_dullest_sensor_with_a_margin() -> None:
    assert hall.least_field_mt() > 1.5 * hall.SENSOR.operate_mt[2]
    # A tile that lies two degrees short of its ledge, the magnet being that much higher.
    assert field_mt(hall.MAGNET, hall.GAP_MM[1] + hall.SENSOR.depth_mm, 88.0) > 1.2 * hall.SENSOR.operate_mt[2]


def test_the_strongest_magnet_of_an_open_tile_lets_the_keenest_sensor_go_with_a_margin() -> None:
    away_mm = math.sqrt(2) * hall.AXLE_MM - STRONGEST.height_mm  # on its axis, where a magnet reaches farthest
    assert STRONGEST.field_mt(away_mm) < 0.7 * hall.SENSOR.release_mt[0]
    for gap_mm in (hall.GAP_MM[0], MIDDLE_MM):
        assert abs(field_mt(STRONGEST, gap_mm, 0.0)) < 0.5 * hall.SENSOR.release_mt[0]


def test_the_sensor_lets_go_long_before_the_limit_switch_closes() -> None:
    switches = [limit_switch(random.Random(seed), 0.0) for seed in range(100)]
    closed_deg = max(change_deg(switch, range(90)) for switch in switches)

    assert angle_at(hall.SENSOR.release_mt[0], hall.GAP_MM[0]) > closed_deg + 10


@pytest.mark.parametrize("gap_mm", [hall.GAP_MM[0], MIDDLE_MM, hall.GAP_MM[1] + hall.SENSOR.depth_mm])
def test_the_calibration_takes_no_sensor_s_own_play_for_a_loose_linkage(gap_mm: float) -> None:
    keenest, typical, dullest = own_play_deg(gap_mm)

    assert 9 < dullest < typical < keenest < SHUT_PLAY_DEG


def test_the_simulated_sensor_closes_where_the_real_one_may() -> None:
    sensors = [hall_sensor(random.Random(seed), 0.0) for seed in range(100)]
    simulated = [change_deg(sensor, range(90)) for sensor in sensors]
    least, _, most = (angle_at(level, MIDDLE_MM) for level in hall.SENSOR.operate_mt)

    assert least < min(simulated) <= max(simulated) < most < 85
