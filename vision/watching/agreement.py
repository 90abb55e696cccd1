"""Where three frames have to agree: a reading counts once several still frames in a row say the same."""

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import vision.field
from hardware.box import FieldLayout
from vision.capture import Frame, cv2
from vision.reading import Reading, Reason, refused
from vision.watching.blindness import Blindness
from vision.watching.capture_thread import CapturedFrame, CaptureThread
from vision.watching.motion import has_moved
from vision.watching.stillness import StillnessGate

if TYPE_CHECKING:
    from vision.field import Field

_FACT_FRAMES = 3  # so many still frames must agree in values and places, or in that nothing lies there
_REFUSAL_FRAMES = 2  # a refusal moves no tile and is looked at again before the player hears of it
_SAME_PART = 0.004  # centres of two readings of the same dice agree within this part of the picture's width
_MOST_DISAGREEMENTS = 4  # so many fresh looks that do not agree, and the player is asked
_MOST_LIKELY = 3
_NOW_SO_NOW_SO = "I read these dice now so, now so: say what you threw."

log = logging.getLogger(__name__)

# One picture of a die that leans may seem to show one on another: either way it is not to be read.
_CANNOT_READ = {Reason.COCKED, Reason.STACKED, Reason.UNSURE, Reason.UNEXPLAINED}

Reader = Callable[[Frame], Reading]


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """A reading, the captured frame it was made from, and where the field lay in it (None for a refusal).

    The frame and the field stay with the reading because later dice are compared with these by place.
    """

    reading: Reading
    captured: CapturedFrame
    field: "Field | None" = None

    @property
    def is_moving(self) -> bool:
        """True when the dice did not lie still for long enough."""
        return self.reading.reason is Reason.MOVING


class Vote:
    """The frames' vote on one throw, for as long as they have not agreed.

    It is kept over several looks, so that a player who is asked at last is offered what was seen most often.
    Lifetime: one throw. Concurrency: none.
    """

    def __init__(self) -> None:
        self._votes: Counter[tuple[int, ...]] = Counter()
        self._disagreements = 0

    def cast(self, reading: Reading) -> None:
        """Count one frame's values; a refusal has no vote."""
        if reading.is_read:
            self._votes[reading.values] += 1

    def count_disagreement(self) -> bool:
        """Count a look whose frames did not agree; True when there were too many of them."""
        self._disagreements += 1
        return self._disagreements >= _MOST_DISAGREEMENTS

    def refusal(self) -> Reading:
        """The refusal `unsure`, with the values that were seen most often."""
        likely = tuple(values for values, _ in self._votes.most_common(_MOST_LIKELY))
        return refused(Reason.UNSURE, _NOW_SO_NOW_SO, likely=likely)


class Observer:
    """Asks the reader, as often as needed and no more: reading a frame costs far more than comparing two.

    With `by_colour` frames agree only if the dice have the same colours in them too.

    Lifetime: as long as the capture thread. Concurrency: one event loop, one caller at a time; reading is done on
    the vision thread.
    """

    def __init__(
        self,
        thread: CaptureThread,
        gate: StillnessGate,
        reader: Reader,
        layout: FieldLayout,
        *,
        by_colour: bool = False,
    ) -> None:
        self._thread = thread
        self._gate = gate
        self._read = reader
        self._layout = layout
        self._by_colour = by_colour
        self._blindness = Blindness()

    async def agree(self, captured: CapturedFrame, vote: Vote) -> Observation | None:
        """The observation that three frames from `captured` on agree on; for a refusal two are enough.

        The reading is `moving` when something moved meanwhile; None stands for frames that do not agree.
        Raises as `CaptureThread.look`, and `FieldLost` or `FieldDark` when the field has been unseen for long.
        """
        first = await self._read_frame(captured.frame)
        vote.cast(first)
        last = captured
        for _ in range(_frames_needed(first) - 1):
            last = await self._gate.look_after(last)
            if has_moved(captured.thumbnail, last.thumbnail):
                return Observation(refused(Reason.MOVING, "The dice are still moving."), last)
            reading = await self._read_frame(last.frame)
            vote.cast(reading)
            if not _is_same_reading(first, reading, captured.frame) or not self._has_same_colours(first, reading):
                return None
        return await self._locate(first, last)

    async def observe(self, captured: CapturedFrame) -> Observation:
        """The observation of one frame. Raises `FieldLost` or `FieldDark` when the field has been unseen for long."""
        return await self._locate(await self._read_frame(captured.frame), captured)

    def _has_same_colours(self, one: Reading, other: Reading) -> bool:
        return not self._by_colour or [die.colour for die in one.dice] == [die.colour for die in other.dice]

    async def _locate(self, reading: Reading, captured: CapturedFrame) -> Observation:
        if not reading.is_read:
            return Observation(reading, captured)
        field = await self._thread.run(lambda: vision.field.locate_field(captured.frame.pixels, self._layout))
        return Observation(reading, captured, field)

    async def _read_frame(self, frame: Frame) -> Reading:
        reading = await self._thread.run(lambda: self._read_any(frame))
        self._blindness.check(reading, asyncio.get_running_loop().time())
        return reading

    def _read_any(self, frame: Frame) -> Reading:
        """Read a frame whatever it is like: the game goes on when one trips the reader up."""
        try:
            return self._read(frame)
        except (cv2.error, ArithmeticError, LookupError, ValueError):
            log.exception("a picture that the reader cannot cope with")
            return refused(Reason.UNSURE, "I cannot make out these dice: say what you threw.")


def _frames_needed(first: Reading) -> int:
    return _FACT_FRAMES if first.is_read or first.reason is Reason.NO_DICE else _REFUSAL_FRAMES


def is_same_refusal(one: Reading, other: Reading) -> bool:
    """True if two readings, one of them a refusal, come to the same for the player."""
    return one.reason is other.reason or {one.reason, other.reason} <= _CANNOT_READ


def _is_same_reading(one: Reading, other: Reading, frame: Frame) -> bool:
    if not (one.is_read and other.is_read):
        return is_same_refusal(one, other)
    near_px = _SAME_PART * frame.pixels.shape[1]
    return [die.value for die in one.dice] == [die.value for die in other.dice] and all(
        math.dist(a.center_px, b.center_px) < near_px for a, b in zip(one.dice, other.dice, strict=True)
    )
