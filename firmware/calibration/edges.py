"""The pulses at which a tile's sensors change, found by bisection."""

from collections.abc import Callable
from dataclasses import dataclass

from firmware.calibration.ends import STEP_DEG, Ends, look_at
from firmware.calibration.strokes import TICK_US, NotMeasured, Search, Stroke
from hardware.tiles import Position

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
    """Find the edges of the shut sensor, off and on, of a tile that has no other. Raises `NotMeasured`."""
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

    Lifetime: one tile. Concurrency: none.
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
