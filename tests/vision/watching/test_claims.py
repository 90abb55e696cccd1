"""Claims as the watcher waits for them: read as they lie, once, and once more for another player."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from tests.support.squares import squares
from tests.support.stage import BOX
from vision.capture.frame import Frame, Pixels
from vision.reading import DieReading, Reading, Reason, read, refused
from vision.watching.throw_watcher import Watcher

Dice = tuple[tuple[str, int, float, float], ...]
RED: Dice = (("red", 3, 300.0, 300.0), ("red", 5, 700.0, 400.0))
BLUE: Dice = (("blue", 2, 500.0, 600.0),)


@dataclass
class Baize:
    """Dice as squares on black that a script lays; it reads itself, so that only the watching is tested."""

    script: list[tuple[float, Dice | Reason]]
    clock: Callable[[], float] = lambda: 0.0
    colours: list[str] = field(default_factory=list)
    captures: int = 0

    def capture(self) -> Frame:
        self.captures += 1
        scene = self.scene()
        seen = tuple((value, x, y) for _, value, x, y in scene) if not isinstance(scene, Reason) else ()
        return Frame(squares(seen, self.captures % 2 == 1), self.clock())

    def scene(self) -> Dice | Reason:
        return [what for since_s, what in self.script if since_s <= self.clock()][-1]

    def read_claim(self, _frame: Frame, _counts: frozenset[int]) -> Reading:
        scene = self.scene()
        if isinstance(scene, Reason):
            return refused(scene, "look")
        if not scene:
            return refused(Reason.NO_DICE, "none")
        return read(
            tuple(
                DieReading(value, (x, y), 1.0, self.colours.pop(0) if self.colours else colour)
                for colour, value, x, y in scene
            )
        )

    def reopen(self) -> None:
        """Nothing was open."""

    def close(self) -> None:
        """Nothing was open."""


def watching(baize: Baize) -> Watcher:
    baize.clock = asyncio.get_running_loop().time
    return Watcher(baize, BOX.field, BOX.die_mm, claims=baize.read_claim)


async def waits(watcher: Watcher) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(watcher.next_claim(), 12)  # longer than anything that the watcher waits for


async def test_a_claim_is_read_once_it_is_laid_and_once_only() -> None:
    async with watching(Baize([(0.0, ()), (5.0, RED)])) as watcher:
        reading = await watcher.next_claim()
        assert [(die.colour, die.value) for die in reading.dice] == [("red", 3), ("red", 5)]
        await waits(watcher)


async def test_what_lies_there_is_read_once_more_for_another_player() -> None:
    async with watching(Baize([(0.0, RED)])) as watcher:
        first = await watcher.next_claim()
        assert (await watcher.next_claim(afresh=True)).dice == first.dice
        await waits(watcher)


async def test_dice_that_lie_on_are_a_part_of_the_next_claim() -> None:
    async with watching(Baize([(0.0, RED), (5.0, RED + BLUE)])) as watcher:
        await watcher.next_claim()
        assert {die.colour for die in (await watcher.next_claim()).dice} == {"red", "blue"}


async def test_an_empty_baize_is_waited_out_also_when_it_is_looked_at_afresh() -> None:
    async with watching(Baize([(0.0, ()), (9.0, BLUE)])) as watcher:
        reading = await watcher.next_claim(afresh=True)
        assert (reading.values, asyncio.get_running_loop().time() > 9.0) == ((2,), True)


async def test_a_refusal_is_told_after_a_second_and_then_a_change_is_waited_for() -> None:
    async with watching(Baize([(0.0, Reason.UNEXPLAINED)])) as watcher:
        began_s = asyncio.get_running_loop().time()
        assert (await watcher.next_claim()).reason is Reason.UNEXPLAINED
        assert asyncio.get_running_loop().time() - began_s >= 1.0
        await waits(watcher)


async def test_a_refusal_that_passes_is_not_told() -> None:
    async with watching(Baize([(0.0, Reason.HAND), (0.7, RED)])) as watcher:
        assert (await watcher.next_claim()).values == (3, 5)


async def test_frames_that_differ_in_a_colour_do_not_agree() -> None:
    flicker = ["red", "red", "blue", "red"] * 20
    async with watching(Baize([(0.0, RED)], colours=flicker)) as watcher:
        reading = await watcher.next_claim()
        assert reading.reason is Reason.UNSURE
        assert "now so, now so" in reading.say


async def test_evidence_is_kept_of_claims_and_of_refusals() -> None:
    kept: list[tuple[Pixels, Reading]] = []
    async with watching(Baize([(0.0, RED), (5.0, RED + BLUE), (9.0, Reason.STACKED)])) as watcher:
        watcher.keep_evidence(lambda pixels, reading, _values: kept.append((pixels, reading)))
        told = [await watcher.next_claim() for _ in range(3)]
    assert [reading for _, reading in kept] == told


async def test_a_camera_without_a_reader_for_claims_says_so() -> None:
    baize = Baize([(0.0, RED)])
    async with Watcher(baize, BOX.field, BOX.die_mm) as watcher:
        with pytest.raises(RuntimeError, match="reads no claims"):
            await watcher.next_claim()
