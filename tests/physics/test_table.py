"""What a column does under pulses and hands: MuJoCo within bounds, and the simulated world like MuJoCo."""

import math
from collections.abc import Iterator, Sequence

import pytest

pytest.importorskip("mujoco", reason="needs mujoco: make lanes")

from hardware import hall
from hardware.column import TRAVEL_DEG
from hardware.linkage import Link
from hardware.sim import mechanics
from hardware.sim.mechanics import MEETS_DEG, ON_DIE_DEG, STANDS_BELOW_DEG
from hardware.tiles import TileId
from tests.physics.bench import BACK, FRONT, Bench, reached_s, settled_s
from tests.physics.column import EDGE_MM, Column
from tests.physics.magnets import field_mt, torque_nm
from tests.physics.measures import ColumnMeasures, TileMeasures

# Where typical switches and Hall sensors answer on the way down and up.
SWITCH_DEG, HALL_SHUTS_DEG, HALL_OPENS_DEG = 14.0, 79.0, 68.0


def compare(row: str, both: Sequence[float], within: float) -> None:
    """The simulated world and MuJoCo give nearly the same; `-s` prints the table."""
    simulated, physical = both
    print(f"| {row} | {simulated:.3f} | {physical:.3f} |")
    assert simulated == pytest.approx(physical, abs=within), row


def compare_s(row: str, both: Sequence[float]) -> None:
    """Both worlds take the same time within a tenth, or within 7 ms: a third of a servo's frame."""
    compare(row, both, within=max(0.1 * both[1], 0.007))


def both_worlds(rod: Link = "slot") -> Iterator[Bench]:
    return (Bench(physics=physics, rod=rod) for physics in (False, True))


def lay_both(bench: Bench) -> None:
    for tile in (FRONT, BACK):
        bench.place(tile, TRAVEL_DEG)
    bench.wait(0.3)


@pytest.mark.parametrize("shut", [True, False], ids=["down", "up"])
@pytest.mark.parametrize("tile", [FRONT, BACK])
def test_a_tile_takes_the_same_time(tile: TileId, shut: bool) -> None:
    edges = ("switch opens", SWITCH_DEG), ("Hall sensor closes", HALL_SHUTS_DEG)
    if not shut:
        edges = ("Hall sensor opens", HALL_OPENS_DEG), ("switch closes", SWITCH_DEG)
    seen = []
    for bench in both_worlds():
        for lying in (FRONT, BACK)[: (tile is BACK) + (not shut)]:
            bench.place(lying, TRAVEL_DEG)
        bench.wait(0.3)
        bench.send(tile, shut=shut)
        course = bench.course(tile, 0.5)
        assert course[-1][1] == pytest.approx(TRAVEL_DEG if shut else 0.0, abs=0.5)
        seen.append((*(reached_s(course, deg) for _, deg in edges), settled_s(course)))
    simulated, physical = seen
    way, end = ("down", "lies") if shut else ("up", "stands")
    for place, name in enumerate((edges[0][0], edges[1][0], end)):
        compare_s(f"{tile} {way}: {name}, s", (simulated[place], physical[place]))
    least_s, most_s = (0.1, 0.15) if shut else (0.11, 0.18)
    assert least_s < physical[1] < physical[2] < most_s


@pytest.mark.parametrize("shut", [True, False])
def test_a_horn_comes_to_rest_in_the_same_time(shut: bool) -> None:
    seen = []
    for bench in both_worlds():
        bench.send(FRONT, shut=shut)
        bench.wait(0.5)
        rest_us = bench.box.rest_us(FRONT)
        assert rest_us is not None
        bench.pulse(FRONT, rest_us)
        begun_s, servo = bench.clock(), bench.world._mechanism.tiles[FRONT].servo
        while abs(servo.horn_us - rest_us) > 20 and bench.clock() < begun_s + 1:
            bench.wait(0.001)
        seen.append(bench.clock() - begun_s)
    compare_s(f"horn back to rest from {'shut' if shut else 'open'}, s", seen)


