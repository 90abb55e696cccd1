"""The push-rods: which angles of the tile each pulse allows."""

import pytest

from hardware.sim.linkage import LIFTS_TO_DEG, PUSHES_TO_DEG, Linkage, rigid, slotted
from hardware.sim.mechanics import PLAY_DEG, STANDS_BELOW_DEG, TRAVEL_DEG

OPEN_US, REST_US, SHUT_US = 820.0, 1655.0, 2090.0
SLOT, MIRRORED = slotted(OPEN_US, REST_US, SHUT_US), slotted(SHUT_US, 1255.0, OPEN_US)
HALF_PLAY_DEG = sum(PLAY_DEG) / 4


def test_at_rest_a_slotted_rod_leaves_the_whole_travel_free_with_a_spare_at_either_end() -> None:
    assert SLOT.low_deg(REST_US) < -10
    assert SLOT.high_deg(REST_US) > TRAVEL_DEG + 10
    for off_us in (-60, 60):
        assert SLOT.low_deg(REST_US + off_us) < 0 < TRAVEL_DEG < SLOT.high_deg(REST_US + off_us), "six degrees off"


def test_at_its_ends_a_slotted_rod_of_typical_play_lifts_and_pushes_a_tile_to_where_it_goes_on_by_itself() -> None:
    assert SLOT.high_deg(OPEN_US) + HALF_PLAY_DEG == pytest.approx(LIFTS_TO_DEG, abs=0.5)
    assert SLOT.low_deg(SHUT_US) - HALF_PLAY_DEG == pytest.approx(PUSHES_TO_DEG, abs=0.5)
    assert SLOT.high_deg(OPEN_US) > 0, "it does not press against the stop"
    assert SLOT.high_deg(OPEN_US) + PLAY_DEG[1] / 2 < STANDS_BELOW_DEG < SLOT.low_deg(SHUT_US) - PLAY_DEG[1] / 2


@pytest.mark.parametrize("pulse_us", [900.0, 1200.0, 1655.0, 1900.0, 2080.0])
def test_a_slotted_rod_never_holds_both_ways_and_the_other_way_round_it_is_the_same(pulse_us: float) -> None:
    assert SLOT.low_deg(pulse_us) < 0 or SLOT.high_deg(pulse_us) > TRAVEL_DEG
    mirrored_us = OPEN_US + SHUT_US - pulse_us
    assert MIRRORED.high_deg(mirrored_us) == pytest.approx(SLOT.high_deg(pulse_us), abs=0.5)
    assert MIRRORED.low_deg(mirrored_us) == pytest.approx(SLOT.low_deg(pulse_us), abs=0.5)


def test_a_rigid_rod_has_one_angle_for_each_pulse_and_its_ends_at_those_of_the_tile() -> None:
    rod = rigid(1000.0, 2000.0)
    assert rod.low_deg(1000.0) == pytest.approx(0, abs=0.1)
    assert rod.low_deg(2000.0) == pytest.approx(TRAVEL_DEG, abs=0.1)
    assert all(rod.low_deg(us) == rod.high_deg(us) for us in range(500, 2400, 10))


@pytest.mark.parametrize("rod", [SLOT, rigid(1000.0, 2000.0)])
def test_a_longer_pulse_never_raises_a_tile(rod: Linkage) -> None:
    for one_us in range(500, 2200, 10):
        assert rod.low_deg(one_us) <= rod.low_deg(one_us + 10)
        assert rod.high_deg(one_us) <= rod.high_deg(one_us + 10)
