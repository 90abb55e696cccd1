"""A toy tile on a rigid rod, for searches without a world: it has play, stays where it is let go, and overshoots."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Self

from firmware.calibration.strokes import Search, Stroke, StrokeResult, T
from hardware.tiles import Position

_FALLS_ABOVE_DEG = 19.0
_TRAVEL_DEG = 95.0
# The part of a frame that each stroke waits: evenly spread, and never the same twice.
_WAITS = (number * 0.618 % 1 for number in count())


@dataclass
class ToyTile:
    """A tile whose angle is its pulse's within half its play, between its stops.

    Its magnet holds it to the one side of its play near the stop, its weight to the other beyond. On the way it swings
    to the far side. A sensor answers at one angle, and goes on to answer for as many degrees as its own play.

    lag: how much of its play a quickly falling tile has not made good where its shut sensor answers.
    """

    open_us: float
    us_per_deg: float
    shut_on: float = 79.0
    shut_play: float = 12.0
    open_on: float = 14.0
    open_play: float = 2.0
    play: float = 3.0
    overshoot: float = 4.0
    deg_s: float = 545.0
    lag: float = 0.0
    has_switch: bool = True
    sees: Callable[[Position], Position] = lambda shown: shown
    horn: float = 0.0
    is_shut: bool = False
    is_open: bool = False
    asked: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lean(self.horn)

    def mirrored(self) -> Self:
        return replace(self, open_us=3000 - self.open_us, us_per_deg=-self.us_per_deg)

    def angle_of(self, pulse_us: float) -> float:
        return (pulse_us - self.open_us) / self.us_per_deg

    def stroke(self, stroke: Stroke) -> StrokeResult:
        self.asked.append(stroke.pulse_us)
        began, goal = self.horn, self.angle_of(stroke.pulse_us)
        was_shown = self.shown
        way = goal - began
        if abs(way) > 2 * self.overshoot:
            self._turn_to(goal + self.overshoot * (1 if way > 0 else -1))
        self._turn_to(goal)
        shown = self.sees(self.shown)
        if stroke.to is None or shown is not stroke.to:
            return StrokeResult(shown, shown)
        # A pushed tile meets its switch half its play late; one that hangs on the rod meets its edges as much early.
        half, wait_s = self.play / 2, 0.02 * next(_WAITS)
        if way > 0 and was_shown is Position.OPEN:
            edges = self.open_on + self.open_play + half, self.shut_on - half + self.lag
        elif way < 0 and was_shown is Position.SHUT:
            edges = self.shut_on - self.shut_play - half, self.open_on - half
        else:
            return StrokeResult(shown, shown)
        if not self.has_switch:
            edges = edges[way > 0], edges[way > 0]
        left_s, arrived_s = (wait_s + abs(edge - began) / self.deg_s for edge in edges)
        return StrokeResult(shown, shown, left_s, arrived_s)

    @property
    def shown(self) -> Position:
        if self.is_shut:
            return Position.SHUT
        return Position.OPEN if self.is_open or not self.has_switch else Position.BETWEEN

    def _turn_to(self, horn: float) -> None:
        half = self.play / 2
        is_down, self.horn = horn > self.horn, max(-half, min(_TRAVEL_DEG + half, horn))
        self._lean(self.horn + half if is_down else self.horn - half)
        self._lean(self.horn + half if self.horn + half > _FALLS_ABOVE_DEG else self.horn - half)

    def _lean(self, angle: float) -> None:
        angle = max(0.0, min(_TRAVEL_DEG, angle))
        self.is_shut = angle >= self.shut_on - self.shut_play * self.is_shut
        self.is_open = angle <= self.open_on + self.open_play * self.is_open


def follow(tile: ToyTile, search: Search[T]) -> T:
    """Make the strokes of a search on a toy tile, and return what it found."""
    try:
        stroke = next(search)
        while True:
            stroke = search.send(tile.stroke(stroke))
    except StopIteration as end:
        found: T = end.value
        return found
