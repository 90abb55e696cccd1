"""One micro servo with the tile on its horn: angle, speed, dead band, stall, and what it draws.

Numbers are those of common 9 g servos (SG90 and MG90S data sheets, vendors' measurements). A servo that gets the
stump of a pulse kicks: ArduPilot issue 19772 has oscillograms of it with a PCA9685; Pi4J-v1 540, RPIO 75 and PX4 27833
tell of up to 20 degrees.
"""

import math
import random

from hardware.sim.pulses import FRAME_S
from hardware.sim.tolerances import Mounting
from hardware.tiles import Position

STANDS_BELOW_DEG = 20.0  # a tile let go within this of its stop leans back on to the stop
LIES_ABOVE_DEG = 60.0  # a tile let go beyond this falls on to the ledge; between the two the gears hold it
HALF_WAY_DEG = 40.0  # in the middle of those two: where a tile stays that is stopped, or left, on its way
STOPS_DEG = (-3.0, 93.0)  # the play of horn and tile around 0 and 90

_TRAVEL_S = 0.18  # 90 degrees unloaded, +- 15 % from servo to servo
_LOADED = 0.27 / 0.18  # lifting the tile takes this much longer
_FALL_DEG_S = 250.0  # a released tile turns the gears of its servo as it falls: half as fast as one that is driven

# What one servo draws, from servo to servo; what it draws when it stalls is in the box profile (`Supply.stalled_a`).
IDLE_A = (0.005, 0.010)
MOVING_A = (0.2, 0.4)
SLOW_FACTOR = 0.3  # of its speed is left to a slow servo: most then need more than LONGEST_DRIVE_S to lift a tile


