"""Watches the field: when have dice been thrown, when do they lie still, and what do they show?"""

import asyncio
import logging
import math
from collections.abc import Callable
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from hardware.box import FieldLayout
from hardware.errors import Fault
from vision.errors import CameraDead, CameraFault, CameraFrozen, FieldDark, FieldLost
from vision.eye import STALE_S, Eye, Sight
from vision.field import locate_field
from vision.frame import Camera, Frame
from vision.quality import light_of
from vision.reader import read_dice
from vision.reading import DieReading, Reading, Reason, refused
from vision.rest import Glimpse, differ

_FRAME_S = 0.04  # between two looks when something goes on
_IDLE_S = 0.1  # between two looks when nothing does
_REFUSAL_S = 0.5  # a refusal must stand this long, twice, before the player hears of it
_BLIND_S = 5.0  # so long without markers or without light is a fault
_BLIND = (Reason.NO_FIELD, Reason.DARK)  # such a picture is looked at again and again, changed or not
_REST_S = 3.0  # dice that roll longer than this are not waited for by `look_now`
_SAME_PART = 0.004  # centres of two readings of the same dice agree within this part of the picture's width
_NUDGE_PART = 0.02  # a die that moved less was nudged, not thrown
_DOUBTS = 6  # so many pairs of readings that do not agree, and the player is asked
_BEFORE = "These dice lay there before I looked: throw them, or say that you have thrown."
_LAST_THROW = "These are the dice of the last throw: throw them, or type what they show."
_NOW_SO_NOW_SO = "I read these dice now so, now so: say what you threw."

log = logging.getLogger(__name__)

Reader = Callable[[Frame], Reading]


