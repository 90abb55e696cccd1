"""Decides when a claim counts: the dice on the baize lie still and three frames agree, whenever they were laid."""

import asyncio
from collections.abc import Callable

from vision.capture.frame import Pixels
from vision.reading import Reading, Reason, refused
from vision.watching.agreement import Observation, Observer, Vote, is_same_refusal
from vision.watching.blindness import BLIND
from vision.watching.stillness import StillnessGate

REFUSAL_S = 0.5  # a refusal must last this long, twice, before the players hear of it
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
            if observation.reading.reason is Reason.NO_DICE:
                self._gate.mark_read(observation.captured)
            elif observation.reading.is_read or await self._lasts(observation.reading):
                return self._give(observation)

    async def _lasts(self, refusal: Reading) -> bool:
        """Return True if the refusal is the same after half a second and after a whole one."""
        for _ in range(2):
            await asyncio.sleep(REFUSAL_S)
            again = await self._observer.observe(await self._gate.look())
            if not is_same_refusal(again.reading, refusal):
                return False
        return True

    def _give(self, observation: Observation) -> Reading:
        """Return the answer, with the gate shut until the field changes; an unseen field is read again at once."""
        answer, captured = observation.reading, observation.captured
        if answer.reason not in BLIND:
            self._gate.mark_read(captured)
            self._keep(captured.frame.pixels, answer)
        return answer
