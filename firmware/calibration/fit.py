"""From a sensor's edge and times to end points: least squares over the known facts of a tile on a rigid rod.

The end points are where horn and rod put a tile without play against its stop and on its ledge; no sensor shows these
places. But a servo that was driven against a stop stays there, because its gears hold. A move from there to an edge of
the shut sensor takes longer than a move from a place whose pulse is known; times the servo's speed, that is the way
from one place to the other. The speed follows from the way between two known pulses: such a place and the edge.

Each move begins with a wait for the servo's next pulse, up to one frame, which blurs the place by some degrees; many
moves reduce the error. The switch's maker also specifies the angle at which it answers, to 2 degrees. Hall sensors
answer anywhere in the last 30 degrees, so they say nothing about the ledge.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from statistics import median

from firmware.calibration.ends import SPAN_DEG
from firmware.calibration.strokes import LOOK_S, Search, Stroke
from hardware.tiles import Position

# The shortest and the longest wait of twelve to thirty moves are hardly less than a frame apart.
_LEAST_MOVES, _MOST_MOVES = 12, 30
_ENOUGH = 0.9  # of a frame, between the shortest and the longest wait: the remaining error is one degree
_PUTS = 3  # a cut pulse kicks one tile in ten out of its place


@dataclass(frozen=True, slots=True)
class Route:
    """Pulses in microseconds between which a tile is timed.

    stop, ledge: beyond its stop and its ledge, so that the servo surely stalls there.
    open, shut: before them, so that the servo surely stops at its goal; the tile's sensors show open and shut there.
    """

    stop: float
    open: float
    shut: float
    ledge: float


@dataclass(frozen=True, slots=True)
class Move:
    """Seconds from the first pulse until the tile left its sensor, and until it arrived at the other."""

    left_s: float
    arrived_s: float

    @property
    def between_s(self) -> float:
        """The time from one sensor to the other, without the wait for the servo's next pulse."""
        return self.arrived_s - self.left_s


@dataclass(frozen=True, slots=True)
class Travels:
    """Moves by the place where they began: down from `stop` and `open` of the route, up from `ledge` and `shut`."""

    from_stop: list[Move]
    from_open: list[Move]
    from_ledge: list[Move]
    from_shut: list[Move]

    def knows_stops(self, frame_s: float) -> bool:
        """Return True if there are enough moves from the stops."""
        return _are_enough(frame_s, *self._clean_times_s()[::2])

    def knows_places(self, frame_s: float) -> bool:
        """Return True if there are enough moves from the known places."""
        return _are_enough(frame_s, *self._clean_times_s()[1::2])

    def are_enough(self, frame_s: float) -> bool:
        return self.knows_stops(frame_s) and self.knows_places(frame_s)

    def starts(self, frame_s: float) -> list[tuple[float, float]]:
        """Return, for each place, the time to the shut sensor's edge without the wait, and its standard deviation."""
        return [_start(times_s, frame_s) for times_s in self._clean_times_s()]

    def _clean_times_s(self) -> list[list[float]]:
        """Return the times to edges of the shut sensor, which are clean; a switch may bounce for 20 ms."""
        downs_s = ([move.arrived_s for move in moves] for moves in (self.from_stop, self.from_open))
        ups_s = ([move.left_s for move in moves] for moves in (self.from_ledge, self.from_shut))
        return [*downs_s, *ups_s]

    @property
    def down(self) -> list[Move]:
        return [*self.from_stop, *self.from_open]

    @property
    def up(self) -> list[Move]:
        return [*self.from_ledge, *self.from_shut]

    @property
    def spread_s(self) -> float:
        """The spread of the times from one sensor to the other, without the latest and the earliest of each way."""
        inner_s = (sorted(move.between_s for move in moves)[1:-1] for moves in (self.down, self.up))
        return max((times_s[-1] - times_s[0] for times_s in inner_s if times_s), default=0.0)