class Watcher:
    """Reads throws off the field, each once.

    Dice that keep lying are never a second throw, nor are dice that lay there before anybody looked: every die
    must have been lifted or moved since.

    Lifetime: an async context manager around the camera's whole use; leaving it closes the camera.
    Concurrency: one event loop, one caller at a time: cancel `next_throw` before `look_now`. Camera and reading
    work on one thread of their own; the loop waits for no pixels.
    """

    def __init__(self, camera: Camera, layout: FieldLayout, die_mm: float, *, reader: Reader | None = None) -> None:
        self._eye = Eye(camera)
        self._layout = layout
        self._read: Reader = reader or (lambda frame: read_dice(frame, layout=layout, die_mm=die_mm))
        self._lying: tuple[DieReading, ...] | None = None
        self._is_assumed = False
        self._read_last: tuple[DieReading, ...] | None = None
        self._judged: Glimpse | None = None
        self._blind_since_s: float | None = None

    async def __aenter__(self) -> Self:
        await self._eye.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._eye.__aexit__(kind, error, trace)

    def accept(self) -> None:
        """The throw that was read last has been counted: its dice lie there from now on."""
        if self._read_last is not None:
            self._lying, self._is_assumed, self._read_last = self._read_last, False, None

    def account_for(self) -> None:
        """What lies in the field has been counted, or never will be: the next throw is another one."""
        self._lying, self._judged, self._read_last = None, None, None

    async def note_lying(self) -> None:
        """After `account_for`: look what lies there, while it is sure that nobody has thrown yet.

        A camera at fault is no matter here; who waits for a throw will hear of it.
        """
        while self._lying is None:
            try:
                sight = await self._at_rest_and_new()
                reading = await self._agreed(sight)
            except CameraFault:
                return
            if reading is None or reading.reason is Reason.MOVING or reading.reason in _BLIND:
                continue
            self._judged = sight.glimpse
            if reading.is_read or reading.reason is Reason.NO_DICE:
                self._lie(reading, sight)

    async def next_throw(self, allowed: frozenset[int]) -> Reading:
        """Wait for a fresh throw of as many dice as `allowed` has, and read it; `accept` it once it counts.

        Returns a read verdict, or a refusal that has stood for about a second so that the player can be
        told; the next call then waits for a change. Raises `CameraFrozen`, `CameraDead`, `FieldLost` or
        `FieldDark`.
        """
        self._drop_uncounted()
        doubts = 0
        while True:
            sight = await self._at_rest_and_new()
            reading = await self._agreed(sight)
            if reading is None:
                doubts += 1
                if doubts == _DOUBTS:
                    return self._settle(refused(Reason.UNSURE, _NOW_SO_NOW_SO), sight)
                continue
            doubts = 0
            if reading.reason is Reason.MOVING:
                continue
            if reading.reason is Reason.NO_DICE:
                self._lie(reading, sight)
                continue
            answer = self._answer(reading, allowed, sight)
            if answer is None:
                self._judged = sight.glimpse
            elif answer.is_read or await self._stands(answer, allowed):
                if reading.is_read and self._lying is None:
                    self._lie(reading, sight)
                    self._is_assumed = True
                return self._settle(answer, sight)

    async def look_now(self, allowed: frozenset[int]) -> Reading:
        """Read what lies in the field now; for a player who says "I have thrown", and is believed.

        Returns a read verdict or a refusal: `moving` when the dice roll on, `stale` when every die lies where
        the last throw left it. Raises as `next_throw`.
        """
        self._drop_uncounted()
        loop = asyncio.get_running_loop()
        give_up_s = loop.time() + _REST_S
        while loop.time() < give_up_s:
            sight = await self._quiet(give_up_s)
            if sight is None:
                return refused(Reason.MOVING, "The dice are still moving: wait until they lie still.")
            reading = await self._agreed(sight)
            if reading is None or reading.reason is Reason.MOVING:
                continue
            if reading.reason is Reason.NO_DICE:
                self._lie(reading, sight)
                return reading
            if reading.is_read and not self._is_assumed and self._unmoved(reading, sight) == len(reading.dice):
                return refused(Reason.STALE, _LAST_THROW)
            return self._settle(_counted(reading, allowed), sight)
        return refused(Reason.UNSURE, _NOW_SO_NOW_SO)

    async def picture(self) -> Frame:
        """The newest frame, to look at. Raises `CameraFrozen` or `CameraDead`."""
        return (await self._eye.look()).frame

    async def health(self) -> tuple[Fault, ...]:
        """What the self-test has to say of the camera: fresh frames, enough light, markers seen."""
        try:
            await self.picture()
            # A camera that has stopped shows it only after a while.
            await asyncio.sleep(2 * STALE_S)
            frame = await self.picture()
        except (CameraFrozen, CameraDead) as fault:
            return (fault.fault,)
        dark = await self._eye.run(lambda: light_of(frame.pixels))
        if dark is not None:
            return (_blindness(dark).fault,)
        field = await self._eye.run(lambda: locate_field(frame.pixels, self._layout))
        return () if field is not None else (_no_field().fault,)

    def _settle(self, answer: Reading, sight: Sight) -> Reading:
        if answer.reason not in _BLIND:
            self._judged = sight.glimpse
        if answer.is_read:
            self._read_last = answer.dice
        return answer

    def _drop_uncounted(self) -> None:
        """A throw that was read and never counted is to be read again."""
        if self._read_last is not None:
            self._read_last, self._judged = None, None

    async def _at_rest_and_new(self) -> Sight:
        """A sight in which nothing moves and which differs from the one judged last."""
        while True:
            sight = await self._quiet(math.inf)
            if sight is not None and (self._judged is None or differ(sight.glimpse, self._judged)):
                return sight
            await asyncio.sleep(_IDLE_S)

    async def _quiet(self, give_up_s: float) -> Sight | None:
        """The later of two sights that show the same; None when there is none until `give_up_s`."""
        loop = asyncio.get_running_loop()
        before = await self._eye.look()
        while loop.time() < give_up_s:
            await asyncio.sleep(_FRAME_S)
            sight = await self._eye.look()
            if not differ(before.glimpse, sight.glimpse):
                return sight
            before = sight
        return None

    async def _agreed(self, sight: Sight) -> Reading | None:
        """Two readings of two frames that say the same, `moving` when something moved; None when they do not agree."""
        first = await self._reading_of(sight.frame)
        await asyncio.sleep(_FRAME_S)
        again = await self._eye.look()
        if differ(sight.glimpse, again.glimpse):
            return refused(Reason.MOVING, "The dice are still moving.")
        second = await self._reading_of(again.frame)
        return second if _same(first, second, again.frame) else None

    async def _stands(self, refusal: Reading, allowed: frozenset[int]) -> bool:
        """True when the refusal is the same after half a second and after a whole one."""
        for _ in range(2):
            await asyncio.sleep(_REFUSAL_S)
            sight = await self._eye.look()
            again = self._answer(await self._reading_of(sight.frame), allowed, sight)
            if again is None or again.reason is not refusal.reason:
                return False
        return True

    async def _reading_of(self, frame: Frame) -> Reading:
        reading = await self._eye.run(lambda: self._opinion(frame))
        self._note_blindness(reading)
        return reading

    def _opinion(self, frame: Frame) -> Reading:
        """Whatever a picture is like, the game goes on: one that trips the reader up is one it cannot read."""
        try:
            return self._read(frame)
        except (cv2.error, ArithmeticError, LookupError, ValueError):
            log.exception("a picture that the reader cannot cope with")
            return refused(Reason.UNSURE, "I cannot make out these dice: say what you threw.")

    def _note_blindness(self, reading: Reading) -> None:
        """Raise the fault when the field has been unseen for too long."""
        if reading.reason not in _BLIND:
            self._blind_since_s = None
            return
        now_s = asyncio.get_running_loop().time()
        if self._blind_since_s is None:
            self._blind_since_s = now_s
        if now_s - self._blind_since_s >= _BLIND_S:
            self._blind_since_s = None
            raise _blindness(reading)

    def _lie(self, reading: Reading, sight: Sight) -> None:
        """What is seen lies there from now on, and is no throw."""
        self._lying, self._is_assumed, self._judged = reading.dice, False, sight.glimpse

    def _answer(self, reading: Reading, allowed: frozenset[int], sight: Sight) -> Reading | None:
        """What to say of this reading; None when every die lies where it lay, so that nothing has happened."""
        if reading.is_read and self._lying is None:
            return refused(
                Reason.STALE, "These dice lay there before I looked: throw them, or say that you have thrown."
            )
        unmoved = self._unmoved(reading, sight)
        if unmoved and unmoved == len(reading.dice):
            return None
        if unmoved:
            return refused(Reason.STALE, "One die lies where it lay: throw them all, or say that you have thrown.")
        return _counted(reading, allowed)

    def _unmoved(self, reading: Reading, sight: Sight) -> int:
        """How many dice lie where a die lay before: a nudge, or being turned over, is no throw."""
        nudge_px = _NUDGE_PART * sight.frame.pixels.shape[1]
        return sum(
            any(math.dist(old.center_px, new.center_px) < nudge_px for old in self._lying or ()) for new in reading.dice
        )


