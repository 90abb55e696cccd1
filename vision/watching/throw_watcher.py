"""Decides when a throw counts: the dice lie still, three frames agree, and every die was lifted or moved since."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self

from hardware.box import FieldLayout
from hardware.errors import Fault
from vision.capture.frame import Camera, Frame, Pixels
from vision.capture.quality import refuse_bad_light
from vision.errors import CameraDead, CameraFault, CameraFrozen, CameraTurned
from vision.libraries import np
from vision.reading import Reading, Reason, check_count, refused
from vision.watching.agreement import (
    BLIND,
    Observation,
    Observer,
    Reader,
    Vote,
    blindness_fault,
    field_lost_fault,
    locate,
)
from vision.watching.box_reader import BoxReader
from vision.watching.capture_thread import STALE_S, CapturedFrame, CaptureThread, Thumbnail
from vision.watching.counted_dice import CountedDice
from vision.watching.stillness import StillnessGate

Keeper = Callable[[Pixels, Reading, tuple[int, ...] | None], None]
"""Keeps a frame, its reading and, where somebody corrected it, the values of the dice."""

_NOW_SO_NOW_SO = "I read these dice now so, now so: lay them elsewhere, each by itself."


class Claims:
    """Reads claims off the field, as they lie: dice that were read before may be those of another player.

    `keep` is called with the frame of each claim that is read or refused.
    Lifetime: as long as the gate and the observer. Concurrency: one event loop, one caller at a time.
    """

    def __init__(self, gate: StillnessGate, observer: Observer, keep: Callable[[Pixels, Reading], None]) -> None:
        self._gate = gate
        self._observer = observer
        self._keep = keep

    async def next(self, *, afresh: bool) -> Reading:
        """See `Watcher.next_claim`."""
        if afresh:
            self._gate.forget()
        vote = Vote()
        while True:
            captured = await self._gate.wait_still_and_new()
            observation = await self._observer.agree(captured, vote)
            if observation is None:
                if vote.count_disagreement():
                    unsure = refused(Reason.UNSURE, _NOW_SO_NOW_SO)
                    return self._give(Observation(unsure, captured))
                continue
            vote = Vote()
            if observation.is_moving:
                continue
            reading = observation.reading
            if reading.reason is Reason.NO_DICE:
                self._gate.mark_read(observation.captured)
            elif reading.is_read or await self._observer.lasts(reading, frozenset(), lambda seen: seen.reading):
                return self._give(observation)

    def _give(self, observation: Observation) -> Reading:
        """Return the answer, with the gate shut until the field changes; an unseen field is read again at once."""
        answer, captured = observation.reading, observation.captured
        if answer.reason not in BLIND:
            self._gate.mark_read(captured)
            self._keep(captured.frame.pixels, answer)
        return answer


_REST_S = 3.0  # `look_now` does not wait longer for rolling dice
_STILL_MOVING = "The dice are still moving: wait until they lie still."
_BEFORE = "These dice lay there before I looked: throw them, or say that you have thrown."
_LAST_THROW = "These are the dice of the last throw: throw them, or type what they show."
_ONE_LIES = "One die lies where it lay: throw them all, or say that you have thrown."
_TURNED = "A die was turned over where it lay, and that is no throw: throw them all."


class Watcher:
    """Reads throws off the field, each once.

    Dice that keep lying are never a second throw, nor are dice that lay there before the first look: every die
    must have been lifted or moved since. The place decides, for two throws in a row may well show the same.

    With a reader for them, `claims`, it reads claims too, as they lie: see `next_claim`.

    Lifetime: an async context manager around the whole use of the camera; leaving it closes the camera.
    Concurrency: one event loop, one caller at a time: cancel `next_throw` before `look_now`. Camera and reading
    work on one thread of their own; the loop waits for no pixels.
    """

    def __init__(
        self,
        camera: Camera,
        layout: FieldLayout,
        die_mm: float,
        *,
        reader: Reader | None = None,
        claims: Reader | None = None,
    ) -> None:
        self._thread = CaptureThread(camera)
        self._gate = StillnessGate(self._thread, self._watch_counted)
        self._layout = layout
        self._die_mm = die_mm
        self._observer = Observer(self._thread, self._gate, reader or BoxReader(layout, die_mm), layout)
        self._counted: CountedDice | None = None
        self._bare: Thumbnail | None = None
        self._read_last: Observation | None = None
        self._accepted: Observation | None = None
        self._keepers: list[Keeper] = []
        self._claims: Claims | None = None
        if claims is not None:
            observer = Observer(self._thread, self._gate, claims, layout, by_colour=True)
            self._claims = Claims(self._gate, observer, self._keep)

    async def __aenter__(self) -> Self:
        await self._thread.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._thread.__aexit__(kind, error, trace)

    def keep_evidence(self, keep: Keeper) -> None:
        """Have `keep` called on the loop, besides earlier ones, for each throw counted, corrected or refused; it must
        not wait.
        """
        self._keepers.append(keep)

    def tell_motion(self, tell: Callable[[bool], None] | None) -> None:
        """Have `tell` called, on the loop, when something begins to move in the field (True) or lies still (False)."""
        self._gate.tell_motion(tell)

    def places_mm(self) -> tuple[tuple[float, float], ...]:
        """Return the places of the dice of the last reading, in its order: the middle of each top in mm of the field.

        Empty where the markers were not seen, or when nothing was read before `accept`.
        """
        read = self._read_last
        if read is None or read.field is None or not read.reading.dice:
            return ()
        centres = np.array([die.center_px for die in read.reading.dice])
        return tuple((float(x), float(y)) for x, y in read.field.at_mm(centres, self._die_mm))

    def accept(self) -> None:
        """Count the throw that was read last: from now on its dice are no throw."""
        if self._read_last is not None:
            self._keep(self._read_last.captured.frame.pixels, self._read_last.reading)
            self._counted = CountedDice(self._read_last, self._bare)
            self._accepted, self._read_last = self._read_last, None

    def correct(self, values: tuple[int, ...]) -> None:
        """Keep the picture of the throw that counted last once more, with what somebody says that its dice show."""
        if self._accepted is not None:
            self._keep(self._accepted.captured.frame.pixels, self._accepted.reading, values)

    def account_for(self) -> None:
        """Forget the dice in the field, which have been counted, or never will be: the next throw is a new one."""
        self._counted, self._read_last, self._accepted = None, None, None
        self._gate.forget()

    async def note_lying(self) -> None:
        """Take the dice in the field as counted; call it after `account_for`, while nobody can have thrown yet.

        A camera fault does not matter here; the caller of `next_throw` will get it.
        """
        while self._counted is None:
            try:
                observation = await self._observer.agree(await self._gate.wait_still_and_new(), Vote())
            except CameraFault:
                return
            if observation is None or observation.is_moving or observation.reading.reason in BLIND:
                continue
            self._gate.mark_read(observation.captured)
            if observation.reading.is_read or observation.reading.reason is Reason.NO_DICE:
                self._take_as_counted(observation)

    async def next_throw(self, allowed: frozenset[int]) -> Reading:
        """Wait for a fresh throw of a number of dice in `allowed`, and read it; `accept` it once it counts.

        Returns a read verdict, or a refusal that has lasted for about a second so that the player can be
        told; the next call then waits for a change. `unsure` names the values seen most often. Raises
        `CameraFrozen`, `CameraDead`, `FieldLost` or `FieldDark`.
        """
        self._drop_uncounted()
        vote = Vote(allowed)
        while True:
            captured = await self._gate.wait_still_and_new()
            observation = await self._observer.agree(captured, vote)
            if observation is None:
                if vote.count_disagreement():
                    unsure = vote.refusal()
                    return self._close(unsure, Observation(unsure, captured))
                continue
            vote = Vote(allowed)
            if observation.is_moving:
                continue
            if observation.reading.reason is Reason.NO_DICE:
                self._take_as_counted(observation)
                continue
            answer = self._judge(observation, allowed)
            if answer is None:
                self._gate.mark_read(observation.captured)
            elif answer.is_read or await self._observer.lasts(answer, allowed, lambda seen: self._judge(seen, allowed)):
                counted = self._counted
                if answer.reason is Reason.STALE and (counted is None or self._all_lie(counted, observation)):
                    # It is said once; from now on these dice are as good as counted.
                    is_assumed = counted is None or counted.is_assumed
                    self._counted = CountedDice(observation, self._bare, is_assumed=is_assumed)
                return self._close(answer, observation)

    async def look_now(self, allowed: frozenset[int]) -> Reading:
        """Read the dice in the field now, for a player who says "I have thrown" and is believed.

        Returns a read verdict or a refusal: `moving` when the dice keep rolling, `stale` when every die lies where
        the last throw left it. Raises as `next_throw`.
        """
        self._drop_uncounted()
        vote = Vote(allowed)
        loop = asyncio.get_running_loop()
        give_up_s = loop.time() + _REST_S
        doubtful: CapturedFrame | None = None
        while loop.time() < give_up_s:
            captured = await self._gate.wait_still(give_up_s)
            if captured is None:
                return refused(Reason.MOVING, _STILL_MOVING)
            observation = await self._observer.agree(captured, vote)
            if observation is None or observation.is_moving:
                doubtful = captured
                continue
            if observation.reading.reason is Reason.NO_DICE:
                self._take_as_counted(observation)
                return observation.reading
            counted, is_read = self._counted, observation.reading.is_read
            if counted is not None and not counted.is_assumed and is_read and self._all_lie(counted, observation):
                return refused(Reason.STALE, _LAST_THROW)
            return self._close(check_count(observation.reading, allowed), observation)
        unsure = vote.refusal()
        return unsure if doubtful is None else self._close(unsure, Observation(unsure, doubtful))

    async def look_again(self, count: int) -> Reading:
        """Read this number of dice where they lie, from new frames, though they have counted; nothing counts by that.

        Returns a read verdict or a refusal. Raises as `next_throw`. Call it while a throw lies there that has counted.
        """
        allowed = frozenset({count})
        vote = Vote(allowed)
        give_up_s = asyncio.get_running_loop().time() + _REST_S
        answer = refused(Reason.MOVING, _STILL_MOVING)
        while (captured := await self._gate.wait_still(give_up_s)) is not None:
            observation = await self._observer.agree(captured, vote)
            if observation is not None and not observation.is_moving:
                return check_count(observation.reading, allowed)
            answer = vote.refusal()
        return answer

    async def next_claim(self, *, afresh: bool = False) -> Reading:
        """Wait for dice on the baize that differ from those read last, and read them as they lie.

        `afresh`: the dice that lie there now are read in any case, for another player may claim dice that were read
        before.
        Returns a read verdict, or a refusal that has lasted for about a second. Raises `CameraFrozen`, `CameraDead`,
        `FieldLost` or `FieldDark`, and `RuntimeError` where no reader for claims was given.
        """
        if self._claims is None:
            raise RuntimeError("this camera reads no claims")
        return await self._claims.next(afresh=afresh)

    async def picture(self) -> Frame:
        """Return the newest frame, to show it. Raises `CameraFrozen` or `CameraDead`."""
        return (await self._thread.look()).frame

    async def health(self) -> tuple[Fault, ...]:
        """Return the faults of the camera for tests: no fresh frames, too little light, markers unseen, upside down."""
        try:
            await self.picture()
            # A stopped camera is noticed only after a while.
            await asyncio.sleep(2 * STALE_S)
            frame = await self.picture()
        except (CameraFrozen, CameraDead) as fault:
            return (fault.fault,)
        dark = await self._thread.run(lambda: refuse_bad_light(frame.pixels))
        if dark is not None:
            return (blindness_fault(dark).fault,)
        field = await self._thread.run(lambda: locate(frame, self._layout))
        if field is None:
            return (field_lost_fault().fault,)
        if field.is_upside_down:
            turned = CameraTurned("camera", expected="the far edge of the field above", seen="it below")
            return (turned.fault,)
        return ()

    def _watch_counted(self, thumbnail: Thumbnail) -> None:
        if self._counted is not None:
            self._counted.watch(thumbnail)

    def _drop_uncounted(self) -> None:
        """Forget a throw that was read and never counted: it is to be read again."""
        if self._read_last is not None:
            self._read_last = None
            self._gate.forget()

    def _keep(self, pixels: Pixels, reading: Reading, values: tuple[int, ...] | None = None) -> None:
        for keep in self._keepers:
            keep(pixels, reading, values)

    def _judge(self, observation: Observation, allowed: frozenset[int]) -> Reading | None:
        """Return the answer to this observation; None when every die lies as it lay, so that nothing has happened."""
        reading = observation.reading
        if reading.is_read and self._counted is None:
            return refused(Reason.STALE, _BEFORE)
        if not reading.is_read or self._counted is None:
            return reading
        not_thrown = self._counted.find_not_thrown(observation)
        if not_thrown.count == len(reading.dice):
            return refused(Reason.STALE, _TURNED) if not_thrown.is_turned else None
        return refused(Reason.STALE, _ONE_LIES) if not_thrown.count else check_count(reading, allowed)

    def _close(self, answer: Reading, observation: Observation) -> Reading:
        """Return the answer, with the gate shut until the field changes; an unseen field is read again at once."""
        if answer.reason not in BLIND:
            self._gate.mark_read(observation.captured)
        if answer.is_read:
            self._read_last = observation
        elif answer.reason not in BLIND:
            self._keep(observation.captured.frame.pixels, answer)
        return answer

    def _take_as_counted(self, observation: Observation) -> None:
        if observation.reading.reason is Reason.NO_DICE:
            self._bare = observation.captured.thumbnail
        self._counted = CountedDice(observation, self._bare)
        self._gate.mark_read(observation.captured)

    def _all_lie(self, counted: CountedDice, observation: Observation) -> bool:
        return counted.find_not_thrown(observation).count == len(observation.reading.dice)
