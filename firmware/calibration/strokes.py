"""Strokes that a search asks for and their results: the words between the search and the metal.

A search is a generator of strokes, so that it decides without a clock, a bus or a loop, and is tried on toy tiles.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

from hardware.tiles import Position

T = TypeVar("T")

# One count of a PCA9685's 20 ms frame, 4.88 us, rounded up: no two pulses that are closer together differ at the servo.
TICK_US = 5.0
LOOK_S = 0.002  # from look to look at a moving tile: so fine are its times
# No servo presses longer than this while its tile makes no progress. In play it may take LONGEST_DRIVE_S, because a
# tile that has to arrive gets all the time that its servo bears; here a tile is driven about a hundred times, many of
# them against its end, and only to be looked at.
LONGEST_PRESS_S = 0.3


@dataclass(frozen=True, slots=True)
class Stroke:
    """Pulses of `pulse_us` for less than `LONGEST_PRESS_S`, then none.

    With `to` it is a travel: it ends where the sensors show that position, and has as much time again once the tile
    has left where it was.
    """

    pulse_us: float
    to: Position | None = None


@dataclass(frozen=True, slots=True)
class StrokeResult:
    """The sensors' answer to a stroke: at its end, while the pulses still came, and at rest after it.

    Of a travel also when, in seconds from the first pulse, the tile left where it was and when it arrived; None if
    it did not. `is_cut_short`: the servo board lost its registers meanwhile, and nobody knows how far it drove.
    """

    driven: Position
    rest: Position
    left_s: float | None = None
    arrived_s: float | None = None
    is_cut_short: bool = False


Search = Generator[Stroke, StrokeResult, T]


class StrokeCutShort(Exception):
    """A stroke of a search was cut short, which says nothing of the tile: the search begins anew."""


class NotMeasured(Exception):
    """A tile cannot be measured: `seen` is what it does instead, `cure` what to do about it.

    lost: it was driven, and its sensors did not follow, so that nobody knows where it is now.
    """

    def __init__(self, seen: str, cure: str, *, lost: bool = False) -> None:
        super().__init__(f"{seen}: {cure}")
        self.seen = seen
        self.cure = cure
        self.lost = lost