@pytest.mark.parametrize(("from_deg", "least_s", "most_s"), [(22, 0.15, 0.3), (30, 0.11, 0.18), (60, 0.06, 0.09)])
def test_a_tile_let_go_beyond_its_balance_falls_to_the_ledge(from_deg: float, least_s: float, most_s: float) -> None:
    seen = []
    for bench in both_worlds():
        bench.place(FRONT, from_deg)
        course = bench.course(FRONT, 1.0)
        assert course[-1][1] == pytest.approx(TRAVEL_DEG, abs=0.5)
        seen.append(reached_s(course, TRAVEL_DEG - 1))
    compare_s(f"falls from {from_deg}, s", seen)
    assert least_s < seen[1] < most_s


@pytest.mark.parametrize(("from_deg", "most_s"), [(5, 0.03), (14, 0.09), (18, 0.2)])
def test_a_tile_let_go_near_its_stop_comes_back(from_deg: float, most_s: float) -> None:
    seen = []
    for bench in both_worlds():
        bench.place(FRONT, from_deg)
        course = bench.course(FRONT, 1.0)
        assert course[-1][1] == pytest.approx(0.0, abs=0.5)
        seen.append(settled_s(course))
    compare_s(f"comes back from {from_deg}, s", seen)
    assert seen[1] < most_s


def test_a_tile_is_balanced_at_the_same_angle() -> None:
    seen = []
    for bench in both_worlds():
        for from_deg in (16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0):
            bench.place(FRONT, from_deg)
            bench.wait(1.5)
            if bench.angle_deg(FRONT) > from_deg + 5:
                break
        seen.append(from_deg)
    compare("falls from, degrees", seen, within=1.0)
    assert STANDS_BELOW_DEG - 1 <= seen[1] <= STANDS_BELOW_DEG + 2


def test_weight_and_magnet_pull_as_solids_and_discs_do() -> None:
    column = Column(ColumnMeasures())
    worst_weight = worst_magnet = 0.0
    for tile_deg in range(0, 96, 5):
        weight_nm = column.weight_nm(0, tile_deg)
        worst_weight = max(worst_weight, abs(mechanics.gravity_nm(tile_deg) - weight_nm))
        worst_magnet = max(worst_magnet, abs(mechanics.magnet_nm(tile_deg) - torque_nm(tile_deg, 40)))
    compare("weight, worst difference of the torque, mN m", (0.0, 1000 * worst_weight), within=0.02)
    compare("magnet, worst difference of the torque, mN m", (0.0, 1000 * worst_magnet), within=0.07)


@pytest.mark.parametrize(("down", "least_n", "most_n"), [(True, 0.1, 0.15), (False, 0.03, 0.06)])
def test_a_light_hand_tips_a_tile_at_rest_and_turns_no_gear(down: bool, least_n: float, most_n: float) -> None:
    bench = Bench(physics=True)
    assert bench.physics is not None
    if not down:
        bench.place(FRONT, TRAVEL_DEG)
        bench.wait(0.3)
    column, row = bench.physics.column_of(FRONT)
    physical_n = column.tipping_n(row, down=down)
    at_deg = range(96) if down else range(60, 96)
    torques_nm = [mechanics.gravity_nm(deg) + mechanics.magnet_nm(deg) for deg in at_deg]
    simulated_n = max(-t if down else t for t in torques_nm) / EDGE_MM * 1000
    compare(f"hand tips a tile {'down' if down else 'up'}, N", (simulated_n, physical_n), within=0.01)
    assert least_n < physical_n < most_n
    assert max(column.most_gear_nm) < 0.001


@pytest.mark.parametrize("seconds", [0.4, 0.2, 0.1])
def test_a_hand_that_flicks_a_tile_turns_gears_of_a_rigid_rod_only(seconds: float) -> None:
    free, coupled = (Column(ColumnMeasures(rod=rod)).flick(0, seconds) for rod in ("slot", "rigid"))
    print(f"| flick in {seconds} s, gears of slot and rigid rod, N m | {free:.3f} | {coupled:.3f} |")
    assert free < 0.001
    assert (coupled > 0.12) == (seconds < 0.15)  # what such gears take


