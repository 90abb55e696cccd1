"""How the servos of a simulated box differ."""

import pytest

from hardware.box import Box, load_box
from hardware.sim.servo import CAREFUL, JUST_BUILT, Tolerances
from hardware.sim.world import World
from hardware.tiles import TileId
from tests.support.hand_clock import HandClock
from tests.support.small_box import rigid_box
from tests.support.true_box import end_points_us, play_deg, servo_of, wood_of

SLOT, RIGID = load_box("two-level-9"), rigid_box()
FRONT_7 = TileId.parse("front-7")


def world_of(clock: HandClock, tolerances: Tolerances, seed: int = 1, box: Box = RIGID) -> World:
    world = World(box, clock, seed, tolerances=tolerances)
    world.set_line(box.panel.output_enable, False)
    return world


def angle_at(world: World, clock: HandClock, pulse_us: float) -> float:
    """The angle of front-7 after half a second of pulses, which go on."""
    world.drive(world.box.tiles[FRONT_7].servo, pulse_us)
    clock.pass_s(0.5)
    world.catch_up()
    return wood_of(world, FRONT_7).angle_deg


def test_a_careful_build_follows_the_profile(clock: HandClock) -> None:
    world = world_of(clock, CAREFUL)
    for tile in RIGID.tile_ids:
        open_us, shut_us = end_points_us(world, tile)
        assert shut_us - open_us == pytest.approx(1000)
        assert abs(open_us - 1000) <= 20
        assert 2 <= play_deg(world, tile) <= 5


def test_the_ends_of_a_slotted_rod_are_those_of_the_profile_and_its_play(clock: HandClock) -> None:
    world = world_of(clock, Tolerances(off_us=0.0), box=SLOT)
    for tile in SLOT.tile_ids:
        open_us, shut_us = end_points_us(world, tile)
        assert abs(open_us - 820) < 30
        assert abs(shut_us - 2090) < 30


def test_a_box_just_built_differs_in_offset_direction_travel_and_play(clock: HandClock) -> None:
    ends = [end_points_us(world_of(clock, JUST_BUILT, seed), tile) for seed in range(4) for tile in RIGID.tile_ids]
    plays = [play_deg(world_of(clock, JUST_BUILT, seed), tile) for seed in range(4) for tile in RIGID.tile_ids]
    travels = [abs(shut_us - open_us) for open_us, shut_us in ends]
    mirrored = sum(shut_us < open_us for open_us, shut_us in ends)
    assert 10 < mirrored < 40
    assert 950 <= min(travels) < 970 < 1030 < max(travels) <= 1050
    assert max(min(end) for end in ends) - min(min(end) for end in ends) > 200
    assert all(2 <= play <= 5 or 10 <= play <= 15 for play in plays)
    assert 0 < sum(play >= 10 for play in plays) < 20


def test_a_build_changes_nothing_else_of_a_servo(clock: HandClock) -> None:
    careful, just_built = (world_of(clock, tolerances) for tolerances in (CAREFUL, JUST_BUILT))
    for tile in RIGID.tile_ids:
        one, other = servo_of(careful, tile), servo_of(just_built, tile)
        assert (one.us_per_s, one._dead_us, one._overshoot_us) == (other.us_per_s, other._dead_us, other._overshoot_us)


@pytest.mark.parametrize(("box", "longer_us"), [(SLOT, 2090), (RIGID, 2000)])
def test_a_mirrored_servo_stands_its_tile_up_with_the_larger_pulse(
    clock: HandClock, box: Box, longer_us: float
) -> None:
    world = world_of(clock, Tolerances(off_us=0.0, mirrored=1.0), box=box)
    assert angle_at(world, clock, box.pulse_us(FRONT_7, shut=False)) == pytest.approx(95, abs=3)
    assert angle_at(world, clock, longer_us) == pytest.approx(0, abs=3)


def test_a_loose_tile_on_a_rigid_rod_leans_to_where_weight_and_magnet_pull_it(clock: HandClock) -> None:
    tight, loose = (
        world_of(clock, Tolerances(off_us=0.0, play_deg=(play, play), overshoot_deg=(0.0, 0.0))) for play in (0.0, 8.0)
    )
    falls_deg, held_deg = ((angle_at(world, clock, 1500), angle_at(world, clock, 1150)) for world in (loose, tight))
    assert falls_deg[0] == pytest.approx(held_deg[0] + 4, abs=1), "down by its weight"
    assert falls_deg[1] == pytest.approx(held_deg[1] - 4, abs=1), "back to its magnet"


@pytest.fixture
def clock() -> HandClock:
    return HandClock()
