import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from tests.support.long import long_but_every
from tests.support.squares import squares
from tests.support.stage import BOX, RED, WHITE, Table, die
from vision.capture.frame import Frame
from vision.errors import CameraDead, CameraFault, CameraFrozen, FieldLost
from vision.reading import DieReading, Reading, Reason, read, refused
from vision.sim.camera import SimulatedCamera
from vision.watching.throw_watcher import Watcher

TWO = frozenset({2})
UNMOVED_S = 12  # longer than anything that the watcher waits for
Dice = tuple[tuple[int, float, float], ...]


@dataclass
class FakeField:
    """Dice as white squares on black that a script moves; reads itself, so that only the watching is tested."""

    script: list[tuple[float, Dice | Reason]]
    clock: Callable[[], float] = lambda: 0.0
    captures: int = 0
    readings: int = 0
    reopened: int = 0
    closed: bool = False
    behind_s: float = 0.0
    dead: bool = False
    wobble: list[int] = field(default_factory=list)
    shaking_px: float = 0.0
    painted: Dice | None = None
    every_s: float = 0.0
    asked_of: set[frozenset[int]] = field(default_factory=set)

    def capture(self) -> Frame:
        self.captures += 1
        if self.dead:
            raise OSError("no answer")
        at_s = self.clock()
        scene = self.scene(at_s) if self.painted is None else self.painted
        pixels = squares(scene if not isinstance(scene, Reason) else (), self.captures % 2 == 1)
        taken_s = at_s // self.every_s * self.every_s if self.every_s else at_s
        return Frame(pixels, taken_s - self.behind_s)

    def scene(self, at_s: float) -> Dice | Reason:
        return [what for since_s, what in self.script if since_s <= at_s][-1]

    def reader(self, _frame: Frame, counts: frozenset[int]) -> Reading:
        self.readings += 1
        self.asked_of.add(counts)
        scene = self.scene(self.clock())
        if isinstance(scene, Reason):
            return refused(scene, "look")
        if not scene:
            return refused(Reason.NO_DICE, "none")
        values = [self.wobble.pop(0) if self.wobble else value for value, _, _ in scene]
        x_off = self.shaking_px * (self.readings % 2)
        places = [(x + x_off, y) for _, x, y in scene]
        return read(tuple(DieReading(v, place, 1.0, "white") for v, place in zip(values, places, strict=True)))

    def reopen(self) -> None:
        self.reopened += 1

    def close(self) -> None:
        self.closed = True


def watching(fake: FakeField) -> Watcher:
    fake.clock = asyncio.get_running_loop().time
    return Watcher(fake, BOX.field, BOX.die_mm, reader=fake.reader)


A: Dice = ((3, 300.0, 300.0), (5, 700.0, 400.0))
B: Dice = ((3, 500.0, 200.0), (4, 900.0, 500.0))


async def read_throws(fake: FakeField, count: int, allowed: frozenset[int] = TWO) -> Sequence[Reading]:
    async with watching(fake) as watcher, asyncio.timeout(60):
        readings = []
        for _ in range(count):
            readings.append(await watcher.next_throw(allowed))
            watcher.accept()
        return readings


async def read_until_a_fault(watcher: Watcher) -> None:
    for _ in range(20):
        await asyncio.wait_for(watcher.next_throw(TWO), 30)


async def waits_for_ever(fake: FakeField, first: int = 1) -> None:
    async with watching(fake) as watcher:
        for _ in range(first):
            await watcher.next_throw(TWO)
            watcher.accept()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(watcher.next_throw(TWO), UNMOVED_S)


async def test_a_throw_is_read_once_it_lies_still() -> None:
    fake = FakeField([(0.0, ()), (1.0, A)])
    (reading,) = await read_throws(fake, 1)
    assert reading.values == (3, 5)
    assert fake.closed


