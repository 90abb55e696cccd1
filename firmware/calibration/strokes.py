"""The strokes of a search and their results: the interface between the search and the hardware.

A search is a generator of strokes: it needs no clock, bus or loop, so that tests can run it on toy tiles.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

from firmware.errors import PulsesCut
from hardware.tiles import Position

T = TypeVar("T")

# One count of a PCA9685's 20 ms frame, 4.88 us, rounded up: pulses that are closer together do not differ at the servo.
TICK_US = 5.0
LOOK_S = 0.002  # interval of looks at a moving tile, and so the resolution of its times
# No servo presses longer than this while its tile makes no progress. In play the limit is LONGEST_DRIVE_S, because a
# tile that must arrive gets all the time that its servo bears. Here a tile is driven about a hundred times, often
# against its end, and only for a look.
LONGEST_PRESS_S = 0.3


@dataclass(frozen=True, slots=True)
class Stroke:
    """Pulses of `pulse_us` for less than `LONGEST_PRESS_S`, then none.

    With `to` it is a travel: it ends when the sensors show that position, and gets the same time again once the tile
    has left its origin. With `via_us` the horn goes there first, and from there so slowly that it neither shoots beyond
    its goal nor throws the tile; what the tile does is seen at rest.
    """

    pulse_us: float
    to: Position | None = None
    via_us: float | None = None


@dataclass(frozen=True, slots=True)
class StrokeResult:
    """The sensors' answer to a stroke.

    driven: the position at its end, while pulses still came.
    rest: the position at rest after it.
    left_s, arrived_s: for a travel, when the tile left its origin and arrived, in seconds from the first pulse, if so.
    is_cut_short: the length of the drive is unknown, since the servo board lost its registers meanwhile, or the pulses
        were cut.
    held_up: it is cut short for want of a processor alone, as this error says; the board is as it was.
    """

    driven: Position
    rest: Position
    left_s: float | None = None
    arrived_s: float | None = None
    is_cut_short: bool = False
    held_up: PulsesCut | None = None


Search = Generator[Stroke, StrokeResult, T]


class StrokeCutShort(Exception):
    """A stroke of a search was cut short, which is not the tile's fault: the search must begin again."""


class NotMeasured(Exception):
    """A tile cannot be measured: `seen` tells what it does instead, `cure` what to do about it.

    lost: it was driven without a response of its sensors, so its position is unknown.
    """

    def __init__(self, seen: str, cure: str, *, lost: bool = False) -> None:
        super().__init__(f"{seen}: {cure}")
        self.seen = seen
        self.cure = cure
        self.lost = lost
