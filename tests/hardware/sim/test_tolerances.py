"""How the servos of a simulated box differ."""

import pytest

from hardware.box import load_box
from hardware.sim.servo import CAREFUL, JUST_BUILT, Tolerances
from hardware.sim.world import World
from hardware.tiles import TileId
from tests.support.hand_clock import HandClock
from tests.support.true_box import end_points_us, play_deg

BOX = load_box("two-level-9")
FRONT_7 = TileId.parse("front-7")
LOOSE = Tolerances(off_us=0.0, loose=1.0, play_deg=(8.0, 8.0))


def world_of(clock: HandClock, tolerances: Tolerances, seed: int = 1) -> World:
    world = World(BOX, clock, seed, tolerances=tolerances)
    world.set_line(BOX.panel.output_enable, False)
    return world


def angle_deg(world: World, tile: TileId) -> float:
    return world._mechanism.servos[tile].angle_deg


def drive(world: World, clock: HandClock, pulse_us: float, seconds: float) -> None:
    """Pulses for so long; they go on."""
    world.drive(BOX.tiles[FRONT_7].servo, pulse_us)
    clock.now_s += seconds
    world.position(FRONT_7)


def test_a_careful_build_follows_the_profile(clock: HandClock) -> None:
    world = world_of(clock, CAREFUL)
    for tile in BOX.tile_ids:
        open_us, shut_us = end_points_us(world, tile)
        assert shut_us - open_us == pytest.approx(1000)
        assert abs(open_us - 1000) <= 20
        assert play_deg(world, tile) == 0


def test_a_box_just_built_differs_in_offset_direction_travel_and_play(clock: HandClock) -> None:
    ends = [end_points_us(world_of(clock, JUST_BUILT, seed), tile) for seed in range(4) for tile in BOX.tile_ids]
    plays = [play_deg(world_of(clock, JUST_BUILT, seed), tile) for seed in range(4) for tile in BOX.tile_ids]
    travels = [abs(shut_us - open_us) for open_us, shut_us in ends]
    mirrored = sum(shut_us < open_us for open_us, shut_us in ends)
    assert 10 < mirrored < 40
    assert 950 <= min(travels) < 970 < 1030 < max(travels) <= 1050
    assert max(min(end) for end in ends) - min(min(end) for end in ends) > 200
    assert any(plays)
    assert all(play == 0 or 5 <= play <= 10 for play in plays)


def test_a_build_changes_nothing_else_of_a_servo(clock: HandClock) -> None:
    careful, just_built = (world_of(clock, tolerances)._mechanism.servos for tolerances in (CAREFUL, JUST_BUILT))
    assert all(careful[tile]._deg_s == just_built[tile]._deg_s for tile in BOX.tile_ids)


def test_a_mirrored_servo_stands_its_tile_up_with_the_larger_pulse(clock: HandClock) -> None:
    world = world_of(clock, Tolerances(off_us=0.0, mirrored=1.0))
    drive(world, clock, 1000, 0.5)
    assert angle_deg(world, FRONT_7) == pytest.approx(90, abs=1)
    drive(world, clock, 2000, 0.5)
    assert angle_deg(world, FRONT_7) == pytest.approx(0, abs=1)


def test_a_loose_tile_lags_by_half_its_play_either_way(clock: HandClock) -> None:
    world = world_of(clock, LOOSE)
    drive(world, clock, 1500, 0.5)
    assert angle_deg(world, FRONT_7) == pytest.approx(45 - 4, abs=1)
    drive(world, clock, 1900, 0.5)
    drive(world, clock, 1500, 0.5)
    assert angle_deg(world, FRONT_7) == pytest.approx(45 + 4, abs=1)


@pytest.fixture
def clock() -> HandClock:
    return HandClock()