def _same(one: Reading, other: Reading, frame: Frame) -> bool:
    if not (one.is_read and other.is_read):
        return one.verdict is other.verdict and one.reason is other.reason
    near_px = _SAME_PART * frame.pixels.shape[1]
    return [die.value for die in one.dice] == [die.value for die in other.dice] and all(
        math.dist(a.center_px, b.center_px) < near_px for a, b in zip(one.dice, other.dice, strict=True)
    )


def _counted(reading: Reading, allowed: frozenset[int]) -> Reading:
    """The reading, or a refusal when the number of its dice is not allowed."""
    seen = len(reading.dice)
    if not reading.is_read or seen in allowed:
        return reading
    wanted = " or ".join(_dice(number) for number in sorted(allowed))
    at = tuple(float(part) for part in np.mean([die.center_px for die in reading.dice], axis=0))
    if seen < min(allowed):
        return refused(Reason.TOO_FEW, f"I see {_dice(seen)}, this throw needs {wanted}.", at_px=(at[0], at[1]))
    return refused(Reason.TOO_MANY, f"I see {_dice(seen)}, this throw needs {wanted}.", at_px=(at[0], at[1]))


def _dice(number: int) -> str:
    return "one die" if number == 1 else f"{number} dice"


def _blindness(reading: Reading) -> CameraFault:
    if reading.reason is Reason.NO_FIELD:
        return _no_field()
    return FieldDark("camera", expected="light to read by", seen=f"a picture that is too {_light(reading)}")


def _light(reading: Reading) -> str:
    return "bright" if reading.reason is Reason.GLARE else "dark"


def _no_field() -> FieldLost:
    return FieldLost("markers", expected="at least 2 of the 4 markers", seen="fewer")
