"""Agreement of frames: a reading counts once several still frames in a row say the same."""

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware.box import FieldLayout
from vision.capture.frame import Frame
from vision.errors import CameraFault, FieldDark, FieldLost
from vision.libraries import cv2
from vision.reading import Reading, Reason, refused
from vision.watching.capture_thread import CapturedFrame, CaptureThread, has_moved
from vision.watching.stillness import StillnessGate

if TYPE_CHECKING:
    from vision.field.field import Field

BLIND = (Reason.NO_FIELD, Reason.DARK)  # such a picture is read again and again, changed or not
_BLIND_S = 5.0  # this long without markers or without light is a fault


class Blindness:
    """The time for which the field has been unseen.

    A single refusal cannot tell an arm over the markers from a camera that was turned away; its duration can.

    Lifetime: as long as the camera. Concurrency: none.
    """

    def __init__(self) -> None:
        self._since_s: float | None = None
        self._looked_s = 0.0

    def check(self, reading: Reading, now_s: float) -> None:
        """Take a reading into account. Raises `FieldLost` or `FieldDark` when the field was unseen for too long."""
        if reading.reason not in BLIND:
            self._since_s = None
            return
        if self._since_s is None or now_s - self._looked_s > _BLIND_S:
            self._since_s = now_s  # a time without looks, as in a pause, does not count
        self._looked_s = now_s
        if now_s - self._since_s >= _BLIND_S:
            self._since_s = None
            raise blindness_fault(reading)


def blindness_fault(reading: Reading) -> CameraFault:
    """Return the fault that this refusal is when it lasts."""
    if reading.reason is Reason.NO_FIELD:
        return field_lost_fault()
    light = "bright" if reading.reason is Reason.GLARE else "dark"
    return FieldDark("camera", expected="light to read by", seen=f"a picture that is too {light}")


def field_lost_fault() -> FieldLost:
    return FieldLost("markers", expected="at least 2 of the 4 markers", seen="fewer")


_FACT_FRAMES = 3  # still frames that must agree in values and places, or in that nothing lies there
_REFUSAL_FRAMES = 2  # a refusal moves no tile and is checked again before the player hears of it
_REFUSAL_S = 0.5  # it must last this long, twice
_SAME_PART = 0.004  # centres of the same dice in two readings agree within this part of the width of the picture
_MOST_DISAGREEMENTS = 4  # looks without agreement after which the player is asked
_MOST_LIKELY = 3
_NOW_SO_NOW_SO = "I read these dice now so, now so: say what you threw."

log = logging.getLogger(__name__)

# A leaning die may look like one on another: either way it cannot be read.
_CANNOT_READ = {Reason.COCKED, Reason.STACKED, Reason.UNSURE, Reason.UNEXPLAINED}

Reader = Callable[[Frame, frozenset[int]], Reading]
"""Reads a frame, of that many dice; of any number where the set is empty."""


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """A reading, the captured frame it was made from, and the field in that frame (None for a refusal).

    The frame and the field stay with the reading because later dice are compared with these by place.
    """

    reading: Reading
    captured: CapturedFrame
    field: "Field | None" = None

    @property
    def is_moving(self) -> bool:
        """Return True when the dice did not lie still for long enough."""
        return self.reading.reason is Reason.MOVING


class Vote:
    """The votes of the frames on one throw while they have not agreed.

    They are kept over several looks, so that a player who is finally asked is offered the values seen most often.
    `counts` are the numbers of dice that may be thrown, empty where nobody knows it.
    Lifetime: one throw. Concurrency: none.
    """

    def __init__(self, counts: frozenset[int] = frozenset()) -> None:
        self.counts = counts
        self._votes: Counter[tuple[int, ...]] = Counter()
        self._disagreements = 0

    def cast(self, reading: Reading) -> None:
        """Count the values of one frame; a refusal has no vote."""
        if reading.is_read:
            self._votes[reading.values] += 1

    def count_disagreement(self) -> bool:
        """Count a look whose frames did not agree; return True when there were too many of them."""
        self._disagreements += 1
        return self._disagreements >= _MOST_DISAGREEMENTS

    def refusal(self) -> Reading:
        """Return the refusal `unsure`, with the values seen most often."""
        likely = tuple(values for values, _ in self._votes.most_common(_MOST_LIKELY))
        return refused(Reason.UNSURE, _NOW_SO_NOW_SO, likely=likely)


