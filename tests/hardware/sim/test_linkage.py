"""The push-rods: which angles of the tile each pulse allows, in both rows."""

import pytest

from hardware.column import BACK, FRONT, LIFTS_TO_DEG, PUSHES_TO_DEG, ROWS, TRAVEL_DEG, Row
from hardware.linkage import horn_angles, rod_of
from hardware.sim.linkage import Linkage, rigid, slotted
from hardware.sim.mechanics import PLAY_DEG, STANDS_BELOW_DEG

OPEN_US, REST_US, SHUT_US = 820.0, 1655.0, 2090.0
SLOTS = {row: slotted(row, OPEN_US, REST_US, SHUT_US) for row in ROWS}
MIRRORED = {row: slotted(row, SHUT_US, 1255.0, OPEN_US) for row in ROWS}
HALF_PLAY_DEG = sum(PLAY_DEG) / 4

each_row = pytest.mark.parametrize("row", ROWS, ids=["front", "back"])


@each_row
def test_at_rest_a_slotted_rod_leaves_the_whole_travel_free_with_a_spare_at_either_end(row: Row) -> None:
    slot = SLOTS[row]
    assert slot.low_deg(REST_US) < -10
    assert slot.high_deg(REST_US) > TRAVEL_DEG + 10
    for off_us in (-60, 60):
        assert slot.low_deg(REST_US + off_us) < 0 < TRAVEL_DEG < slot.high_deg(REST_US + off_us), "six degrees off"


@each_row
def test_at_its_ends_a_slotted_rod_of_typical_play_lifts_and_pushes_a_tile_to_where_it_goes_on_by_itself(
    row: Row,
) -> None:
    slot = SLOTS[row]
    assert slot.high_deg(OPEN_US) + HALF_PLAY_DEG == pytest.approx(LIFTS_TO_DEG, abs=0.5)
    assert slot.low_deg(SHUT_US) - HALF_PLAY_DEG == pytest.approx(PUSHES_TO_DEG, abs=0.5)
    assert slot.high_deg(OPEN_US) > 0, "it does not press against the stop"
    assert slot.high_deg(OPEN_US) + PLAY_DEG[1] / 2 < STANDS_BELOW_DEG < slot.low_deg(SHUT_US) - PLAY_DEG[1] / 2


@each_row
@pytest.mark.parametrize("pulse_us", [900.0, 1200.0, 1655.0, 1900.0, 2080.0])
def test_a_slotted_rod_never_holds_both_ways_and_the_other_way_round_it_is_the_same(row: Row, pulse_us: float) -> None:
    slot, mirrored = SLOTS[row], MIRRORED[row]
    assert slot.low_deg(pulse_us) < 0 or slot.high_deg(pulse_us) > TRAVEL_DEG
    mirrored_us = OPEN_US + SHUT_US - pulse_us
    assert mirrored.high_deg(mirrored_us) == pytest.approx(slot.high_deg(pulse_us), abs=0.5)
    assert mirrored.low_deg(mirrored_us) == pytest.approx(slot.low_deg(pulse_us), abs=0.5)


@each_row
def test_a_rigid_rod_has_one_angle_for_each_pulse_and_its_ends_at_those_of_the_tile(row: Row) -> None:
    rod = rigid(row, 1000.0, 2000.0)
    assert rod.low_deg(1000.0) == pytest.approx(0, abs=0.2)
    assert rod.low_deg(2000.0) == pytest.approx(TRAVEL_DEG, abs=0.2)
    assert all(rod.low_deg(us) == rod.high_deg(us) for us in range(500, 2400, 10))


@pytest.mark.parametrize("rod", [*SLOTS.values(), rigid(FRONT, 1000.0, 2000.0), rigid(BACK, 1000.0, 2000.0)])
def test_a_longer_pulse_never_raises_a_tile(rod: Linkage) -> None:
    for one_us in range(700, 2200, 10):
        assert rod.low_deg(one_us) <= rod.low_deg(one_us + 10)
        assert rod.high_deg(one_us) <= rod.high_deg(one_us + 10)


@pytest.mark.parametrize("link", ["slot", "rigid"])
@each_row
def test_both_rows_turn_their_servos_the_same_way(row: Row, link: str) -> None:
    """All servos of a batch turn the same way with a longer pulse, so one mounting must do for both rows."""
    angles = horn_angles(rod_of(row, "slot" if link == "slot" else "rigid"))
    x, _, _ = row.shaft_mm(14.0)
    assert x < row.lane_mm, "the peg lies to the right of its shaft"
    assert angles.shut_deg < angles.open_deg, "turning left, seen from above, carries it to the back and lays the tile"


@each_row
def test_the_pulses_of_the_profile_fit_both_rows(row: Row) -> None:
    """They lift and push as far as drawn within two degrees of the horn, but never press a tile against its stop."""
    rod = rod_of(row, "slot")
    angles = horn_angles(rod, HALF_PLAY_DEG)
    assert angles.rest_deg is not None
    lifts_deg, pushes_deg = (REST_US - OPEN_US) * 0.09, (SHUT_US - REST_US) * 0.09
    assert lifts_deg == pytest.approx(angles.open_deg - angles.rest_deg, abs=2.0)
    assert pushes_deg == pytest.approx(angles.rest_deg - angles.shut_deg, abs=1.0)
    assert lifts_deg < rod.lifting_horn_deg(0.0) - angles.rest_deg - 2.0


@each_row
def test_a_horn_mounted_straight_along_the_row_at_1500_us_rests_where_the_drawing_has_it(row: Row) -> None:
    assert row.rest_horn_deg + (REST_US - 1500.0) * 0.09 == pytest.approx(0.0, abs=1.5)
