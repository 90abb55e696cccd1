"""One micro servo and its horn: its pulses and tolerances, speed, overshoot, dead band, stall and current.

The figures are in `mechanics.py`. A servo that receives the remainder of a cut pulse kicks: ArduPilot issue 19772 has
oscillograms of it with a PCA9685; Pi4J-v1 540, RPIO 75 and PX4 27833 report up to 20 degrees.
"""

import math
import random
from dataclasses import dataclass
from typing import Literal

from hardware.box import mirrored_us
from hardware.sim import mechanics
from hardware.sim.linkage import Linkage
from hardware.tiles import TileId
from hardware.wires import ServoChannel

FRAME_S = 0.02  # 50 pulses a second, even if the profile sets another frequency
# The widths that a servo accepts as a pulse; a constantly high line is none, and neither is a short remainder.
PULSE_US = (400.0, 2600.0)


@dataclass(frozen=True, slots=True)
class Pulse:
    """One pulse in every frame: `width_us` long, from `on_us` after the frame's beginning."""

    width_us: float
    on_us: float = 0.0

    def cut_at(self, at_us: float) -> float | None:
        """Return the width of the runt that is left when the pulses end `at_us` after the frame's beginning.

        None: no pulse was under way, or too little of it had passed for a servo to accept it.
        """
        passed_us = at_us - self.on_us
        return passed_us if PULSE_US[0] <= passed_us < self.width_us else None


class Cuts:
    """The moments within a frame at which pulses end, drawn evenly: nothing is synchronous with a board's frames.

    Pulses of one board that end at the same time end at the same moment of the frame: /OE and SLEEP cut all channels of
    a board together. Each board runs on its own clock.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._drawn: dict[int, tuple[float, float]] = {}

    def runt_us(self, wire: ServoChannel, pulse: Pulse, now_s: float) -> float | None:
        """Return the runt, in microseconds, that a pulse of `wire` leaves when it ends now; None if it leaves none."""
        at_s, at_us = self._drawn.get(wire.board, (-1.0, 0.0))
        if at_s != now_s:
            at_us = self._rng.uniform(0.0, FRAME_S * 1e6)
            self._drawn[wire.board] = now_s, at_us
        return pulse.cut_at(at_us)


@dataclass(frozen=True, slots=True)
class Mounting:
    """The mounting of one servo in its box.

    off_us: the error of its horn, as a pulse width.
    travel: its pulse difference for the way of the tile, relative to the profile's.
    mirrored: a longer pulse raises the tile where it should lay it down, or the other way round.
    play_deg: the play of gears, horn and rod, in degrees of the tile.
    overshoot_deg: how far the horn turns beyond its goal before it comes back.
    digital: it holds its place when its pulses end.
    kick_s: how long it acts on the runt of a cut pulse (least, most, in seconds).
    """

    off_us: float = 0.0
    travel: float = 1.0
    mirrored: bool = False
    play_deg: float = 0.0
    overshoot_deg: float = 0.0
    digital: bool = False
    kick_s: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The spread of a box's mechanics, drawn from the seed tile by tile, so that the same seed builds the same box.

    off_us: largest error of a horn either way. One of the 21 to 25 splines of a micro servo's shaft is 14 to 17
    degrees, so no horn is off by more than half of that, 100 us; the rod adds its own error.
    travel: largest relative error of the pulse difference, either way.
    mirrored: fraction of servos mounted the other way round.
    play_deg, overshoot_deg: of every tile (least, most).
    loose: fraction of linkages with a play of `loose_deg` (least, most) instead.
    digital: fraction of servos that hold when their pulses end.
    clock: largest relative error of a servo board's clock, which makes every pulse longer or shorter. PCA9685 boards
    were measured to run at 23 to 27 MHz instead of 25; less is left where that is measured and corrected.
    kick_s: how long the other servos kick when a pulse is cut: half a frame to four frames, which gives the reported 20
    degrees.
    kick: whether an output that is switched fully off cuts its pulse at once, or at the end of its frame. The data
    sheet does not say (PCA9685 rev. 4, figures 10 and 11, example 4); /OE cuts at once in both cases. A new width
    counts from the next frame (examples 1 to 3); where "any" change cuts, the data sheet is wrong about that.
    halls: which sensors and gaps of the parts list are built in: typical ones, or the extremes.
    """

    off_us: float = 20.0
    travel: float = 0.0
    mirrored: float = 0.0
    play_deg: tuple[float, float] = mechanics.PLAY_DEG
    overshoot_deg: tuple[float, float] = mechanics.OVERSHOOT_DEG
    loose: float = 0.0
    loose_deg: tuple[float, float] = (10.0, 15.0)
    digital: float = 0.0
    clock: float = 0.005
    kick_s: tuple[float, float] = (0.010, 0.080)
    kick: Literal["cut", "frame", "any"] = "cut"
    halls: Literal["typical", "dull", "keen"] = "typical"

    def mounting(self, seed: int, tile: TileId) -> Mounting:
        """Draw the mounting of the tile's servo."""
        rng = random.Random(f"{seed}/build/{tile}")
        off_us = rng.uniform(-self.off_us, self.off_us)
        travel = 1.0 + rng.uniform(-self.travel, self.travel)
        mirrored = rng.random() < self.mirrored
        play_deg, overshoot_deg = rng.uniform(*self.play_deg), rng.uniform(*self.overshoot_deg)
        loose, loose_deg = rng.random() < self.loose, rng.uniform(*self.loose_deg)
        digital = rng.random() < self.digital
        return Mounting(off_us, travel, mirrored, loose_deg if loose else play_deg, overshoot_deg, digital, self.kick_s)


