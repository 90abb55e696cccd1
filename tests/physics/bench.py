"""One column under pulses and hands, in the simulated world or in MuJoCo: what a stopwatch and a protractor show."""

import math
import random
from collections.abc import Callable
from functools import partial

from hardware.box import Box
from hardware.column import CRANK_MM
from hardware.linkage import Link
from hardware.sim import mechanics
from hardware.sim.servo import Tolerances
from hardware.sim.world import World
from hardware.tiles import TileId
from tests.physics.measures import ColumnMeasures, TileMeasures
from tests.physics.mechanism import PhysicsMechanism
from tests.support.hand_clock import HandClock
from tests.support.small_box import RIGID, SLOT, small_box
from tests.support.true_box import servo_of, wood_of

FRONT, BACK = TileId(1, 1), TileId(2, 1)
# A box as it is drawn, with hardly any play: no rod is found at an exact angle.
_PLAY_DEG = 0.4
EXACT = Tolerances(off_us=0.0, play_deg=(_PLAY_DEG,) * 2, overshoot_deg=(0.0, 0.0), clock=0.0, kick="frame")
_STEP_S = 0.001


class _AtOnce(random.Random):
    """Draws the least of a range: the first pulse comes with the command."""

    def uniform(self, a: float, b: float) -> float:
        return a


class Bench:
    """A box of one column, its tiles as they are drawn.

    physics: move it by MuJoCo.
    time_of: the clock of its world instead of `clock`, which is moved by hand.
    """

    def __init__(self, *, physics: bool, rod: Link = "slot", time_of: Callable[[], float] | None = None) -> None:
        self.box: Box = small_box(2, 1, motion=SLOT if rod == "slot" else RIGID)
        self.clock = HandClock()
        clock = time_of or self.clock
        measures = ColumnMeasures.of(TileMeasures(loose_mm=CRANK_MM * math.radians(_PLAY_DEG)), rod)
        self.world = World(self.box, clock, 1, tolerances=EXACT)
        if physics:
            build = partial(PhysicsMechanism, measures=lambda _: measures)
            self.world = World(self.box, clock, 1, tolerances=EXACT, mechanics=build)
        self.world.set_line(self.box.panel.output_enable, False)
        for tile in (FRONT, BACK):
            wood, servo = wood_of(self.world, tile), servo_of(self.world, tile)
            wood._magnet, servo.us_per_s, servo._rng = 1.0, mechanics.US_PER_S, _AtOnce()

    @property
    def physics(self) -> PhysicsMechanism | None:
        mechanism = self.world._mechanism
        return mechanism if isinstance(mechanism, PhysicsMechanism) else None

    def angle_deg(self, tile: TileId) -> float:
        self.world.catch_up()
        return wood_of(self.world, tile).angle_deg

    def pulse(self, tile: TileId, pulse_us: float | None) -> None:
        self.world.drive(self.box.tiles[tile].servo, pulse_us)

    def send(self, tile: TileId, *, shut: bool) -> None:
        self.pulse(tile, self.box.pulse_us(tile, shut=shut))

    def rest(self, tile: TileId) -> None:
        """Bring the horn of a slotted rod to rest, and release its servo."""
        rest_us = self.box.rest_us(tile)
        if rest_us is not None:
            self.pulse(tile, rest_us)
            self.wait(0.5)
        self.pulse(tile, None)
        self.wait(0.3)

    def wait(self, seconds: float) -> None:
        self.clock.pass_s(seconds)
        self.world.catch_up()

    def place(self, tile: TileId, angle_deg: float) -> None:
        """Put a tile of which no servo is driven there, and let it go."""
        self.world.catch_up()
        if self.physics is not None:
            self.physics.place(tile, angle_deg)
        else:
            wood_of(self.world, tile).force_to(angle_deg)
            self.world._mechanism.wake((tile,))

    def lay_die(self) -> None:
        """Lay a die of 16 mm where the front tile comes down."""
        if self.physics is not None:
            self.physics.lay_die_under(FRONT)
        else:
            self.world.lay_die_under(FRONT)

    def course(self, tile: TileId, seconds: float) -> list[tuple[float, float]]:
        """Return the seconds from now and the angles of the tile, step by step."""
        begun_s, seen = self.clock(), []
        while self.clock() < begun_s + seconds:
            self.wait(_STEP_S)
            seen.append((self.clock() - begun_s, self.angle_deg(tile)))
        return seen

    def longest_stall_s(self, tile: TileId) -> float:
        return self.world._mechanism.stress.stalled_s.get(tile, 0.0)


def reached_s(course: list[tuple[float, float]], angle_deg: float) -> float:
    """Return when the tile first passed this angle; infinity: never."""
    begun_deg = course[0][1]
    return next((at_s for at_s, deg in course if (deg - angle_deg) * (begun_deg - angle_deg) <= 0), math.inf)


def settled_s(course: list[tuple[float, float]]) -> float:
    """Return when the tile was last more than 1.5 degrees from where it ends."""
    end_deg = course[-1][1]
    return max((at_s for at_s, deg in course if abs(deg - end_deg) > 1.5), default=0.0)
