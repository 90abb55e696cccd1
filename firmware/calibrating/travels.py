"""Moves down and up as in play, with the times at which the sensors changed."""

from dataclasses import dataclass
from statistics import median

from firmware.calibrating.strokes import LOOK_S, Search, Stroke
from hardware.tiles import Position

MOVES = 10  # five would do for the times; the wait before each blurs where the tile rests, and ten starts tell that


@dataclass(frozen=True, slots=True)
class Travels:
    """Moves of one direction that arrived: seconds to where the tile left its sensor, and to where it arrived.

    `asked` is how many were asked for.
    """

    asked: int
    left_s: tuple[float, ...]
    arrived_s: tuple[float, ...]

    @property
    def between_s(self) -> float:
        """From one sensor to the other, without the wait for the servo's next pulse: the middle one of all moves."""
        return median(arrived_s - left_s for left_s, arrived_s in zip(self.left_s, self.arrived_s, strict=True))

    @property
    def starts_s(self) -> tuple[float, ...]:
        """When the tile left its sensor, switches that bounce seen through.

        A bounce makes the one edge or the other late, never early: the way between them tells which.
        """
        pairs = zip(self.left_s, self.arrived_s, strict=True)
        seen = [(left_s, arrived_s - self.between_s) for left_s, arrived_s in pairs]
        return tuple(led_s if left_s - led_s > 2 * LOOK_S else left_s for left_s, led_s in seen)

    @property
    def spread_s(self) -> float:
        """By how much the moves differ, from one sensor to the other, the latest and the earliest left out."""
        sorted_s = sorted(arrived_s - left_s for left_s, arrived_s in zip(self.left_s, self.arrived_s, strict=True))
        inner_s = sorted_s[1:-1] or sorted_s
        return inner_s[-1] - inner_s[0] if inner_s else 0.0


def travel(open_us: float, shut_us: float, *, sees_open: bool) -> Search[tuple[Travels, Travels]]:
    """Moves down and up between these pulses, which lie near the ends; the tile ends open if it can.

    Without an open sensor the way up is not timed: nobody sees it end.
    """
    down: list[tuple[float, float]] = []
    up: list[tuple[float, float]] = []
    yield Stroke(open_us)
    yield Stroke(open_us)
    asked = 0
    for _ in range(MOVES):
        asked += 1
        arrived = yield from _go(shut_us, Position.SHUT, down)
        if sees_open:
            arrived &= yield from _go(open_us, Position.OPEN, up)
        else:
            yield Stroke(open_us)
            yield Stroke(open_us)
        if not arrived:
            # What does not arrive once is no tile to be timed.
            break
    return _travels(asked, down), _travels(asked, up)


def _go(pulse_us: float, to: Position, times: list[tuple[float, float]]) -> Search[bool]:
    """One travel; a tile that does not arrive is sent after it once more, untimed."""
    seen = yield Stroke(pulse_us, to)
    if seen.left_s is not None and seen.arrived_s is not None:
        times.append((seen.left_s, seen.arrived_s))
        return True
    yield Stroke(pulse_us, to)
    return False


def _travels(asked: int, times: list[tuple[float, float]]) -> Travels:
    return Travels(asked, tuple(left_s for left_s, _ in times), tuple(arrived_s for _, arrived_s in times))
