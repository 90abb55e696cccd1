"""The searches for the ends of a tile on a rigid rod and its servo's direction by steps, for sensor edges by bisection.

Such a tile stays where it is let go, because its servo's gears hold it. Within the play of gears, horn and rod it leans
to the one side where its magnet holds it, and to the other where its weight does.
"""

from collections.abc import Collection
from dataclasses import dataclass

from firmware.calibration.strokes import TICK_US, NotMeasured, Search, Stroke
from hardware.box import LEAST_US, MOST_US
from hardware.tiles import Position

SPAN_DEG = 95.0

# All in degrees of the profile's tile, from which a real one may differ by a sixth.
STEP_DEG = 5.5  # a single step cannot lead from before a sensor's edge to beyond the stop
_LOOSENING_DEG = (14.0, 28.0)  # for a tile that is at an end in the middle of its pulses: its horn is far off
# From the middle to the further sensor: 40 degrees, a horn 14 degrees off, a clock 8 % off, half of a linkage's play.
_REACH_DEG = 80.0
# From one sensor's edge to the other's: 75 degrees at most and a linkage's play, of the slackest servo and clock.
_BETWEEN_EDGES_DEG = 100.0
# A servo that comes from afar shoots up to 6 degrees beyond its goal before it comes back, and a sensor with hysteresis
# keeps what it saw there. A goal is near if the servo stops at it.
_OVERSHOOT_DEG, _NEAR_DEG = 7.0, 4.5
_CLEAR_DEG = 30.0  # more than a Hall sensor's hysteresis (20 degrees) in the slackest servo, and an overshoot

_BOTH_ENDS = frozenset((Position.OPEN, Position.SHUT))
_FREE_IT = "Free the tile and keep hands off; check that its servo is plugged in, its horn tight, no sensor stuck."
_SHUT_SENSOR = "Look at its shut sensor: the magnet, the wire, the gap between them; and whether the tile lies flat."
_OPEN_SENSOR = "Look at its open sensor: the switch, the wire; and whether the tile stands up to its stop."
_SLOW = "Look what rubs, at its servo's gears and its supply; it may be too slow. Put it back by hand."
_BOTH = "One of its two sensors says yes all the time: look at the switch, the magnet, and their wires."
_FLICKERS = "Tighten its wires, and check whether something rubs at its switch or magnet."


@dataclass(frozen=True, slots=True)
class Ends:
    """The pulses between which the ends lie, in microseconds, as found by steps.

    `sign` is 1 if a longer pulse shuts the tile and -1 if the servo is mounted the other way round. Times `sign`,
    pulses grow from open to shut: `last_open` < `first_between`, and `last_between` < `first_shut`. Without an open
    sensor `last_open` and `first_between` are None.
    """

    sign: int
    last_between: float
    first_shut: float
    first_between: float | None = None
    last_open: float | None = None


@dataclass(frozen=True, slots=True)
class Nominal:
    """A tile according to its profile, before any measurement.

    Pulses for open and shut in microseconds, seconds from pulse to pulse, and whether it has an open sensor.
    """

    open_us: float
    shut_us: float
    frame_s: float
    sees_open: bool

    @property
    def middle_us(self) -> float:
        return (self.open_us + self.shut_us) / 2

    @property
    def sign(self) -> int:
        """1 if a longer pulse shuts, else -1."""
        return 1 if self.shut_us > self.open_us else -1

    @property
    def us_per_deg(self) -> float:
        return abs(self.shut_us - self.open_us) / SPAN_DEG


