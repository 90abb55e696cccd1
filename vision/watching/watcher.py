"""Watches the field: when have dice been thrown, when do they lie still, and what do they show?"""

import asyncio
from types import TracebackType
from typing import Self

import numpy as np

from hardware.box import FieldLayout
from hardware.errors import Fault
from vision.capture import Camera, Frame, refuse_bad_light
from vision.errors import CameraDead, CameraFault, CameraFrozen
from vision.field import locate_field
from vision.reading import Reading, Reason, refused
from vision.watching.agreement import Ballot, Opinion, Opinions, Reader, as_bad
from vision.watching.blindness import BLIND, blindness, field_lost
from vision.watching.box_reader import BoxReader
from vision.watching.capture import STALE_S, Eye
from vision.watching.counted_dice import Lying
from vision.watching.motion import Glimpse
from vision.watching.stillness import Gate

_REFUSAL_S = 0.5  # a refusal must stand this long, twice, before the player hears of it
_REST_S = 3.0  # dice that roll longer than this are not waited for by `look_now`
_BEFORE = "These dice lay there before I looked: throw them, or say that you have thrown."
_LAST_THROW = "These are the dice of the last throw: throw them, or type what they show."
_ONE_LIES = "One die lies where it lay: throw them all, or say that you have thrown."
_TURNED = "A die was turned over where it lay, and that is no throw: throw them all."


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
        self._gate = Gate(self._eye, self._note)
        self._layout = layout
        self._opinions = Opinions(self._eye, self._gate, reader or BoxReader(layout, die_mm), layout)
        self._lying: Lying | None = None
        self._bare: Glimpse | None = None
        self._read_last: Opinion | None = None

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
            self._lying, self._read_last = Lying(self._read_last, self._bare), None

    def account_for(self) -> None:
        """What lies in the field has been counted, or never will be: the next throw is another one."""
        self._lying, self._read_last = None, None
        self._gate.forget()

    async def note_lying(self) -> None:
        """After `account_for`: look what lies there, while it is sure that nobody has thrown yet.

        A camera at fault is no matter here; who waits for a throw will hear of it.
        """
        while self._lying is None:
            try:
                opinion = await self._opinions.agreed(await self._gate.new_rest(), Ballot())
            except CameraFault:
                return
            if opinion is None or opinion.is_moving or opinion.reading.reason in BLIND:
                continue
            self._gate.judge(opinion.sight)
            if opinion.reading.is_read or opinion.reading.reason is Reason.NO_DICE:
                self._lie(opinion)

    async def next_throw(self, allowed: frozenset[int]) -> Reading:
        """Wait for a fresh throw of as many dice as `allowed` has, and read it; `accept` it once it counts.

        Returns a read verdict, or a refusal that has stood for about a second so that the player can be
        told; the next call then waits for a change. `unsure` names the values that were seen most often. Raises
        `CameraFrozen`, `CameraDead`, `FieldLost` or `FieldDark`.
        """
        self._drop_uncounted()
        ballot = Ballot()
        while True:
            sight = await self._gate.new_rest()
            opinion = await self._opinions.agreed(sight, ballot)
            if opinion is None:
                if ballot.doubt():
                    self._gate.judge(sight)
                    return ballot.unsure()
                continue
            ballot = Ballot()
            if opinion.is_moving:
                continue
            if opinion.reading.reason is Reason.NO_DICE:
                self._lie(opinion)
                continue
            answer = self._answer(opinion, allowed)
            if answer is None:
                self._gate.judge(opinion.sight)
            elif answer.is_read or await self._stands(answer, allowed):
                return self._told(opinion, answer)

    async def look_now(self, allowed: frozenset[int]) -> Reading:
        """Read what lies in the field now; for a player who says "I have thrown", and is believed.

        Returns a read verdict or a refusal: `moving` when the dice roll on, `stale` when every die lies where
        the last throw left it. Raises as `next_throw`.
        """
        self._drop_uncounted()
        ballot = Ballot()
        loop = asyncio.get_running_loop()
        give_up_s = loop.time() + _REST_S
        while loop.time() < give_up_s:
            sight = await self._gate.rest(give_up_s)
            if sight is None:
                return refused(Reason.MOVING, "The dice are still moving: wait until they lie still.")
            opinion = await self._opinions.agreed(sight, ballot)
            if opinion is None or opinion.is_moving:
                continue
            if opinion.reading.reason is Reason.NO_DICE:
                self._lie(opinion)
                return opinion.reading
            if self._is_the_last_throw(opinion):
                return refused(Reason.STALE, _LAST_THROW)
            return self._settle(_with_allowed_count(opinion.reading, allowed), opinion)
        return ballot.unsure()

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
        dark = await self._eye.run(lambda: refuse_bad_light(frame.pixels))
        if dark is not None:
            return (blindness(dark).fault,)
        field = await self._eye.run(lambda: locate_field(frame.pixels, self._layout))
        return () if field is not None else (field_lost().fault,)

    def _note(self, glimpse: Glimpse) -> None:
        if self._lying is not None:
            self._lying.note(glimpse)

    def _drop_uncounted(self) -> None:
        """A throw that was read and never counted is to be read again."""
        if self._read_last is not None:
            self._read_last = None
            self._gate.forget()

    async def _stands(self, refusal: Reading, allowed: frozenset[int]) -> bool:
        """True when the refusal is the same after half a second and after a whole one."""
        for _ in range(2):
            await asyncio.sleep(_REFUSAL_S)
            again = self._answer(await self._opinions.of(await self._gate.look()), allowed)
            if again is None or not as_bad(again, refusal):
                return False
        return True

    def _answer(self, opinion: Opinion, allowed: frozenset[int]) -> Reading | None:
        """What to say of this opinion; None when every die lies as it lay, so that nothing has happened."""
        reading = opinion.reading
        if reading.is_read and self._lying is None:
            return refused(Reason.STALE, _BEFORE)
        if not reading.is_read or self._lying is None:
            return reading
        still = self._lying.still(opinion)
        if still.count == len(reading.dice):
            return refused(Reason.STALE, _TURNED) if still.turned else None
        return refused(Reason.STALE, _ONE_LIES) if still.count else _with_allowed_count(reading, allowed)

    def _told(self, opinion: Opinion, answer: Reading) -> Reading:
        if answer.reason is Reason.STALE and (self._lying is None or self._all_lie(self._lying, opinion)):
            # Said once; from now on they lie as they are now.
            self._lying = Lying(opinion, self._bare, assumed=self._lying is None or self._lying.assumed)
        return self._settle(answer, opinion)

    def _settle(self, answer: Reading, opinion: Opinion) -> Reading:
        if answer.reason not in BLIND:
            self._gate.judge(opinion.sight)
        if answer.is_read:
            self._read_last = opinion
        return answer

    def _lie(self, opinion: Opinion) -> None:
        """What is seen lies there from now on, and is no throw."""
        if opinion.reading.reason is Reason.NO_DICE:
            self._bare = opinion.sight.glimpse
        self._lying = Lying(opinion, self._bare)
        self._gate.judge(opinion.sight)

    def _is_the_last_throw(self, opinion: Opinion) -> bool:
        lying = self._lying
        return lying is not None and not lying.assumed and opinion.reading.is_read and self._all_lie(lying, opinion)

    def _all_lie(self, lying: Lying, opinion: Opinion) -> bool:
        return lying.still(opinion).count == len(opinion.reading.dice)


def _with_allowed_count(reading: Reading, allowed: frozenset[int]) -> Reading:
    """The reading, or a refusal when the number of its dice is not allowed."""
    seen = len(reading.dice)
    if not reading.is_read or seen in allowed:
        return reading
    wanted = " or ".join(_count_of_dice(number) for number in sorted(allowed))
    reason = Reason.TOO_FEW if seen < min(allowed) else Reason.TOO_MANY
    x, y = (float(part) for part in np.mean([die.center_px for die in reading.dice], axis=0))
    return refused(reason, f"I see {_count_of_dice(seen)}, this throw needs {wanted}.", at_px=(x, y))


def _count_of_dice(number: int) -> str:
    return "one die" if number == 1 else f"{number} dice"
