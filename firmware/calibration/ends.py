"""The searches for a tile's ends and its servo's direction by small steps, and for sensor edges by bisection.

The tile is never driven far beyond a sensor that has answered, since both answer some degrees before its stops.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from firmware.calibration.strokes import TICK_US, NotMeasured, Search, Stroke
from hardware.box import LEAST_US, MOST_US
from hardware.tiles import Position

SPAN_DEG = 90.0

# All in degrees of the profile's servo, from which a real one may differ by a sixth.
STEP_DEG = 7.0  # a single step cannot lead from before a sensor's edge to beyond the stop
_LOOSENING_DEG = (14.0, 28.0)  # for a tile that is at an end in the middle of its pulses: its horn is far off
# From the middle to the further sensor: 27 degrees, a horn 14 degrees off, a clock 8 % off, half of a linkage's play.
_REACH_DEG = 70.0
# From one sensor's edge to the other's: 60 degrees at most and a linkage's play, of the slackest servo and clock.
_BETWEEN_EDGES_DEG = 84.0

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


def look_at(pulse_us: float, *, sees_open: bool) -> Search[Position]:
    """Stroke, and return where the tile is at its end; try again if that is unclear. Raises `NotMeasured`."""
    for _ in range(2):
        seen = yield Stroke(pulse_us)
        if Position.UNKNOWN not in (seen.driven, seen.rest):
            # Without an open sensor, OPEN means only not shut.
            return seen.driven if sees_open or seen.driven is Position.SHUT else Position.BETWEEN
    raise contradiction(sees_open=sees_open)


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
    if seen is Position.BETWEEN:
        return middle_us
    for away_deg in _LOOSENING_DEG:
        # A lying tile is first moved up, the direction that cannot press it onto the ledge.
        for side in (-sign, sign) if seen is Position.SHUT else (sign, -sign):
            pulse_us = middle_us + side * away_deg * nominal.us_per_deg
            now = yield from look_at(pulse_us, sees_open=nominal.sees_open)
            if now is Position.BETWEEN:
                return pulse_us
    raise NotMeasured(f"driven, but its sensors keep saying {seen.lower()}", _FREE_IT, lost=True)


def _walk(nominal: Nominal, start_us: float, side: int, reach_deg: float, ends: Collection[Position]) -> Search[_Walk]:
    """Step to one side until the sensor of one of `ends` answers, or to the limit of the reach."""
    step_us, pulse_us, seen = STEP_DEG * nominal.us_per_deg, start_us, Position.BETWEEN
    for _ in range(round(reach_deg / STEP_DEG)):
        if not LEAST_US <= pulse_us + side * step_us <= MOST_US:
            break
        pulse_us += side * step_us
        seen = yield from look_at(pulse_us, sees_open=nominal.sees_open)
        if seen in ends:
            return _Walk(seen, pulse_us, seen)
    return _Walk(None, pulse_us, seen)


# All in degrees of the profile's servo. A tile that is released beyond a sensor's edge falls past it, so a step may
# have come from the far side.
_FELL_DEG = 5.5
# More than the sensors' own play (20 and 3 degrees) and a linkage's of 10, in the slackest servo.
_SHUT_BACK_DEG, _OPEN_BACK_DEG = 40.0, 17.0
_BASE_BEFORE_SHUT_DEG = 25.0  # surely not shut, and not where a released tile leans back
_TRIES = 4  # a cut pulse kicks one tile in ten out of its place
_SLUGGISH = "Its servo turns too slowly or skips: look at its gears and its wires, or replace it."


@dataclass(frozen=True, slots=True)
class Edges:
    """Pulses in microseconds, times the servo's sign (they grow from open to shut).

    The tile meets `open_off` and `shut_on` on the way down, `shut_off` and `open_on` on the way up.
    """

    open_on: float
    open_off: float
    shut_off: float
    shut_on: float


def find_edges(ends: Ends, us_per_deg: float) -> Search[Edges]:
    """Find all four edges of a tile with both sensors; `us_per_deg` is the profile's. Raises `NotMeasured`."""
    if ends.first_between is None or ends.last_open is None:
        raise ValueError("a tile without an open sensor has no open edges")
    halving = _Halving(ends.sign, (ends.first_between + ends.last_between) / 2, sees_open=True)
    shut_off, shut_on = yield from _find_shut_edges(halving, ends, us_per_deg)
    surely_open = ends.last_open - _FELL_DEG * us_per_deg
    open_on = yield from halving.find_edge(halving.misses_open_from_base, surely_open, ends.first_between)
    open_off = yield from halving.find_edge(
        lambda pulse: halving.leaves(pulse, surely_open, Position.OPEN), open_on, open_on + _OPEN_BACK_DEG * us_per_deg
    )
    return Edges(open_on, open_off, shut_off, shut_on)


