"""One micro servo with the tile on its horn: its pulses and tolerances, angle, speed, dead band, stall and current.

The numbers are those of common 9 g servos (SG90 and MG90S data sheets, vendors' measurements). A servo that receives
the remainder of a cut pulse kicks: ArduPilot issue 19772 has oscillograms of it with a PCA9685; Pi4J-v1 540, RPIO 75
and PX4 27833 report up to 20 degrees.
"""

import math
import random
from dataclasses import dataclass

from hardware.tiles import Position, TileId
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
    travel: its pulse difference for 90 degrees, relative to the profile's.
    mirrored: a longer pulse raises the tile instead of laying it down.
    play_deg: the play between horn and tile.
    digital: it holds its place when its pulses end.
    kick_s: how long it acts on the runt of a cut pulse (least, most, in seconds).
    """

    off_us: float
    travel: float = 1.0
    mirrored: bool = False
    play_deg: float = 0.0
    digital: bool = False
    kick_s: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Tolerances:
    """The spread of a box's servos, drawn from the seed tile by tile, so that the same seed builds the same box.

    off_us: largest error of a horn either way. One of the 21 to 25 splines of a micro servo's shaft is 14 to 17
    degrees, so no horn is off by more than half of that, 100 us; the rod adds its own error.
    travel: largest relative error of the pulse difference for 90 degrees, either way.
    mirrored: fraction of servos mounted the other way round.
    loose: fraction of linkages with a play of `play_deg` (least, most).
    digital: fraction of servos that hold when their pulses end.
    kick_s: how long the other servos kick when a pulse is cut: half a frame to four frames, which gives the reported 20
    degrees.
    """

    off_us: float = 20.0
    travel: float = 0.0
    mirrored: float = 0.0
    loose: float = 0.0
    play_deg: tuple[float, float] = (5.0, 10.0)
    digital: float = 0.0
    kick_s: tuple[float, float] = (0.010, 0.080)

    def mounting(self, rng: random.Random, seed: int, tile: TileId) -> Mounting:
        """Draw the mounting of `tile`'s servo. Takes exactly one number from `rng`, the servo's own generator."""
        off_us = rng.uniform(-self.off_us, self.off_us)
        # A separate generator: the servo's later draws from its own do not depend on how the box was built.
        apart = random.Random(f"{seed}/build/{tile}")
        travel = 1.0 + apart.uniform(-self.travel, self.travel)
        mirrored = apart.random() < self.mirrored
        loose = apart.random() < self.loose
        play_deg = apart.uniform(*self.play_deg)
        digital = apart.random() < self.digital
        return Mounting(off_us, travel, mirrored, play_deg if loose else 0.0, digital, self.kick_s)


# A box that follows its profile: horns mounted with a gauge.
CAREFUL = Tolerances()
# A newly assembled box: horns mounted by eye, a third of the servos the other way round, some linkages loose.
JUST_BUILT = Tolerances(off_us=150.0, travel=0.05, mirrored=0.33, loose=0.05)


STANDS_BELOW_DEG = 20.0  # a tile released below this angle leans back onto its stop
LIES_ABOVE_DEG = 60.0  # a tile released above this angle falls onto the ledge; between the two the gears hold it
HALF_WAY_DEG = 40.0  # halfway between the two: a tile stopped or left on its way stays here
STOPS_DEG = (-3.0, 93.0)  # the play of horn and tile around 0 and 90

_TRAVEL_S = 0.18  # 90 degrees unloaded, +- 15 % from servo to servo
LOADED = 0.27 / 0.18  # factor of time for lifting the tile
_FALL_DEG_S = 250.0  # a falling tile turns the gears of its servo, so it is half as fast as a driven one

# Range of the current of one servo; its stall current is in the box profile (`Supply.stalled_a`).
IDLE_A = (0.005, 0.010)
MOVING_A = (0.2, 0.4)
SLOW_FACTOR = 0.3  # speed left to a slow servo: most then need more than LONGEST_DRIVE_S to lift a tile


class Servo:
    """A servo and its tile, moved by pulses alone. Angles in degrees: 0 stands, 90 lies.

    A new width counts from the next frame on. When pulses end, an analog servo stops at once, a digital one holds the
    last width that it received. A cut pulse is a width too: an analog servo kicks towards it for a moment.

    is_driven: pulses arrive.
    play_deg: the play between horn and tile.
    jams: by fault name, the ends that it cannot reach.
    kicks: the number of kicks so far.
    """

    def __init__(
        self,
        rng: random.Random,
        kicks_rng: random.Random,
        *,
        open_us: float,
        shut_us: float,
        mounting: Mounting,
        stalled_a: float,
        angle_deg: float,
    ) -> None:
        self._rng = rng
        from_us, to_us = (shut_us, open_us) if mounting.mirrored else (open_us, shut_us)
        self._open_us = from_us + mounting.off_us
        self._us_per_deg = (to_us - from_us) * mounting.travel / 90.0
        self.play_deg = mounting.play_deg
        self._slack_deg = 0.0  # how far the horn is ahead of the tile, within half the play either way
        self._dead_deg = rng.uniform(5.0, 10.0) / abs(self._us_per_deg) / 2
        self._deg_s = 90.0 / (_TRAVEL_S * rng.uniform(0.85, 1.15))
        self._idle_a = rng.uniform(*IDLE_A)
        self._moving_a = rng.uniform(*MOVING_A)
        self._stalled_a = stalled_a
        self._digital = mounting.digital
        self._kick_s = mounting.kick_s
        self._kicks_rng = kicks_rng
        self.is_driven = False
        self._goal_deg: float | None = None
        self._next_deg: float | None = None
        self._next_s = 0.0
        self._kick_ends_s = math.inf
        self.kicks = 0
        self.angle_deg = angle_deg
        self.current_a = self._idle_a
        self.slow = False
        self.unplugged = False
        self.jams: dict[str, frozenset[Position]] = {}
        self._sticks_at_deg: float | None = None
        self._came_from_below = False

    @property
    def is_active(self) -> bool:
        """True if it follows a pulse: an arriving one, a runt that makes it kick, or the last one that it holds."""
        return self.is_driven or self._goal_deg is not None

    @property
    def is_kicked(self) -> bool:
        return not math.isinf(self._kick_ends_s)

    @property
    def is_jammed(self) -> bool:
        """True if the tile is jammed in both directions."""
        return self._jams(Position.OPEN) and self._jams(Position.SHUT)

    def _jams(self, towards: Position) -> bool:
        return any(towards in ends for ends in self.jams.values())

    def stick_at(self, angle_deg: float | None) -> None:
        """Stop the tile at this angle from either side, or (None) let it pass again."""
        self._sticks_at_deg = angle_deg
        self._came_from_below = angle_deg is not None and self.angle_deg < angle_deg

    def be_digital(self, digital: bool) -> None:
        """Hold without pulses from now on, or (False) let go when they end."""
        self._digital = digital
        if not digital and not self.is_driven:
            self._let_go()

    def command(self, pulse_us: float | None, now_s: float, runt_us: float | None = None) -> None:
        """Receive pulses of this width from now on; None: they have ended, the last one cut short to `runt_us`."""
        if self.unplugged:
            self.is_driven = False
            self._let_go()
        elif pulse_us is not None:
            # The first pulse of a drive comes within a frame; later widths count from the end of the present frame.
            if self.is_driven:
                self._next_s += max(0, math.ceil((now_s - self._next_s) / FRAME_S)) * FRAME_S
            else:
                self._next_s = now_s + self._rng.uniform(0.0, FRAME_S)
            self._next_deg, self.is_driven = self._angle_of(pulse_us), True
        elif self.is_driven:
            has_seen_pulses = self._goal_deg is not None and not self.is_kicked
            self.is_driven, self._next_deg = False, None
            if runt_us is not None and has_seen_pulses:
                self.kicks += 1
                self._goal_deg = self._angle_of(runt_us)
                self._kick_ends_s = math.inf if self._digital else now_s + self._kicks_rng.uniform(*self._kick_s)
            elif not self._digital:
                self._let_go()

    def _let_go(self) -> None:
        self._goal_deg, self._next_deg, self._kick_ends_s = None, None, math.inf

    def _angle_of(self, pulse_us: float) -> float:
        return (pulse_us - self._open_us) / self._us_per_deg

    def step(self, now_s: float, dt_s: float, strength: float, low_deg: float, high_deg: float) -> bool:
        """Move for `dt_s` within the limits set by stops and tiles. Return True while anything is changing.

        strength: the fraction (0..1) of the servo's speed that the supply leaves.
        """
        if now_s >= self._kick_ends_s:
            self._goal_deg, self._kick_ends_s = None, math.inf
        if self._next_deg is not None and now_s >= self._next_s:
            self._goal_deg, self._next_deg, self._kick_ends_s = self._next_deg, None, math.inf
        if self._goal_deg is None:
            self.current_a = self._idle_a
            return self.is_driven or self._fall(dt_s, low_deg, high_deg)
        error_deg = self._goal_deg - self.angle_deg - self._slack_deg
        moved = False
        if abs(error_deg) <= self._dead_deg:
            self.current_a = self._idle_a
        else:
            speed = self._deg_s * (SLOW_FACTOR if self.slow else 1.0)
            # Raising a tile is the loaded direction.
            reach_deg = speed * dt_s / (LOADED if error_deg < 0 else 1.0) * strength
            # The horn takes up its play before the tile follows.
            wanted_deg = max(-reach_deg, min(reach_deg, error_deg))
            before_deg = self._slack_deg
            self._slack_deg = self._within_play(before_deg + wanted_deg)
            taken_deg = self._slack_deg - before_deg
            moved = self._move(error_deg, abs(wanted_deg - taken_deg), low_deg, high_deg) or taken_deg != 0.0
            self.current_a = self._moving_a if moved else self._stalled_a
        return moved or self._next_deg is not None or self.is_kicked

    def _within_play(self, slack_deg: float) -> float:
        return max(-self.play_deg / 2, min(self.play_deg / 2, slack_deg))

    def pushes(self, low_deg: float, high_deg: float) -> bool:
        """Return True if the pulses drive the tile against another tile before it reaches its own stop."""
        if not self.is_driven or self._goal_deg is None:
            return False
        up = STOPS_DEG[0] < low_deg >= self.angle_deg and self._goal_deg < low_deg - self._dead_deg
        down = STOPS_DEG[1] > high_deg <= self.angle_deg and self._goal_deg > high_deg + self._dead_deg
        return up or down

    def _fall(self, dt_s: float, low_deg: float, high_deg: float) -> bool:
        if STANDS_BELOW_DEG < self.angle_deg < LIES_ABOVE_DEG:
            return False
        rest_deg = 0.0 if self.angle_deg <= STANDS_BELOW_DEG else 90.0
        before_deg = self.angle_deg
        moved = self._move(rest_deg - before_deg, _FALL_DEG_S * dt_s, low_deg, high_deg)
        # A falling tile runs ahead of its horn until it has used up the play, then turns the horn.
        self._slack_deg = self._within_play(self._slack_deg - (self.angle_deg - before_deg))
        return moved

    def _move(self, error_deg: float, reach_deg: float, low_deg: float, high_deg: float) -> bool:
        """Move the tile as far as neighbours and faults let it. Return True if it moved."""
        before_deg, sticks_deg = self.angle_deg, self._sticks_at_deg
        wanted_deg = max(low_deg, min(high_deg, before_deg + max(-reach_deg, min(reach_deg, error_deg))))
        if wanted_deg != before_deg and self._jams(Position.SHUT if wanted_deg > before_deg else Position.OPEN):
            return False
        if sticks_deg is not None:
            if before_deg != sticks_deg:
                self._came_from_below = before_deg < sticks_deg
            wanted_deg = min(wanted_deg, sticks_deg) if self._came_from_below else max(wanted_deg, sticks_deg)
        self.angle_deg = wanted_deg
        return self.angle_deg != before_deg