class Servo:
    """A servo and its tile, moved by pulses alone. Angles in degrees: 0 stands, 90 lies.

    A new width counts from the next frame on. When pulses end, an analog servo stops at once, a digital one holds at
    the last width that it saw. A pulse that is cut is a width too: an analog servo kicks towards it for a moment.

    `jams` are the ends that it cannot get to, by the name of the fault that keeps it from there. `kicks` counts.

    Lifetime: as long as the world. Concurrency: the world's lock guards it.
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
        self._play_deg = mounting.play_deg
        self._slack_deg = 0.0  # by which the horn is ahead of the tile, within half the play either way
        self._dead_deg = rng.uniform(5.0, 10.0) / abs(self._us_per_deg) / 2
        self._deg_s = 90.0 / (_TRAVEL_S * rng.uniform(0.85, 1.15))
        self._idle_a = rng.uniform(*IDLE_A)
        self._moving_a = rng.uniform(*MOVING_A)
        self._stalled_a = stalled_a
        self._digital = mounting.digital
        self._kick_s = mounting.kick_s
        self._kicks_rng = kicks_rng
        self._is_driven = False
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
    def is_driven(self) -> bool:
        """True if pulses arrive."""
        return self._is_driven

    @property
    def is_active(self) -> bool:
        """True if it follows a pulse: one that arrives, a runt that makes it kick, or the last one that it holds."""
        return self._is_driven or self._goal_deg is not None

    @property
    def is_kicked(self) -> bool:
        """True while it follows the runt of a pulse that was cut."""
        return not math.isinf(self._kick_ends_s)

    @property
    def end_points_us(self) -> tuple[float, float]:
        """The pulse widths at which the tile stands (0 degrees) and lies (90 degrees), its play taken in the middle."""
        return self._open_us, self._open_us + 90.0 * self._us_per_deg

    @property
    def play_deg(self) -> float:
        """The play between horn and tile."""
        return self._play_deg

    @property
    def is_jammed(self) -> bool:
        """True if the tile moves neither way."""
        return self._jams(Position.OPEN) and self._jams(Position.SHUT)

    def _jams(self, towards: Position) -> bool:
        return any(towards in ends for ends in self.jams.values())

    def stick_at(self, angle_deg: float | None) -> None:
        """The tile comes as far as this angle from either side and no farther, or (None) all the way again."""
        self._sticks_at_deg = angle_deg
        self._came_from_below = angle_deg is not None and self.angle_deg < angle_deg

    def be_digital(self, digital: bool) -> None:
        """From now on it holds without pulses, or (False) lets go when they end."""
        self._digital = digital
        if not digital and not self._is_driven:
            self._let_go()

    def command(self, pulse_us: float | None, now_s: float, runt_us: float | None = None) -> None:
        """Pulses of this width arrive from now on; None: they have ceased, the last one cut short to `runt_us`."""
        if self.unplugged:
            self._is_driven = False
            self._let_go()
        elif pulse_us is not None:
            self._take(self._angle_of(pulse_us), now_s)
        elif self._is_driven:
            self._is_driven = False
            self._cease(runt_us, now_s)

    def _take(self, goal_deg: float, now_s: float) -> None:
        """The next frame brings another width: the first one of a drive at any time, later ones at the frame's end."""
        if self._is_driven:
            self._next_s += max(0, math.ceil((now_s - self._next_s) / FRAME_S)) * FRAME_S
        else:
            self._next_s = now_s + self._rng.uniform(0.0, FRAME_S)
        self._next_deg, self._is_driven = goal_deg, True

    def _cease(self, runt_us: float | None, now_s: float) -> None:
        has_seen_pulses = self._goal_deg is not None and not self.is_kicked
        self._next_deg = None
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
        """Move for `dt_s` within the wood's limits. True while something is still changing.

        `strength` (0..1) is what the supply leaves of the servo's speed.
        """
        self._keep_time(now_s)
        if self._goal_deg is None:
            self.current_a = self._idle_a
            return self._is_driven or self._fall(dt_s, low_deg, high_deg)
        moved = self._follow(self._goal_deg, dt_s, strength, low_deg, high_deg)
        return moved or self._next_deg is not None or self.is_kicked

    def _keep_time(self, now_s: float) -> None:
        """Kicks end, and frames bring what they have to bring."""
        if now_s >= self._kick_ends_s:
            self._goal_deg, self._kick_ends_s = None, math.inf
        if self._next_deg is not None and now_s >= self._next_s:
            self._goal_deg, self._next_deg, self._kick_ends_s = self._next_deg, None, math.inf

    def _follow(self, goal_deg: float, dt_s: float, strength: float, low_deg: float, high_deg: float) -> bool:
        """Turn towards the angle of the pulse. True if anything moved."""
        error_deg = goal_deg - self.angle_deg - self._slack_deg
        if abs(error_deg) <= self._dead_deg:
            self.current_a = self._idle_a
            return False
        moved = self._turn(error_deg, self._reach_deg(error_deg, dt_s) * strength, low_deg, high_deg)
        self.current_a = self._moving_a if moved else self._stalled_a
        return moved

    def _turn(self, error_deg: float, reach_deg: float, low_deg: float, high_deg: float) -> bool:
        """Turn the horn, which takes up its play before the tile follows."""
        wanted_deg = max(-reach_deg, min(reach_deg, error_deg))
        before_deg = self._slack_deg
        self._slack_deg = self._within_play(before_deg + wanted_deg)
        taken_deg = self._slack_deg - before_deg
        moved = self._move(error_deg, abs(wanted_deg - taken_deg), low_deg, high_deg)
        return moved or taken_deg != 0.0

    def _within_play(self, slack_deg: float) -> float:
        return max(-self._play_deg / 2, min(self._play_deg / 2, slack_deg))

    def pushes(self, low_deg: float, high_deg: float) -> bool:
        """True if its pulses drive the tile against another one, which limits it to less than its own stops do."""
        if not self._is_driven or self._goal_deg is None:
            return False
        up = STOPS_DEG[0] < low_deg >= self.angle_deg and self._goal_deg < low_deg - self._dead_deg
        down = STOPS_DEG[1] > high_deg <= self.angle_deg and self._goal_deg > high_deg + self._dead_deg
        return up or down

    def travel_s(self, *, loaded: bool) -> float:
        """Seconds for the 90 degrees at full supply, lifting the tile or letting it down."""
        return 90.0 / self._deg_s * (_LOADED if loaded else 1.0)

    def _reach_deg(self, error_deg: float, dt_s: float) -> float:
        """Degrees that the servo gets in `dt_s` at full supply; standing a tile up is the loaded way."""
        speed = self._deg_s * (SLOW_FACTOR if self.slow else 1.0)
        return speed * dt_s / (_LOADED if error_deg < 0 else 1.0)

    def _fall(self, dt_s: float, low_deg: float, high_deg: float) -> bool:
        if STANDS_BELOW_DEG < self.angle_deg < LIES_ABOVE_DEG:
            return False
        rest_deg = 0.0 if self.angle_deg <= STANDS_BELOW_DEG else 90.0
        before_deg = self.angle_deg
        moved = self._move(rest_deg - before_deg, _FALL_DEG_S * dt_s, low_deg, high_deg)
        # A tile that falls runs ahead of its horn until it has used up the play, then turns it.
        self._slack_deg = self._within_play(self._slack_deg - (self.angle_deg - before_deg))
        return moved

    def _move(self, error_deg: float, reach_deg: float, low_deg: float, high_deg: float) -> bool:
        before_deg = self.angle_deg
        wanted_deg = before_deg + max(-reach_deg, min(reach_deg, error_deg))
        self.angle_deg = self._let_pass(max(low_deg, min(high_deg, wanted_deg)))
        return self.angle_deg != before_deg

    def _let_pass(self, wanted_deg: float) -> float:
        """The angle that a fault lets the tile get to on its way to `wanted_deg`."""
        before_deg, sticks_deg = self.angle_deg, self._sticks_at_deg
        if wanted_deg != before_deg and self._jams(Position.SHUT if wanted_deg > before_deg else Position.OPEN):
            return before_deg
        if sticks_deg is None:
            return wanted_deg
        if before_deg != sticks_deg:
            self._came_from_below = before_deg < sticks_deg
        return min(wanted_deg, sticks_deg) if self._came_from_below else max(wanted_deg, sticks_deg)
