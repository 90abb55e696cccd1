"""Moves down and up as in play, with the times at which the sensors changed."""

from dataclasses import dataclass
from statistics import median

from firmware.calibration.strokes import LOOK_S, Search, Stroke
from hardware.tiles import Position

# Five moves suffice for the times of a travel, without the latest and the earliest. But before each move the servo
# waits up to a frame for its next pulse, which blurs the place where the tile rests; moves with different waits reduce
# that error, and twenty waits cover nine tenths of a frame.
_LEAST_MOVES, _MOST_MOVES = 5, 20
_PUTS = 3  # a cut pulse kicks one tile in ten out of its place
_ENOUGH = 0.75  # of a frame, between the shortest and the longest wait: the remaining error is one degree


@dataclass(frozen=True, slots=True)
class Travels:
    """Completed moves of one direction: seconds until the tile left its sensor, and until it arrived.

    `asked` is the number of requested moves. On the way down a tile leaves its switch, on the way up it arrives there.
    A switch may bounce for 20 ms (see `firmware/tiles/debounce.py`), which makes its edge seem late, never early. The
    other edge, of a Hall sensor, is clean.
    """

    asked: int
    left_s: tuple[float, ...]
    arrived_s: tuple[float, ...]
    down: bool

    @property
    def between_s(self) -> float:
        """The time from one sensor to the other, without the wait for the servo's next pulse.

        It is the median of the moves that bounced least: a late start shortens the time, so of the longer half on the
        way down; a late end lengthens it, so of the shorter half on the way up.
        """
        ordered_s = sorted(self._each_between_s())
        half = len(ordered_s) // 2
        return median(ordered_s[half:] if self.down else ordered_s[: len(ordered_s) - half])

    @property
    def starts_s(self) -> tuple[float, ...]:
        """The times at which the tile left its sensor, corrected for bounces by the clean edge at the other end."""
        if not self.down:
            return self.left_s
        led_s = [arrived_s - self.between_s for arrived_s in self.arrived_s]
        pairs = zip(self.left_s, led_s, strict=True)
        return tuple(led if left - led > 2 * LOOK_S else left for left, led in pairs)

    @property
    def spread_s(self) -> float:
        """The spread of the times from one sensor to the other, without the latest and the earliest."""
        ordered_s = sorted(self._each_between_s())
        inner_s = ordered_s[1:-1] or ordered_s
        return inner_s[-1] - inner_s[0] if inner_s else 0.0

    def _each_between_s(self) -> list[float]:
        return [arrived_s - left_s for left_s, arrived_s in zip(self.left_s, self.arrived_s, strict=True)]


def travel(open_us: float, shut_us: float, frame_s: float, *, sees_open: bool) -> Search[tuple[Travels, Travels]]:
    """Move down and up between these pulses, which are near the ends; leave the tile open if possible.

    frame_s: the time from pulse to pulse. Without an open sensor the way up is not timed, since no sensor sees its end.
    """
    down: list[tuple[float, float]] = []
    up: list[tuple[float, float]] = []
    yield Stroke(open_us)
    yield from _put(open_us, Position.OPEN)
    asked, enough = 0, False
    while not enough:
        asked += 1
        arrived = yield from _go(shut_us, Position.SHUT, down)
        if sees_open:
            arrived &= yield from _go(open_us, Position.OPEN, up)
        else:
            yield Stroke(open_us)
            yield Stroke(open_us)
        if not arrived:
            # A tile that fails to arrive even once cannot be timed.
            break
        waits_s = (
            _wait_spread_s(_travels_of(asked, down, down=True)),
            _wait_spread_s(_travels_of(asked, up, down=False)),
        )
        tells = not sees_open or min(waits_s) >= _ENOUGH * frame_s
        enough = asked >= _MOST_MOVES or (asked >= _LEAST_MOVES and tells)
    return _travels_of(asked, down, down=True), _travels_of(asked, up, down=False)


def _go(pulse_us: float, to: Position, times: list[tuple[float, float]]) -> Search[bool]:
    """Make one travel; a tile that does not arrive is sent once more, untimed."""
    seen = yield Stroke(pulse_us, to)
    if seen.left_s is not None and seen.arrived_s is not None:
        times.append((seen.left_s, seen.arrived_s))
        if seen.rest is not to:
            yield from _put(pulse_us, to)
        return True
    yield Stroke(pulse_us, to)
    return False


def _put(pulse_us: float, where: Position) -> Search[None]:
    """Bring the tile to its end, where the next move must begin: it may have been kicked at its release."""
    for _ in range(_PUTS):
        if (yield Stroke(pulse_us)).rest is where:
            return


def _wait_spread_s(travels: Travels) -> float:
    starts_s = travels.starts_s
    return max(starts_s) - min(starts_s) if starts_s else 0.0


def _travels_of(asked: int, times: list[tuple[float, float]], *, down: bool) -> Travels:
    return Travels(asked, tuple(left_s for left_s, _ in times), tuple(arrived_s for _, arrived_s in times), down)