# A box that follows its profile: horns mounted with a gauge.
CAREFUL = Tolerances()
# A newly assembled box: horns mounted by eye, a third of the servos the other way round, some linkages loose.
JUST_BUILT = Tolerances(off_us=150.0, travel=0.05, mirrored=0.33, loose=0.05, clock=0.08)

SLOW_FACTOR = 0.3  # speed left to a slow servo: it still arrives within a drive, but late

_STILL_US_S = 50.0  # a horn that runs out slower than this stands still


class Servo:
    """A servo, moved by pulses alone: the place of its horn, as the pulse that leads there, and its current.

    A new width counts from the next frame on. When pulses end, an analog servo runs out, a digital one goes on to the
    last width that it received. A cut pulse is a width too: an analog servo kicks towards it for a moment. Without
    pulses the gears hold the horn against weight and magnet, but not against another servo or a hand.

    horn_us: where the horn is.
    low_deg, high_deg: the angles that horn and rod leave to the tile.
    is_driven: pulses arrive.
    is_stalled: pulses would move the horn, and something keeps it.
    kicks: the number of kicks so far.

    reversed: it turns the other way at the same pulse, as one of another make.

    nominal_us: the profile's pulses from open to shut, the ends of `linkage`.
    """

    def __init__(
        self,
        rng: random.Random,
        kicks_rng: random.Random,
        *,
        linkage: Linkage,
        nominal_us: tuple[float, float],
        mounting: Mounting,
        stalled_a: float,
        horn_us: float,
    ) -> None:
        self._rng = rng
        self._kicks_rng = kicks_rng
        self._linkage = linkage
        self._middle_us = sum(nominal_us) / 2
        # 1 if a longer pulse lays the tile.
        self._lays = math.copysign(1.0, (nominal_us[1] - nominal_us[0]) * (-1 if mounting.mirrored else 1))
        self._off_us = mounting.off_us
        self._scale = mounting.travel * (-1 if mounting.mirrored else 1)
        self._half_play_deg = mounting.play_deg / 2
        self._overshoot_us = mounting.overshoot_deg * mechanics.US_PER_DEG
        self._dead_us = rng.uniform(*mechanics.DEAD_BAND_US) / 2
        self.us_per_s = mechanics.US_PER_S * rng.uniform(*mechanics.SPEED_SPREAD)
        self._idle_a = rng.uniform(*mechanics.IDLE_A)
        self._moving_a = rng.uniform(*mechanics.MOVING_A)
        self._stalled_a = stalled_a
        self._digital = mounting.digital
        self._kick_s = mounting.kick_s
        self.is_driven = False
        self.is_stalled = False
        self.slow = False
        self.unplugged = False
        self.reversed = False
        self.kicks = 0
        self.current_a = self._idle_a
        self._warm = 0.0
        self._warm_at_s = 0.0
        self._goal_us: float | None = None
        self._over_us = 0.0
        self._starts_s = -math.inf
        self._runs_us_s = 0.0
        self._next_us: float | None = None
        self._next_s = 0.0
        self._kick_ends_s = math.inf
        self.horn_us = self.low_deg = self.high_deg = 0.0
        self._turn_to(self.real_us(horn_us))

    def real_us(self, nominal_us: float) -> float:
        """Return the pulse that brings this servo where the profile's `nominal_us` brings an exact one."""
        return self._middle_us + self._off_us + self._scale * (nominal_us - self._middle_us)

    def nominal_us(self, real_us: float) -> float:
        """Return the profile's pulse that would bring an exact servo where `real_us` brings this one."""
        return self._middle_us + (real_us - self._off_us - self._middle_us) / self._scale

    @property
    def play_deg(self) -> float:
        return 2 * self._half_play_deg

    @property
    def is_slotted(self) -> bool:
        return self._linkage.lowest is not self._linkage.highest

    @property
    def is_active(self) -> bool:
        """True if it follows a pulse: an arriving one, a runt that makes it kick, or the last one that it holds."""
        return self.is_driven or self._goal_us is not None

    @property
    def is_kicked(self) -> bool:
        return not math.isinf(self._kick_ends_s)

    @property
    def coasts(self) -> bool:
        """True if the horn still turns though no pulse tells it to."""
        return self._goal_us is None and self._runs_us_s != 0.0

    @property
    def is_waiting(self) -> bool:
        """True if time alone will change what it follows: a pulse of the next frame, or the end of a kick."""
        return self._next_us is not None or self.is_kicked

    def be_digital(self, digital: bool) -> None:
        """Hold without pulses from now on, or (False) let go when they end."""
        self._digital = digital
        if not digital and not self.is_driven:
            self._let_go()

    def command(self, pulse_us: float | None, now_s: float, runt_us: float | None = None) -> None:
        """Receive pulses of this width from now on; None: they have ended, the last one cut short to `runt_us`."""
        if self.reversed:
            pulse_us, runt_us = (us if us is None else mirrored_us(us) for us in (pulse_us, runt_us))
        if self.unplugged:
            self.is_driven = False
            self._let_go()
        elif pulse_us is not None:
            # The first pulse of a drive comes within a frame; later widths count from the end of the present frame.
            if self.is_driven:
                self._next_s += max(0, math.ceil((now_s - self._next_s) / FRAME_S)) * FRAME_S
            else:
                self._next_s = now_s + self._rng.uniform(0.0, FRAME_S)
            self._next_us, self.is_driven = pulse_us, True
        elif self.is_driven:
            has_seen_pulses = self._goal_us is not None and not self.is_kicked
            self.is_driven, self._next_us = False, None
            if runt_us is not None and has_seen_pulses:
                self.kicks += 1
                self._aim(runt_us, now_s)
                self._kick_ends_s = math.inf if self._digital else now_s + self._kicks_rng.uniform(*self._kick_s)
            elif not self._digital:
                self._let_go()

    def _let_go(self) -> None:
        self._goal_us, self._next_us, self._kick_ends_s = None, None, math.inf
        self.is_stalled, self.current_a = False, self._idle_a

    def _aim(self, pulse_us: float, now_s: float) -> None:
        way_us = pulse_us - self.horn_us
        if pulse_us != self._goal_us:
            # Only a horn that gets up speed shoots beyond its goal.
            is_far = abs(way_us) > 2 * self._overshoot_us
            self._over_us = math.copysign(self._overshoot_us, way_us) if is_far else 0.0
            self._starts_s = now_s
        self._goal_us = pulse_us

    def receive(self, now_s: float) -> None:
        """Follow, from now on, the pulse that has arrived; a kick ends in its time."""
        if now_s >= self._kick_ends_s:
            self._let_go()
        if self._next_us is not None and now_s >= self._next_s:
            self._aim(self._next_us, now_s)
            self._next_us, self._kick_ends_s = None, math.inf

    def step(self, now_s: float, dt_s: float, strength: float, low_deg: float, high_deg: float) -> bool:
        """Turn the horn for `dt_s`; return True while anything is changing.

        strength: the fraction (0..1) of the servo's speed that the supply leaves.
        low_deg, high_deg: the angles between which the tile can be moved, by this servo.
        """
        self.receive(now_s)
        self.is_stalled = False
        if self._goal_us is None:
            self.current_a = self._idle_a
            self._runs_us_s *= math.exp(-dt_s / mechanics.COASTS_S)
            if abs(self._runs_us_s) < _STILL_US_S or not self._turn(self._runs_us_s * dt_s, low_deg, high_deg):
                self._runs_us_s = 0.0
            return self.is_driven or self.coasts
        error_us = self._goal_us + self._over_us - self.horn_us
        if abs(error_us) <= self._dead_us:
            moved, self._over_us = self._over_us != 0.0, 0.0
            self._runs_us_s, self.current_a = 0.0, self._idle_a
        else:
            speed = self.us_per_s * strength * (SLOW_FACTOR if self.slow else 1.0) * (1 - self._warmth(now_s, dt_s))
            since_s = now_s - self._starts_s
            speed = min(speed * (1 - math.exp(-since_s / mechanics.STARTS_S)), abs(error_us) / mechanics.SLOWS_S)
            is_beyond = (self._goal_us - self.horn_us) * self._over_us < 0
            if is_beyond:
                # It slows down evenly there.
                speed *= max(0.2, math.sqrt(abs(error_us / self._over_us)))
            self._runs_us_s = math.copysign(min(speed, abs(error_us) / dt_s), error_us)
            moved = self._turn(self._runs_us_s * dt_s, low_deg, high_deg)
            if not moved:
                self._runs_us_s, self.is_stalled = 0.0, True
                if is_beyond:
                    self._over_us = 0.0
            self.current_a = self._moving_a if moved and since_s >= mechanics.STARTS_S else self._stalled_a
            # A horn that its tile stops beyond its goal turns back from there.
            moved = moved or is_beyond
        return moved or self.is_waiting

    def _turn(self, way_us: float, low_deg: float, high_deg: float) -> bool:
        """Turn the horn by `way_us`; return False if its rod would press the tile beyond these angles."""
        before_us, before = self.horn_us, (self.low_deg, self.high_deg)
        self._turn_to(before_us + way_us)
        if self.low_deg > max(high_deg, before[0]) or self.high_deg < min(low_deg, before[1]):
            self.horn_us, (self.low_deg, self.high_deg) = before_us, before
            return False
        return True

    def drag_to(self, angle_deg: float) -> None:
        """Let the tile turn the gears until horn and rod allow this angle."""
        way_us = -self._lays if self.low_deg > angle_deg else self._lays
        while not self.low_deg <= angle_deg <= self.high_deg and PULSE_US[0] < self.horn_us < PULSE_US[1]:
            self._turn_to(self.horn_us + way_us)

    def _warmth(self, now_s: float, dt_s: float) -> float:
        """Warm up for `dt_s` after cooling since the last move; return the part of the speed that is lost."""
        self._warm *= math.exp(-max(0.0, now_s - dt_s - self._warm_at_s) / mechanics.COOLS_S)
        self._warm += (1.0 - self._warm) * dt_s / mechanics.WARMS_S
        self._warm_at_s = now_s
        return mechanics.WARM_LOSS * self._warm

    def _turn_to(self, horn_us: float) -> None:
        self.horn_us = horn_us
        nominal_us = self.nominal_us(horn_us)
        self.low_deg = self._linkage.low_deg(nominal_us) - self._half_play_deg
        self.high_deg = self._linkage.high_deg(nominal_us) + self._half_play_deg
