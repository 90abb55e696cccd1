"""From edges and times to end points: least squares over four known facts of a tile.

The end points of a tile are where it rests, against its stop and on its ledge; no sensor shows these places. But a tile
that starts there meets its first edge after a measured time, and goes from the first edge to the second at a known
speed, since the pulses of both are known. Speed and time lead back to the start. The wait for the servo's next pulse,
up to one frame, blurs that by some degrees; several starts reduce the error. The sensors' makers also specify the angle
at which they answer, to 2 or 3 degrees. Both sources together are better than either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from statistics import median

from firmware.calibration.ends import SPAN_DEG, Edges
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
    A switch may bounce for 20 ms (see `firmware/tiles/sensors.py`), which makes its edge seem late, never early. The
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


# Hall sensors under the ledge answer at 66 to 72 degrees, switches behind the tile up to 12 to 16 degrees (makers'
# drawings): the middle, and the standard deviation of an even spread (its width over the root of 12).
SHUT_ON_DEG, _SHUT_SIGMA_DEG = 69.0, 6.0 / sqrt(12)
OPEN_ON_DEG, _OPEN_SIGMA_DEG = 14.0, 4.0 / sqrt(12)
# The largest play of a sensor itself, in degrees: 9 to 10 for Hall sensor and magnet of the parts list, 19.5 for the
# most sensitive one (from their field, see `tests/hardware/wiring/test_hall.py`), 1 to 3 for a switch.
SHUT_PLAY_DEG, OPEN_PLAY_DEG = 20.0, 3.0
_EDGE_SIGMA_DEG = 0.4  # one count of the board, half the dead band


@dataclass(frozen=True, slots=True)
class Fit:
    """End points in microseconds, times the servo's sign.

    doubt_deg: how much sensors and times disagree about the ends.
    play_deg: the difference between the ways down and up, less the largest play of the sensors themselves.
    """

    open: float
    shut: float
    doubt_deg: float
    play_deg: float

    @property
    def us_per_deg(self) -> float:
        return (self.shut - self.open) / SPAN_DEG


def fit(edges: Edges, down: Travels, up: Travels, frame_s: float) -> Fit:
    """Return the end points of a tile with both sensors, from its edges and at least one move each way.

    frame_s: the time from pulse to pulse; a servo starts at any moment of it.
    """
    per_deg = (edges.shut_on - edges.open_on) / (SHUT_ON_DEG - OPEN_ON_DEG)
    speed_down = (edges.shut_on - edges.open_off) / down.between_s
    speed_up = (edges.shut_off - edges.open_on) / up.between_s
    from_open, from_open_sigma = _start(edges.open_off, -speed_down, down.starts_s, frame_s)
    from_shut, from_shut_sigma = _start(edges.shut_off, speed_up, up.starts_s, frame_s)
    least_sigma = _EDGE_SIGMA_DEG * per_deg
    rows = (
        # (part, seen, sigma): seen = (1 - part) * open + part * shut, with the standard deviation sigma.
        (0.0, from_open, hypot(from_open_sigma, least_sigma)),
        (1.0, from_shut, hypot(from_shut_sigma, least_sigma)),
        (OPEN_ON_DEG / SPAN_DEG, edges.open_on, _OPEN_SIGMA_DEG * per_deg),
        (SHUT_ON_DEG / SPAN_DEG, edges.shut_on, _SHUT_SIGMA_DEG * per_deg),
    )
    # The best fit to all rows: normal equations of two unknowns, solved by Cramer's rule.
    aa = ab = bb = ay = by = 0.0
    for part, seen, sigma in rows:
        weight = sigma**-2
        a, b = 1.0 - part, part
        aa, ab, bb = aa + weight * a * a, ab + weight * a * b, bb + weight * b * b
        ay, by = ay + weight * a * seen, by + weight * b * seen
    determinant = aa * bb - ab * ab
    opened, shut = (ay * bb - by * ab) / determinant, (aa * by - ab * ay) / determinant
    us_per_deg = (shut - opened) / SPAN_DEG
    doubt_deg = max(abs(from_open - opened), abs(from_shut - shut)) / us_per_deg
    return Fit(opened, shut, doubt_deg, play_of(edges, us_per_deg))


def play_of(edges: Edges, us_per_deg: float) -> float:
    """Return the least play of a tile's linkage in degrees: the part that its sensors' own play cannot explain."""
    at_shut = (edges.shut_on - edges.shut_off) / us_per_deg - SHUT_PLAY_DEG
    at_open = (edges.open_off - edges.open_on) / us_per_deg - OPEN_PLAY_DEG
    return max(0.0, at_shut, at_open)


def _start(edge: float, speed: float, left_s: Sequence[float], frame_s: float) -> tuple[float, float]:
    """Return the pulse at which the tile started, going back from its first edge, and its standard deviation.

    The waits are spread evenly over a frame. The common part of all starts lies anywhere between the last less a frame
    and the first, so the further these are apart, the more certain it is (posterior of a uniform distribution's place).
    """
    free_s = max(LOOK_S, frame_s - (max(left_s) - min(left_s)))
    way_s = (min(left_s) + max(left_s)) / 2 - frame_s / 2
    return edge + speed * way_s, abs(speed) * free_s / sqrt(12)