async def test_a_throw_costs_few_captures_and_readings() -> None:
    async def scenario() -> tuple[int, int]:
        fake = FakeField([(0.0, ()), (1.0, A)])
        async with watching(fake) as watcher:
            task = asyncio.ensure_future(watcher.next_throw(TWO))
            await asyncio.sleep(0.999)
            before = fake.captures, fake.readings
            await task
            return fake.captures - before[0], fake.readings - before[1]

    captures, readings = await scenario()
    assert captures <= 6
    assert readings <= 3


async def test_the_frame_of_each_throw_that_is_counted_or_refused_is_evidence() -> None:
    fake = FakeField([(0.0, ()), (1.0, A), (5.0, Reason.COCKED), (12.0, B), (30.0, ())])
    kept: list[tuple[Reason | tuple[int, ...] | None, int]] = []
    async with watching(fake) as watcher, asyncio.timeout(60):
        watcher.keep_evidence(
            lambda pixels, reading, values: kept.append((values or reading.values or reading.reason, int(pixels.max())))
        )
        await watcher.next_throw(TWO)
        assert kept == [], "read, but not counted yet"
        watcher.accept()
        await watcher.next_throw(TWO)
        await watcher.next_throw(TWO)
        watcher.accept()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(watcher.next_throw(TWO), 30)
        watcher.correct((3, 6))
        watcher.account_for()
        watcher.correct((1, 1))
    assert [what for what, _ in kept] == [(3, 5), Reason.COCKED, (3, 4), (3, 6)]
    assert [shown for _, shown in kept] == [195, 0, 195, 195], "the very frames, though the dice were taken away since"


async def test_what_cannot_be_seen_at_all_is_no_evidence() -> None:
    fake = FakeField([(0.0, Reason.DARK)])
    kept: list[Reading] = []
    async with watching(fake) as watcher, asyncio.timeout(60):
        watcher.keep_evidence(lambda _pixels, reading, _values: kept.append(reading))
        assert (await watcher.look_now(TWO)).reason is Reason.DARK
    assert kept == []


async def test_dice_that_keep_lying_are_never_a_second_throw() -> None:
    await waits_for_ever(FakeField([(0.0, ()), (0.5, A)]))


async def test_a_nudge_is_no_throw() -> None:
    nudged: Dice = ((3, 310.0, 310.0), (5, 700.0, 400.0))
    await waits_for_ever(FakeField([(0.0, ()), (0.5, A), (5.0, nudged)]))


async def test_turning_one_of_two_over_is_no_throw_and_told_once() -> None:
    turned: Dice = ((6, 300.0, 300.0), (5, 700.0, 400.0))
    nudged: Dice = ((6, 308.0, 300.0), (5, 700.0, 400.0))
    async with watching(FakeField([(0.0, ()), (0.5, A), (5.0, turned), (9.0, nudged)])) as watcher:
        await watcher.next_throw(TWO)
        watcher.accept()
        told = await asyncio.wait_for(watcher.next_throw(TWO), 20)
        assert (told.reason, told.say.split(",")[0]) == (Reason.STALE, "A die was turned over where it lay")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(watcher.next_throw(TWO), UNMOVED_S)


async def test_both_dice_moved_is_the_next_throw() -> None:
    fake = FakeField([(0.0, ()), (0.5, A), (5.0, B)])
    assert [reading.values for reading in await read_throws(fake, 2)] == [(3, 5), (3, 4)]


async def test_dice_lifted_and_laid_down_at_the_same_place_are_a_throw() -> None:
    fake = FakeField([(0.0, ()), (0.5, A), (5.0, ()), (6.0, A)])
    assert [reading.values for reading in await read_throws(fake, 2)] == [(3, 5), (3, 5)]


async def test_a_die_thrown_to_where_one_lay_is_a_throw_if_its_place_was_seen_bare() -> None:
    same_place: Dice = ((6, 300.0, 300.0), (4, 900.0, 500.0))
    fake = FakeField([(0.0, ()), (0.5, A), (5.0, ()), (5.15, same_place)])
    assert [reading.values for reading in await read_throws(fake, 2)] == [(3, 5), (4, 6)]


