"""What the reader makes of the field: an opinion counts once several frames in a row say the same."""

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import cv2

from hardware.box import FieldLayout
from vision.capture import Frame
from vision.field import Field, locate_field
from vision.reading import Reading, Reason, refused
from vision.watching.blindness import Blindness
from vision.watching.capture import Eye, Sight
from vision.watching.motion import differ
from vision.watching.stillness import Gate

_FACT_FRAMES = 3  # so many settled frames must agree in values and places, or in that nothing lies there
_REFUSAL_FRAMES = 2
_SAME_PART = 0.004  # centres of two readings of the same dice agree within this part of the picture's width
_MOST_DOUBTS = 4  # so many fresh looks that do not agree, and the player is asked
_MOST_LIKELY = 3
_NOW_SO_NOW_SO = "I read these dice now so, now so: say what you threw."

log = logging.getLogger(__name__)

# One picture of a die that leans may seem to show one on another: either way it is not to be read.
_CANNOT_READ = {Reason.COCKED, Reason.STACKED, Reason.UNSURE, Reason.UNEXPLAINED}

Reader = Callable[[Frame], Reading]


@dataclass(frozen=True, slots=True, eq=False)
class Opinion:
    """A reading, the sight it was made from, and where the field lay in it (None where that was not asked)."""

    reading: Reading
    sight: Sight
    field: Field | None = None

    @property
    def is_moving(self) -> bool:
        """True when the dice did not lie still for long enough."""
        return self.reading.reason is Reason.MOVING


class Ballot:
    """The readings of one throw that have not agreed yet.

    Lifetime: one throw. Concurrency: none.
    """

    def __init__(self) -> None:
        self._votes: Counter[tuple[int, ...]] = Counter()
        self._doubts = 0

    def vote(self, reading: Reading) -> None:
        """Count what one frame says."""
        if reading.is_read:
            self._votes[reading.values] += 1

    def doubt(self) -> bool:
        """Count a look whose frames did not agree; True when there were too many of them."""
        self._doubts += 1
        return self._doubts >= _MOST_DOUBTS

    def unsure(self) -> Reading:
        """The refusal that names what was seen most often."""
        likely = tuple(values for values, _ in self._votes.most_common(_MOST_LIKELY))
        return refused(Reason.UNSURE, _NOW_SO_NOW_SO, likely=likely)


class Opinions:
    """Asks the reader, as often as needed and no more.

    Lifetime: as long as the eye. Concurrency: one event loop, one caller at a time; reading is done on the vision
    thread.
    """

    def __init__(self, eye: Eye, gate: Gate, reader: Reader, layout: FieldLayout) -> None:
        self._eye = eye
        self._gate = gate
        self._read = reader
        self._layout = layout
        self._blindness = Blindness()

    async def agreed(self, sight: Sight, ballot: Ballot) -> Opinion | None:
        """What three frames from `sight` on say alike; for a refusal two are enough.

        The reading is `moving` when something moved meanwhile; None stands for frames that do not agree.
        Raises as `Eye.look`, and `FieldLost` or `FieldDark` when the field has been unseen for long.
        """
        first = await self._reading_of(sight.frame)
        ballot.vote(first)
        last = sight
        for _ in range(_frames_needed(first) - 1):
            last = await self._gate.look_after(last)
            if differ(sight.glimpse, last.glimpse):
                return Opinion(refused(Reason.MOVING, "The dice are still moving."), last)
            reading = await self._reading_of(last.frame)
            ballot.vote(reading)
            if not _same(first, reading, sight.frame):
                return None
        return await self._placed(first, last)

    async def of(self, sight: Sight) -> Opinion:
        """What one frame says. Raises `FieldLost` or `FieldDark` when the field has been unseen for long."""
        return await self._placed(await self._reading_of(sight.frame), sight)

    async def _placed(self, reading: Reading, sight: Sight) -> Opinion:
        if not reading.is_read:
            return Opinion(reading, sight)
        field = await self._eye.run(lambda: locate_field(sight.frame.pixels, self._layout))
        return Opinion(reading, sight, field)

    async def _reading_of(self, frame: Frame) -> Reading:
        reading = await self._eye.run(lambda: self._of_picture(frame))
        self._blindness.note(reading, asyncio.get_running_loop().time())
        return reading

    def _of_picture(self, frame: Frame) -> Reading:
        """Whatever a picture is like, the game goes on: one that trips the reader up is one it cannot read."""
        try:
            return self._read(frame)
        except (cv2.error, ArithmeticError, LookupError, ValueError):
            log.exception("a picture that the reader cannot cope with")
            return refused(Reason.UNSURE, "I cannot make out these dice: say what you threw.")


def _frames_needed(first: Reading) -> int:
    return _FACT_FRAMES if first.is_read or first.reason is Reason.NO_DICE else _REFUSAL_FRAMES


def as_bad(one: Reading, other: Reading) -> bool:
    """Whether two readings, one of them a refusal, come to the same."""
    return one.reason is other.reason or {one.reason, other.reason} <= _CANNOT_READ


def _same(one: Reading, other: Reading, frame: Frame) -> bool:
    if not (one.is_read and other.is_read):
        return as_bad(one, other)
    near_px = _SAME_PART * frame.pixels.shape[1]
    return [die.value for die in one.dice] == [die.value for die in other.dice] and all(
        math.dist(a.center_px, b.center_px) < near_px for a, b in zip(one.dice, other.dice, strict=True)
    )