def find_ends(nominal: Nominal) -> Search[Ends]:
    """Step from the middle towards the profile's shut end until a sensor answers, then to the other side.

    Raises `NotMeasured`.
    """
    sign, per_deg, sees_open = nominal.sign, nominal.us_per_deg, nominal.sees_open
    start_us = yield from _find_between(nominal)
    first = yield from _walk(nominal, start_us, sign, _REACH_DEG, _BOTH_ENDS)
    if not sees_open:
        return (yield from _find_shut_end(nominal, start_us, first))
    reach_deg = _REACH_DEG if first.end is None else _BETWEEN_EDGES_DEG - abs(first.at_us - start_us) / per_deg
    # A tile that fell to its first end on the way back is still there: only the other one ends the second walk.
    second = yield from _walk(nominal, start_us, -sign, reach_deg, _BOTH_ENDS - {first.end})
    if first.end is None or second.end is None:
        raise _unfinished(first.end or second.end, second.last if first.end else first.last)
    shut_us, open_us = (first, second) if first.end is Position.SHUT else (second, first)
    way = sign if first.end is Position.SHUT else -sign
    step_us = STEP_DEG * per_deg
    shut, opened = way * shut_us.at_us, way * open_us.at_us
    return Ends(way, shut - step_us, shut, opened + step_us, opened)


@dataclass(frozen=True, slots=True)
class _Walk:
    """A walk to one side: the end that it reached, if any, the last pulse, and the last position seen."""

    end: Position | None
    at_us: float
    last: Position


def _unfinished(end: Position | None, last: Position) -> NotMeasured:
    if end is None:
        return NotMeasured("it moves, but comes to neither of its ends", _FREE_IT)
    if last is end:
        return NotMeasured(f"it comes to where it is {end.lower()}, but not back within a stroke", _SLOW)
    if end is Position.OPEN:
        return NotMeasured("it opens, but its shut sensor never answered", _SHUT_SENSOR)
    return NotMeasured("it shuts, but its open sensor never answered", _OPEN_SENSOR)


def look_at(pulse_us: float, *, sees_open: bool) -> Search[tuple[Position, Position]]:
    """Stroke, and return where the tile is driven and where it rests; twice if unclear. Raises `NotMeasured`."""
    for _ in range(2):
        seen = yield Stroke(pulse_us)
        if Position.UNKNOWN not in (seen.driven, seen.rest):
            return _shown(seen.driven, sees_open), _shown(seen.rest, sees_open)
    raise contradiction(sees_open=sees_open)


def _shown(seen: Position, sees_open: bool) -> Position:
    """Return what the sensors show; without an open sensor OPEN means only not shut."""
    return seen if sees_open or seen is Position.SHUT else Position.BETWEEN


def contradiction(*, sees_open: bool) -> NotMeasured:
    if sees_open:
        return NotMeasured("its sensors say shut and open at once, or flicker", _BOTH, lost=True)
    return NotMeasured("its shut sensor flickers", _FLICKERS, lost=True)


def _find_shut_end(nominal: Nominal, start_us: float, walked: _Walk) -> Search[Ends]:
    """Find the only visible end of a tile without an open sensor, on the other side if the first walk missed it."""
    way = nominal.sign
    if walked.end is None:
        way = -way
        walked = yield from _walk(nominal, start_us, way, _REACH_DEG, _BOTH_ENDS)
        if walked.end is None:
            raise NotMeasured("it never came to its shut sensor", _SHUT_SENSOR)
    return Ends(way, way * walked.at_us - STEP_DEG * nominal.us_per_deg, way * walked.at_us)


def _find_between(nominal: Nominal) -> Search[float]:
    middle_us, sign = nominal.middle_us, nominal.sign
    seen = yield from look_at(middle_us, sees_open=nominal.sees_open)
    if set(seen) == {Position.BETWEEN}:
        return middle_us
    shown = seen[1]
    for away_deg in _LOOSENING_DEG:
        # A lying tile is first moved up, the direction that cannot press it onto the ledge.
        for side in (-sign, sign) if shown is Position.SHUT else (sign, -sign):
            pulse_us = middle_us + side * away_deg * nominal.us_per_deg
            seen = yield from look_at(pulse_us, sees_open=nominal.sees_open)
            if set(seen) == {Position.BETWEEN}:
                return pulse_us
    raise NotMeasured(f"driven, but its sensors keep saying {shown.lower()}", _FREE_IT, lost=True)