def travel(route: Route, frame_s: float, *, sees_open: bool) -> Search[Travels]:
    """Time moves down and up, from the stops and from the known places; leave the tile open if possible.

    frame_s: the time from pulse to pulse.
    """
    travels = Travels([], [], [], [])
    yield from _put(route.stop, Position.OPEN)
    # Both kinds take turns, because servos get slower while they get warm.
    while not travels.are_enough(frame_s):
        if not travels.knows_stops(frame_s):
            if not (yield from _go(route.ledge, Position.SHUT, travels.from_stop)):
                break
            if not (yield from _go(route.stop, Position.OPEN, travels.from_ledge, ends_unseen=not sees_open)):
                break
        if not travels.knows_places(frame_s):
            yield from _put(route.open, Position.OPEN)
            if not (yield from _go(route.ledge, Position.SHUT, travels.from_open)):
                break
            yield from _put(route.shut, Position.SHUT)
            if not (yield from _go(route.stop, Position.OPEN, travels.from_shut, ends_unseen=not sees_open)):
                break
    return travels


def _put(pulse_us: float, where: Position) -> Search[None]:
    """Bring the tile to where the next move must begin: it may have been kicked at its release."""
    for _ in range(_PUTS):
        if (yield Stroke(pulse_us)).rest is where:
            return


def _go(pulse_us: float, to: Position, moves: list[Move], *, ends_unseen: bool = False) -> Search[bool]:
    """Time one move; a tile that does not arrive, or not for sure, is sent once more, untimed."""
    seen = yield Stroke(pulse_us, to)
    if seen.left_s is None or seen.arrived_s is None:
        yield Stroke(pulse_us, to)
        return False
    moves.append(Move(seen.left_s, seen.arrived_s))
    if ends_unseen or seen.rest is not to:
        yield from _put(pulse_us, to)
    return True


# The tile's angle on the drawn rod, in degrees for the whole way of its pulses: near its stop, and near its ledge.
_STOP_DEG, _LEDGE_DEG = 87.5, 95.0
# Switches behind the tile open at 13 to 19 degrees on the way down (maker's drawing: they close at 12 to 16 and open 1
# to 3 later): the middle, and the standard deviation of two even spreads.
OPEN_OFF_DEG, _OPEN_SIGMA_DEG = 16.0, hypot(4.0, 2.0) / sqrt(12)
_OPEN_PLAY_DEG = 2.0  # of the switch itself, the middle
SOUND_PLAY_DEG = (2.0, 5.0)  # of gears, horn and rod together, in degrees of the tile
_PLACE_SIGMA_DEG = 0.6  # two counts of the board, the dead band, the spread of the play


@dataclass(frozen=True, slots=True)
class Fit:
    """End points in microseconds, times the servo's sign.

    way_s: the time from the one to the other, without waits.
    doubt_deg: how much switch and times disagree about the open end; None without a switch.
    play_deg: the play of gears, horn and rod; None without a switch. On the way down the rod pushes the tile, on
    the way up the tile hangs on it: between the two places where it meets its switch lie its play and the switch's own.
    """

    open: float
    shut: float
    way_s: float
    doubt_deg: float | None
    play_deg: float | None

    @property
    def us_per_deg(self) -> float:
        return (self.shut - self.open) / SPAN_DEG


