"""A servo that gets up speed, shoots beyond its goal, coasts, gets warm, and whose gears hold."""

import random
from itertools import pairwise

import pytest

from hardware.box import load_box
from hardware.column import FRONT
from hardware.sim import mechanics
from hardware.sim.linkage import slotted
from hardware.sim.servo import Mounting, Servo, Tolerances
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.support.hand_clock import HandClock
from tests.support.small_box import rigid_box
from tests.support.true_box import servo_of, stress_of, wood_of

OPEN_US, REST_US, SHUT_US = 820.0, 1655.0, 2090.0
FRONT_7 = TileId(1, 7)
STEP_S = 0.002


class Bench:
    """A servo with a slotted rod and no tile, whose first pulse arrives at once."""

    def __init__(self, overshoot_deg: float = 0.0) -> None:
        self.now_s = 0.0
        self.servo = Servo(
            random.Random(1),
            random.Random(1),
            linkage=slotted(FRONT, OPEN_US, REST_US, SHUT_US),
            nominal_us=(OPEN_US, SHUT_US),
            mounting=Mounting(overshoot_deg=overshoot_deg),
            stalled_a=0.65,
            horn_us=REST_US,
        )

    def run(self, seconds: float) -> list[float]:
        """The places of the horn for so long."""
        places = []
        for _ in range(round(seconds / STEP_S)):
            self.now_s += STEP_S
            self.servo.step(self.now_s, STEP_S, 1.0, -200.0, 200.0)
            places.append(self.servo.horn_us)
        return places

    def speed_us_s(self, pulse_us: float) -> float:
        """The highest speed on the way to this pulse, in microseconds a second."""
        self.servo.command(pulse_us, self.now_s)
        places = [self.servo.horn_us, *self.run(0.4)]
        return max(abs(before - after) for before, after in pairwise(places)) / STEP_S


def test_a_servo_starts_with_the_current_of_a_stalled_one_and_gets_up_speed() -> None:
    bench = Bench()
    bench.servo.command(OPEN_US, 0.0)
    places = [REST_US, *bench.run(0.1)]
    steps = [before - after for before, after in pairwise(places) if before != after]
    assert steps[0] < 0.3 * steps[15]
    assert steps[15] / STEP_S == pytest.approx(bench.servo.us_per_s, rel=0.1)
    bench.servo.command(SHUT_US, bench.now_s)
    currents = {round(bench.servo.current_a, 3) for _ in range(20) if bench.run(STEP_S)}
    assert 0.65 in currents


def test_a_horn_that_gets_up_speed_shoots_beyond_its_goal_and_comes_back_a_slow_one_does_not() -> None:
    bench = Bench(overshoot_deg=5.0)
    bench.servo.command(OPEN_US, 0.0)
    places = bench.run(0.6)
    assert OPEN_US - min(places) == pytest.approx(5.0 * mechanics.US_PER_DEG, abs=6)
    assert places[-1] == pytest.approx(OPEN_US, abs=6)
    bench.servo.command(OPEN_US + 90.0, bench.now_s)
    assert max(bench.run(0.3)) <= OPEN_US + 96


def test_a_servo_that_is_released_while_it_turns_coasts() -> None:
    bench = Bench()
    bench.servo.command(OPEN_US, 0.0)
    bench.run(0.06)
    turning_us = bench.servo.horn_us
    assert OPEN_US < turning_us < REST_US
    bench.servo.command(None, bench.now_s)
    is_coasting = bench.servo.coasts
    rest_us = bench.run(0.3)[-1]
    assert (is_coasting, bench.servo.coasts) == (True, False)
    # From its whole speed, the time constant times that speed.
    assert turning_us - rest_us == pytest.approx(bench.servo.us_per_s * mechanics.COASTS_S, rel=0.15)


def test_a_servo_without_a_pause_gets_slower_by_its_warmth_and_recovers() -> None:
    bench = Bench()
    cold = bench.speed_us_s(OPEN_US)
    for _ in range(300):
        bench.speed_us_s(SHUT_US)
        bench.speed_us_s(OPEN_US)
    warm = bench.speed_us_s(SHUT_US)
    assert 1 - mechanics.WARM_LOSS < warm / cold < 0.97
    bench.servo.command(None, bench.now_s)
    bench.now_s += 3 * mechanics.COOLS_S
    assert bench.speed_us_s(OPEN_US) > 0.99 * cold


def test_a_horn_that_its_tile_stops_beyond_its_goal_turns_back() -> None:
    """A horn whose overshoot presses the tile against its stop stalls for no more than a moment."""
    for seed in range(30):
        clock = HandClock()
        world = World(load_box("two-level-9"), clock, seed, tolerances=Tolerances(off_us=0.0))
        world.set_line(world.box.panel.output_enable, False)
        world.drive(world.box.tiles[FRONT_7].servo, OPEN_US)
        clock.pass_s(1.0)
        world.catch_up()
        assert stress_of(world).stalled_s.get(FRONT_7, 0.0) < 0.02
        assert not servo_of(world, FRONT_7).is_stalled


def test_the_gears_of_a_rigid_rod_hold_a_tile_where_it_is_and_a_hand_turns_them() -> None:
    clock = HandClock()
    world = World(rigid_box(), clock, 1)
    world.hand_moves(FRONT_7, Position.BETWEEN)
    before_us = servo_of(world, FRONT_7).horn_us
    clock.pass_s(10)
    assert world.position(FRONT_7) is Position.BETWEEN, "neither weight nor magnet moves it beyond its play"
    world.hand_moves(FRONT_7, Position.SHUT)
    clock.pass_s(1)
    assert world.position(FRONT_7) is Position.SHUT
    assert servo_of(world, FRONT_7).horn_us > before_us + 300
    assert wood_of(world, FRONT_7).angle_deg == 95