def _walk(nominal: Nominal, start_us: float, side: int, reach_deg: float, ends: Collection[Position]) -> Search[_Walk]:
    """Step to one side until the sensor of one of `ends` answers, or to the limit of the reach."""
    step_us, pulse_us, seen = STEP_DEG * nominal.us_per_deg, start_us, Position.BETWEEN
    for _ in range(round(reach_deg / STEP_DEG)):
        if not LEAST_US <= pulse_us + side * step_us <= MOST_US:
            break
        pulse_us += side * step_us
        seen, rest = yield from look_at(pulse_us, sees_open=nominal.sees_open)
        if seen in ends:
            return _Walk(seen, pulse_us, seen)
        if rest in ends:
            # It was kicked there, and its sensor would hold on at the next step.
            yield from look_at(pulse_us - side * _CLEAR_DEG * nominal.us_per_deg, sees_open=nominal.sees_open)
    return _Walk(None, pulse_us, seen)


_TRIES = 5  # a cut pulse kicks one tile in ten out of its place
_SLUGGISH = "Its servo turns too slowly or skips: look at its gears and its wires, or replace it."


def find_shut_edge(ends: Ends, us_per_deg: float, *, sees_open: bool) -> Search[float]:
    """Find the pulse, times the servo's sign, at which the shut sensor answers on the way down. Raises `NotMeasured`.

    By bisection. A tile that was kicked comes from afar, and may seem shut too early: what was found is confirmed.
    """
    edge = _ShutEdge(ends, us_per_deg, sees_open=sees_open)
    between, shut = ends.last_between, ends.first_shut + _OVERSHOOT_DEG * us_per_deg
    for _ in range(_TRIES):
        while shut - between > TICK_US:
            middle = (between + shut) / 2
            if (yield from edge.shuts(middle)):
                shut = middle
            else:
                between = middle
        if (yield from edge.shuts(shut + TICK_US)):
            return (between + shut) / 2
        between, shut = shut, ends.first_shut + _OVERSHOOT_DEG * us_per_deg
    raise NotMeasured("its shut sensor answers now here, now there", _SHUT_SENSOR)


def stays_shut(sign: int, shut: float, goal: float, us_per_deg: float) -> Search[bool]:
    """Return True if a tile that is lifted from `shut` to `goal` by near goals shows shut there, even once.

    Pulses are times the servo's sign. A kick only ever lifts it too far.
    """
    near_us = _NEAR_DEG * us_per_deg
    for _ in range(_TRIES):
        pulse, seen = shut, (yield Stroke(sign * shut)).rest
        while seen is Position.SHUT and pulse > goal:
            pulse = max(goal, pulse - near_us)
            seen = (yield Stroke(sign * pulse)).driven
        if seen is Position.SHUT:
            return True
    return False


class _ShutEdge:
    """The edge of a shut sensor, to which the tile always comes from above, at the end by near goals."""

    def __init__(self, ends: Ends, us_per_deg: float, *, sees_open: bool) -> None:
        self._sign = ends.sign
        self._clear = ends.last_between - _CLEAR_DEG * us_per_deg
        self._near_us = _NEAR_DEG * us_per_deg
        self._sees_open = sees_open
        self._at: float | None = None  # where the tile is, if it is surely above the edge

    def shuts(self, pulse: float) -> Search[bool]:
        """Return True if the sensor answers at this pulse."""
        for _ in range(_TRIES):
            goals = [pulse - 2 * self._near_us, pulse - self._near_us, pulse]
            if self._at is None:
                goals.insert(0, self._clear)
            elif self._at < pulse:
                goals = [goal for goal in goals if goal > self._at]
            for goal in goals:
                driven, rest = yield from look_at(self._sign * goal, sees_open=self._sees_open)
                self._at = goal if Position.SHUT not in (driven, rest) else None
                if driven is Position.SHUT and goal != self._clear:
                    return True
                if self._at is None and goal != pulse:
                    break
            else:
                return False
        raise NotMeasured("it does not follow to where it is between its ends", _SLUGGISH)