class Observer:
    """Calls the reader as often as needed and no more: reading a frame costs far more than comparing two.

    With `by_colour` frames agree only if the colours of the dice agree too.

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
        """Return the observation that three frames from `captured` on agree on; two are enough for a refusal.

        The reading is `moving` when something moved meanwhile; None means that the frames do not agree.
        Raises as `CaptureThread.look`, and `FieldLost` or `FieldDark` when the field has been unseen for long.
        """
        first = await self._read_frame(captured.frame, vote.counts)
        vote.cast(first)
        last = captured
        is_fact = first.is_read or first.reason is Reason.NO_DICE
        for _ in range((_FACT_FRAMES if is_fact else _REFUSAL_FRAMES) - 1):
            last = await self._gate.look_after(last)
            if has_moved(captured.thumbnail, last.thumbnail):
                return Observation(refused(Reason.MOVING, "The dice are still moving."), last)
            reading = await self._read_frame(last.frame, vote.counts)
            vote.cast(reading)
            if not _is_same_reading(first, reading, captured.frame):
                return None
            if self._by_colour and [die.colour for die in first.dice] != [die.colour for die in reading.dice]:
                return None
        return await self._locate(first, last)

    async def lasts(
        self, refusal: Reading, counts: frozenset[int], judge: Callable[[Observation], Reading | None]
    ) -> bool:
        """Return True if `judge` refuses for the same reason after half a second and after a whole one.

        Raises `FieldLost` or `FieldDark` when the field was unseen for long.
        """
        for _ in range(2):
            await asyncio.sleep(_REFUSAL_S)
            captured = await self._gate.look()
            again = judge(await self._locate(await self._read_frame(captured.frame, counts), captured))
            if again is None or not is_same_refusal(again, refusal):
                return False
        return True

    async def _locate(self, reading: Reading, captured: CapturedFrame) -> Observation:
        if not reading.is_read:
            return Observation(reading, captured)
        field = await self._thread.run(lambda: locate(captured.frame, self._layout))
        return Observation(reading, captured, field)

    async def _read_frame(self, frame: Frame, counts: frozenset[int]) -> Reading:
        try:
            reading = await self._thread.run(lambda: self._read(frame, counts))
        except (cv2.error, ArithmeticError, LookupError, ValueError):
            # The game goes on when the reader fails on a picture.
            log.exception("reader failed on a picture")
            reading = refused(Reason.UNSURE, "I cannot make out these dice: say what you threw.")
        self._blindness.check(reading, asyncio.get_running_loop().time())
        return reading


def locate(frame: Frame, layout: FieldLayout) -> "Field | None":
    """Locate the field in a frame; NumPy is loaded by the first call, which belongs on the vision thread."""
    from vision.field.field import locate_field

    return locate_field(frame.pixels, layout)


def is_same_refusal(one: Reading, other: Reading) -> bool:
    """Return True if two readings, one of them a refusal, mean the same for the player."""
    return one.reason is other.reason or {one.reason, other.reason} <= _CANNOT_READ


def _is_same_reading(one: Reading, other: Reading, frame: Frame) -> bool:
    if not (one.is_read and other.is_read):
        return is_same_refusal(one, other)
    near_px = _SAME_PART * frame.pixels.shape[1]
    return [die.value for die in one.dice] == [die.value for die in other.dice] and all(
        math.dist(a.center_px, b.center_px) < near_px for a, b in zip(one.dice, other.dice, strict=True)
    )