async def test_dice_that_the_reader_sees_elsewhere_while_nothing_changed_are_no_throw() -> None:
    fake = FakeField([(0.0, ()), (0.5, A), (5.0, (*A, (1, 100.0, 600.0)))])
    async with watching(fake) as watcher:
        await watcher.next_throw(TWO)
        watcher.accept()
        fake.script[-1] = (fake.clock(), ((3, 500.0, 600.0), (5, 900.0, 600.0)))
        fake.painted = (*A, (1, 100.0, 600.0))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(watcher.next_throw(TWO), UNMOVED_S)


async def test_rolling_dice_are_not_read() -> None:
    rolling: list[tuple[float, Dice | Reason]] = [
        (1 + 0.03 * step, ((1, 200.0 + 20 * step, 300.0), (2, 900.0 - 20 * step, 500.0))) for step in range(20)
    ]
    (reading,) = await read_throws(FakeField([(0.0, ()), *rolling, (1.6, A)]), 1)
    assert reading.values == (3, 5)


@pytest.mark.parametrize("wobble", [[6, 5], [3, 5, 6, 5], [3, 5, 3, 5, 6, 5], [3, 5, 3, 5, 3, 6]])
async def test_three_readings_must_agree(wobble: list[int]) -> None:
    on_the_empty_field, up_to_the_doubt = 3, max(2, len(wobble) // 2)
    fake = FakeField([(0.0, ()), (0.5, A)], wobble=wobble)
    (reading,) = await read_throws(fake, 1)
    assert reading.values == (3, 5)
    assert fake.readings == on_the_empty_field + up_to_the_doubt + 3


async def test_one_frame_of_a_slow_camera_is_not_read_three_times() -> None:
    fake = FakeField([(0.0, ()), (2.0, A)], every_s=0.25)
    (reading,) = await read_throws(fake, 1)
    assert reading.values == (3, 5)
    assert fake.clock() >= 2.75


async def test_readings_that_agree_in_values_but_not_in_places_are_no_throw() -> None:
    fake = FakeField([(0.0, ()), (0.5, A)], shaking_px=8.0)
    (reading,) = await read_throws(fake, 1)
    assert reading.reason is Reason.UNSURE


async def test_a_refusal_that_stands_is_told_once() -> None:
    fake = FakeField([(0.0, A), (0.5, Reason.COCKED)])
    async with watching(fake) as watcher:
        reading = await watcher.next_throw(TWO)
        assert reading.reason is Reason.COCKED
        assert fake.clock() >= 1.0
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(watcher.next_throw(TWO), UNMOVED_S)


@pytest.mark.parametrize(
    ("allowed", "reason", "words"),
    [
        (frozenset({3}), Reason.TOO_FEW, "I see 2 dice, this throw needs 3 dice."),
        (frozenset({1}), Reason.TOO_MANY, "I see 2 dice, this throw needs one die."),
        (frozenset({3, 4}), Reason.TOO_FEW, "I see 2 dice, this throw needs 3 dice or 4 dice."),
    ],
)
async def test_a_wrong_number_of_dice_says_how_many(allowed: frozenset[int], reason: Reason, words: str) -> None:
    fake = FakeField([(0.0, ()), (0.5, A)])
    (reading,) = await read_throws(fake, 1, allowed)
    assert (reading.reason, reading.say) == (reason, words)
    assert fake.asked_of == {allowed}


async def test_dice_that_lay_there_before_anybody_looked_are_no_throw() -> None:
    first, second = await read_throws(FakeField([(0.0, A), (5.0, B)]), 2)
    assert (first.reason, second.values) == (Reason.STALE, (3, 4))


async def test_dice_that_somebody_else_has_counted_are_no_throw() -> None:
    async with watching(FakeField([(0.0, ()), (0.5, A), (9.0, B)])) as watcher:
        await asyncio.sleep(1)
        watcher.account_for()
        await watcher.note_lying()
        await asyncio.sleep(9)
        assert (await watcher.next_throw(TWO)).values == (3, 4)


async def test_a_cocked_die_that_was_typed_in_does_not_leave_the_other_to_be_counted() -> None:
    only_one: Dice = ((3, 300.0, 300.0),)
    async with watching(
        FakeField([(0.0, ()), (0.5, Reason.COCKED), (9.0, only_one), (12.0, ()), (13.0, B)])
    ) as watcher:
        watcher.account_for()
        await asyncio.sleep(1)
        noting = asyncio.ensure_future(watcher.note_lying())
        await asyncio.sleep(3)
        noting.cancel()
        assert (await watcher.next_throw(frozenset({1, 2}))).reason is Reason.STALE
        assert (await watcher.next_throw(frozenset({1, 2}))).values == (3, 4)


async def test_a_throw_that_was_read_but_not_counted_is_read_again() -> None:
    async with watching(FakeField([(0.0, ()), (0.5, A)])) as watcher:
        assert (await watcher.next_throw(TWO)).values == (3, 5)
        assert (await watcher.next_throw(TWO)).values == (3, 5)
        assert (await watcher.look_now(TWO)).values == (3, 5)
        watcher.accept()
        assert (await watcher.look_now(TWO)).reason is Reason.STALE


async def test_a_die_that_stays_while_the_other_is_picked_up_is_no_throw_of_one() -> None:
    async with watching(FakeField([(0.0, ()), (0.5, A), (5.0, A[:1])])) as watcher:
        await watcher.next_throw(frozenset({1, 2}))
        watcher.accept()
        await asyncio.sleep(6)
        assert (await watcher.look_now(frozenset({1, 2}))).reason is Reason.STALE
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(watcher.next_throw(TWO), UNMOVED_S)


async def test_a_die_that_was_not_thrown_with_the_other_is_told() -> None:
    one_moved: Dice = ((3, 300.0, 300.0), (4, 900.0, 500.0))
    first, second = await read_throws(FakeField([(0.0, ()), (0.5, A), (5.0, one_moved)]), 2)
    assert first.values == (3, 5)
    assert (second.reason, second.say.split(":")[0]) == (Reason.STALE, "One die lies where it lay")


async def test_readings_that_never_agree_are_told() -> None:
    fake = FakeField([(0.0, ()), (0.5, A)], wobble=[5, 5, *[3, 5, 4, 5, 3, 5] * 20])
    kept: list[Reading] = []
    async with watching(fake) as watcher, asyncio.timeout(60):
        watcher.keep_evidence(lambda _pixels, reading, _values: kept.append(reading))
        reading = await watcher.next_throw(TWO)
    assert (reading.reason, reading.likely) == (Reason.UNSURE, ((3, 5), (4, 5), (5, 5)))
    assert kept == [reading], "what two players may want to look at"


async def test_look_now_believes_the_player_but_not_about_the_dice_of_the_last_throw() -> None:
    async with watching(FakeField([(0.0, A), (5.0, B)])) as watcher:
        assert (await watcher.look_now(frozenset({1}))).reason is Reason.TOO_MANY
        assert (await watcher.look_now(TWO)).values == (3, 5)
        watcher.accept()
        assert (await watcher.look_now(TWO)).reason is Reason.STALE
        await asyncio.sleep(6)
        assert (await watcher.look_now(TWO)).values == (3, 4)


async def test_look_now_does_not_wait_for_dice_that_never_rest() -> None:
    moving: list[tuple[float, Dice | Reason]] = [
        (0.02 * step, ((1, 200.0 + step, 300.0 + 40 * (step % 2)),)) for step in range(500)
    ]

    async with watching(FakeField(moving)) as watcher:
        assert (await watcher.look_now(TWO)).reason is Reason.MOVING


async def test_dice_that_have_counted_are_read_again_where_they_lie_and_count_no_second_time() -> None:
    fake = FakeField([(0.0, ()), (0.5, A)])
    async with watching(fake) as watcher:
        assert (await watcher.next_throw(TWO)).values == (3, 5)
        watcher.accept()
        assert (await watcher.look_again(2)).values == (3, 5)
        fake.wobble += [3, 6] * 3
        assert (await watcher.look_again(2)).values == (3, 6)
        assert (await watcher.look_again(1)).reason is Reason.TOO_MANY
        assert (await watcher.look_now(TWO)).reason is Reason.STALE


async def test_dice_that_move_or_disagree_are_not_read_again() -> None:
    moving: list[tuple[float, Dice | Reason]] = [
        (0.02 * step, ((1, 200.0 + step, 300.0 + 40 * (step % 2)),)) for step in range(500)
    ]
    async with watching(FakeField(moving)) as watcher:
        assert (await watcher.look_again(1)).reason is Reason.MOVING
    async with watching(FakeField([(0.0, A)], wobble=[3, 5, 3, 6] * 500)) as watcher:
        assert (await watcher.look_again(2)).reason is Reason.UNSURE


@pytest.mark.parametrize(("trouble", "fault"), [("frozen", CameraFrozen), ("dead", CameraDead)])
async def test_a_camera_that_stops_is_opened_anew_once_and_then_named(trouble: str, fault: type[CameraFault]) -> None:
    fake = FakeField([(0.0, ()), (0.5, A)])
    async with watching(fake) as watcher:
        fake.behind_s = 9.0 if trouble == "frozen" else 0.0
        fake.dead = trouble == "dead"
        with pytest.raises(fault) as caught:
            await asyncio.wait_for(watcher.next_throw(TWO), 20)
        assert caught.value.fault.part == "camera"
        assert fake.reopened == 1
        assert [found.code for found in await watcher.health()] == [fault.code]


async def test_a_camera_that_comes_back_is_used_on() -> None:
    fake = FakeField([(0.0, ()), (6.0, A)], dead=True)
    async with watching(fake) as watcher:
        asyncio.get_running_loop().call_later(3.0, setattr, fake, "dead", False)
        assert (await watcher.next_throw(TWO)).values == (3, 5)
        assert fake.reopened == 1


async def test_a_field_unseen_for_seconds_is_a_fault_of_the_markers() -> None:
    async with watching(FakeField([(0.0, Reason.NO_FIELD)])) as watcher:
        with pytest.raises(FieldLost) as caught:
            await read_until_a_fault(watcher)
        assert caught.value.fault.part == "markers"


class OnTheLoop(Table):
    """The simulated table, its time taken from the loop that watches it."""

    loop: asyncio.AbstractEventLoop

    def now(self) -> float:
        return self.loop.time()


def on_the_loop(*dice: tuple[int, float, float]) -> OnTheLoop:
    table = OnTheLoop([die(value, x, y, look) for (value, x, y), look in zip(dice, (WHITE, RED), strict=False)])
    table.loop = asyncio.get_running_loop()
    return table


async def test_the_simulated_camera_and_the_reader_work_together() -> None:
    table = on_the_loop((6, 90, 80), (1, 180, 120))
    async with Watcher(SimulatedCamera(table, BOX), BOX.field, BOX.die_mm) as watcher:
        assert await watcher.health() == ()
        lying, table.lying = table.lying, ()
        asyncio.get_running_loop().call_later(1.0, setattr, table, "lying", lying)
        reading = await watcher.next_throw(TWO)
        assert reading.values == (1, 6)
        assert [found.colour for found in reading.dice] == ["white", "red"]


@pytest.mark.parametrize(
    ("trouble", "code"),
    long_but_every(4, [("frozen", "V-101"), ("dead", "V-102"), ("grey", "V-103"), ("dark", "V-104")]),
)
async def test_every_trouble_of_the_simulated_camera_is_named(trouble: str, code: str) -> None:
    table = on_the_loop((6, 90, 80), (1, 180, 120))
    async with Watcher(SimulatedCamera(table, BOX), BOX.field, BOX.die_mm) as watcher:
        await watcher.look_now(TWO)
        table.camera_fault = trouble
        await asyncio.sleep(1)
        assert [found.code for found in await watcher.health()] == [code]
        with pytest.raises(CameraFault) as caught:
            await read_until_a_fault(watcher)
        assert caught.value.code == code