def fit(opened: float, shut: float, edge: float, travels: Travels, frame_s: float, *, sees_open: bool) -> Fit:
    """Return the end points of a tile from at least one move of each kind.

    opened, shut, edge: the pulses of the route's known places and of the shut sensor's edge on the way down, times the
    servo's sign. frame_s: the time from pulse to pulse; a servo starts at any moment of it.
    """
    starts_s, free_s = zip(*travels.starts(frame_s), strict=True)
    stop_s, open_s, ledge_s, shut_s = starts_s
    speed = (edge - opened) / open_s
    at_stop, at_ledge = opened - speed * (stop_s - open_s), shut + speed * (ledge_s - shut_s)
    us_per_part = at_ledge - at_stop
    place_sigma = _PLACE_SIGMA_DEG / SPAN_DEG * us_per_part
    play_deg = None
    half_deg = sum(SOUND_PLAY_DEG) / 4
    leaves_open = edge - speed * median(move.between_s for move in travels.down)
    if sees_open:
        meets_open = shut - speed * (shut_s + median(move.between_s for move in travels.up))
        play_deg = (leaves_open - meets_open) / us_per_part * _STOP_DEG - _OPEN_PLAY_DEG
        half_deg = min(max(play_deg, SOUND_PLAY_DEG[0]), SOUND_PLAY_DEG[1]) / 2
    rows = [
        # (part, seen, sigma): seen = (1 - part) * open + part * shut, with the standard deviation sigma.
        (-half_deg / _STOP_DEG, at_stop, hypot(speed * free_s[0], speed * free_s[1], place_sigma)),
        (1.0 + half_deg / _LEDGE_DEG, at_ledge, hypot(speed * free_s[2], speed * free_s[3], place_sigma)),
    ]
    if sees_open:
        sigma = _OPEN_SIGMA_DEG / SPAN_DEG * us_per_part
        rows.append(((OPEN_OFF_DEG + half_deg) / _STOP_DEG, leaves_open, sigma))
    # The best fit to all rows: normal equations of two unknowns, solved by Cramer's rule.
    aa = ab = bb = ay = by = 0.0
    for part, seen, sigma in rows:
        weight = sigma**-2
        a, b = 1.0 - part, part
        aa, ab, bb = aa + weight * a * a, ab + weight * a * b, bb + weight * b * b
        ay, by = ay + weight * a * seen, by + weight * b * seen
    determinant = aa * bb - ab * ab
    best_open, best_shut = (ay * bb - by * ab) / determinant, (aa * by - ab * ay) / determinant
    away = max(abs(seen - (1.0 - part) * best_open - part * best_shut) for part, seen, _ in rows)
    doubt_deg = away / us_per_part * SPAN_DEG if sees_open else None
    return Fit(best_open, best_shut, (best_shut - best_open) / speed, doubt_deg, play_deg)


def _start(times_s: Sequence[float], frame_s: float) -> tuple[float, float]:
    """Return the time to an edge without the wait for a pulse, and its standard deviation.

    The waits are spread evenly over a frame. The time without them lies anywhere between the last less a frame and the
    first, so the further these are apart, the more certain it is (posterior of a uniform distribution's place).
    """
    waited_s = _undisturbed(times_s, frame_s)
    free_s = max(LOOK_S, frame_s - (waited_s[-1] - waited_s[0]))
    return (waited_s[0] + waited_s[-1] - frame_s) / 2, free_s / sqrt(12)


def _are_enough(frame_s: float, *times_s: Sequence[float]) -> bool:
    counts = [len(each_s) for each_s in times_s]
    waited_s = [_undisturbed(each_s, frame_s) for each_s in times_s]
    known = all(each_s and each_s[-1] - each_s[0] >= _ENOUGH * frame_s for each_s in waited_s)
    return min(counts) >= (_LEAST_MOVES if known else _MOST_MOVES)


def _undisturbed(times_s: Iterable[float], frame_s: float) -> list[float]:
    """Return the most times that lie within one frame, in order; of as many the latest.

    The pulse that ends a stroke may be cut short, and then kicks the tile, mostly nearer to the edge.
    """
    ordered_s = sorted(times_s, reverse=True)
    longest: list[float] = []
    for first, latest_s in enumerate(ordered_s):
        frame = [at_s for at_s in ordered_s[first:] if latest_s - at_s <= frame_s + LOOK_S]
        longest = max(longest, frame, key=len)
    return longest[::-1]