def find_shut_edges(ends: Ends, us_per_deg: float) -> Search[tuple[float, float]]:
    """For a tile that has only a shut sensor, find where that sensor switches off and on. Raises `NotMeasured`."""
    halving = _Halving(ends.sign, ends.first_shut - _BASE_BEFORE_SHUT_DEG * us_per_deg, sees_open=False)
    return (yield from _find_shut_edges(halving, ends, us_per_deg))


def _find_shut_edges(halving: "_Halving", ends: Ends, us_per_deg: float) -> Search[tuple[float, float]]:
    shut_on = yield from halving.find_edge(
        halving.shuts_from_base, ends.last_between, ends.first_shut + _FELL_DEG * us_per_deg
    )
    surely_shut = shut_on + STEP_DEG * us_per_deg
    shut_off = yield from halving.find_edge(
        lambda pulse: halving.stays(pulse, surely_shut, Position.SHUT), shut_on - _SHUT_BACK_DEG * us_per_deg, shut_on
    )
    return shut_off, shut_on


class _Halving:
    """Strokes for a bisection, each of them from the same side.

    Sensors and linkage have play, so from the other side the same edge is degrees away.
    """

    def __init__(self, sign: int, base: float, *, sees_open: bool) -> None:
        self._sign = sign
        self._base = base
        self._sees_open = sees_open
        self._rest = Position.UNKNOWN

    def find_edge(self, is_beyond: Callable[[float], Search[bool]], low: float, high: float) -> Search[float]:
        """Find the pulse from which on `is_beyond` holds: not at `low`, but at `high`."""
        while high - low > TICK_US:
            middle = (low + high) / 2
            beyond = yield from is_beyond(middle)
            low, high = (low, middle) if beyond else (middle, high)
        return (low + high) / 2

    def shuts_from_base(self, pulse: float) -> Search[bool]:
        """Return True if the tile reaches its shut sensor from between."""
        yield from self._go_to(self._base, Position.BETWEEN)
        return (yield from self._look(pulse)) is Position.SHUT

    def misses_open_from_base(self, pulse: float) -> Search[bool]:
        """Return True if the tile does not reach its open sensor from between."""
        yield from self._go_to(self._base, Position.BETWEEN)
        return (yield from self._look(pulse)) is not Position.OPEN

    def stays(self, pulse: float, rest: float, where: Position) -> Search[bool]:
        if self._rest is not where:
            yield from self._go_to(rest, where)
        return (yield from self._look(pulse)) is where

    def leaves(self, pulse: float, rest: float, where: Position) -> Search[bool]:
        return not (yield from self.stays(pulse, rest, where))

    def _go_to(self, pulse: float, where: Position) -> Search[None]:
        for _ in range(_TRIES):
            # A tile that is kicked at its release would be approached from the wrong side.
            if (yield from self._look(pulse)) is where and self._rest is where:
                return
        raise NotMeasured(f"it does not follow to where it is {where.lower()}", _SLUGGISH)

    def _look(self, pulse: float) -> Search[Position]:
        seen = yield Stroke(self._sign * pulse)
        self._rest = self._shown(seen.rest)
        if seen.driven is Position.UNKNOWN:
            return (yield from look_at(self._sign * pulse, sees_open=self._sees_open))
        return self._shown(seen.driven)

    def _shown(self, seen: Position) -> Position:
        """Return what the sensors show; without an open sensor OPEN means only not shut."""
        return Position.BETWEEN if seen is Position.OPEN and not self._sees_open else seen