@pytest.mark.parametrize(("gear_nm", "least_n", "most_n"), [(0.01, 0.2, 0.4), (0.02, 0.4, 0.6), (0.04, 0.8, 1.0)])
def test_a_hand_that_tips_a_tile_on_a_rigid_rod_turns_its_gears(gear_nm: float, least_n: float, most_n: float) -> None:
    column = Column(ColumnMeasures.of(TileMeasures(gear_friction_nm=gear_nm), "rigid"))
    assert least_n < column.tipping_n(0, down=True) < most_n
    assert column.most_gear_nm[0] > gear_nm


def test_a_hall_sensor_sees_the_field_of_two_charged_faces() -> None:
    gap_mm = 3.0 + hall.SENSOR.depth_mm / 2
    for edge, level_mt, about_deg in (
        ("closes", hall.SENSOR.operate_mt[1], HALL_SHUTS_DEG),
        ("opens", hall.SENSOR.release_mt[1], HALL_OPENS_DEG),
    ):
        tile_deg = TRAVEL_DEG
        while field_mt(tile_deg, gap_mm, hall.MAGNET.remanence_t) > level_mt:
            tile_deg -= 0.1
        simulated_deg = TRAVEL_DEG - hall.turn_deg(level_mt, gap_mm)
        compare(f"typical Hall sensor {edge} at, degrees", (simulated_deg, tile_deg), within=0.5)
        assert tile_deg == pytest.approx(about_deg, abs=1.5)


def test_a_back_tile_meets_a_standing_front_tile_and_takes_it_along() -> None:
    seen = []
    for bench in both_worlds():
        bench.send(BACK, shut=True)
        while bench.angle_deg(FRONT) < 1.0 and bench.clock() < 1.0:
            bench.wait(0.001)
        seen.append(bench.angle_deg(BACK))
        bench.wait(1.0)
        for tile in (FRONT, BACK):
            assert bench.angle_deg(tile) == pytest.approx(TRAVEL_DEG, abs=0.5)
        assert bench.longest_stall_s(BACK) < 0.2
    compare("back tile meets a standing front tile at, degrees", seen, within=1.0)
    assert MEETS_DEG - 1.5 < seen[1] < MEETS_DEG + 2.0


def test_a_front_tile_takes_a_lying_back_tile_along() -> None:
    for bench in both_worlds():
        lay_both(bench)
        bench.send(FRONT, shut=False)
        bench.wait(0.8)
        bench.rest(FRONT)
        if bench.physics is not None:
            assert bench.physics.crowded == {FRONT}  # this is what the stack rule forbids
        for tile in (FRONT, BACK):
            assert bench.angle_deg(tile) == pytest.approx(0.0, abs=1.0)
        assert bench.longest_stall_s(FRONT) < 0.2


def test_a_die_under_a_tile_carries_it_and_stalls_nothing() -> None:
    seen = []
    for bench in both_worlds():
        bench.lay_die()
        bench.send(FRONT, shut=True)
        bench.wait(0.6)
        seen.append(bench.angle_deg(FRONT))
        bench.rest(FRONT)
        assert bench.longest_stall_s(FRONT) < 0.2
    compare("rests on a die at, degrees", seen, within=1.0)
    assert seen[1] == pytest.approx(ON_DIE_DEG, abs=2.0)


def test_a_rigid_rod_leaves_a_tile_where_it_is_let_go() -> None:
    for bench in both_worlds("rigid"):
        for at_deg in (10.0, 20.0, 45.0, 75.0):
            bench.place(FRONT, at_deg)
            bench.wait(1.0)
            assert bench.angle_deg(FRONT) == pytest.approx(at_deg, abs=2.0)


def test_a_rigid_rod_stalls_on_a_die() -> None:
    seen = []
    for bench in both_worlds("rigid"):
        bench.lay_die()
        bench.send(FRONT, shut=True)
        bench.wait(0.6)
        bench.pulse(FRONT, None)
        seen.append(bench.longest_stall_s(FRONT))
        assert bench.angle_deg(FRONT) < TRAVEL_DEG - 15
    compare_s("rigid rod: stall on a die in 0.6 s, s", seen)
    assert math.isfinite(seen[1])
    assert seen[1] > 0.2
