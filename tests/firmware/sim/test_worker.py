"""The simulated bus worker: jobs take the time of their transfers, and one that hangs holds nobody else up."""

import asyncio
import errno
from collections import Counter
from concurrent.futures import Future
from typing import Any

import pytest

from firmware.sim.i2c import open_i2c, transfer_s
from firmware.sim.worker import SimulatedWorker
from hardware.box import load_box
from hardware.sim.world import World
from tests.support.true_box import fail_at_once

BOX = load_box("two-level-9")


async def ended_s(future: Future[Any]) -> float:
    await asyncio.wrap_future(future)
    return asyncio.get_running_loop().time()


@pytest.mark.parametrize("may_hang", [False, True])
async def test_jobs_take_their_time_one_after_the_other(may_hang: bool) -> None:
    with SimulatedWorker(lambda: may_hang) as worker:
        begun: list[float] = []

        def job(seconds: float) -> float:
            begun.append(seconds)
            worker.pause(seconds / 2)
            worker.pause(seconds / 2)
            return seconds

        futures = [worker.submit(job, seconds) for seconds in (0.001, 0.2, 0.003)]
        assert begun == [0.001], "the next one begins when this one is over"
        ends_s = [await ended_s(future) for future in futures]
        assert ends_s == pytest.approx([0.001, 0.201, 0.204])
        assert [future.result() for future in futures] == begun == [0.001, 0.2, 0.003]


@pytest.mark.parametrize("may_hang", [False, True])
async def test_a_job_that_fails_takes_its_time_too(may_hang: bool) -> None:
    with SimulatedWorker(lambda: may_hang) as worker:

        def job() -> None:
            worker.pause(0.1)
            raise OSError(errno.EIO, "no")

        with pytest.raises(OSError, match="no"):
            await asyncio.wrap_future(worker.submit(job))
        assert asyncio.get_running_loop().time() == pytest.approx(0.1)
        await asyncio.wrap_future(worker.submit(lambda: None))


async def test_the_loop_goes_on_beside_a_job_that_hangs() -> None:
    with SimulatedWorker(lambda: True) as worker:
        seen: list[tuple[float, str]] = []
        loop = asyncio.get_running_loop()

        def job() -> None:
            seen.append((loop.time(), "begins"))
            worker.pause(1.0)
            seen.append((loop.time(), "goes on"))

        future = worker.submit(job)
        loop.call_later(0.5, lambda: seen.append((loop.time(), "the loop")))
        await asyncio.wrap_future(future)
        assert seen == [(0.0, "begins"), (0.5, "the loop"), (1.0, "goes on")]


async def test_a_job_that_still_hangs_at_the_end_fails() -> None:
    failed: list[int | None] = []

    def job() -> None:
        try:
            worker.pause(1000.0)
        except OSError as error:
            failed.append(error.errno)

    with SimulatedWorker(lambda: True) as worker:
        worker.submit(job)
        worker.submit(lambda: failed.append(0))
    assert failed == [errno.ETIMEDOUT], "and what stood behind it is not done"


async def test_a_job_that_tries_again_at_the_end_fails_each_time() -> None:
    """Letting go of one board after the other goes on when the first does not answer."""
    failed: list[int | None] = []

    def job() -> None:
        for _ in range(3):
            try:
                worker.pause(1000.0)
            except OSError as error:
                failed.append(error.errno)

    with SimulatedWorker(lambda: True) as worker:
        worker.submit(job)
    assert failed == [errno.ETIMEDOUT] * 3


@pytest.mark.parametrize(
    ("written", "read", "bits"),
    [(5, 0, 56), (1, 1, 1 + 18 + 1 + 18 + 1), (None, 1, 20), (0, 0, 11)],
    ids=["one servo: address, register, four bytes", "a register", "a plain read", "an empty write"],
)
def test_a_transfer_takes_the_time_of_its_bits(written: int | None, read: int, bits: int) -> None:
    assert transfer_s(written, read) == pytest.approx(bits / 400_000)


@pytest.mark.parametrize(("hang_s", "number"), [(1.0, errno.ETIMEDOUT), (5.0, errno.ETIMEDOUT)])
def test_a_bus_that_hangs_takes_as_long_as_on_a_pi(hang_s: float, number: int) -> None:
    world, waited = World(BOX, lambda: 0.0, 1), list[float]()
    i2c = open_i2c(world, waited.append)
    i2c.try_lock()
    world.hang_bus(hang_s)
    with pytest.raises(OSError, match="timed out") as caught:
        i2c.writeto(0x40, b"\x00")
    assert (caught.value.errno, waited) == (number, [hang_s])


def test_a_clock_that_is_held_lets_the_transfer_go_on_when_it_is_let_go() -> None:
    world = World(BOX, lambda: 0.0, 1)
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        if sum(waited) > 7.0:
            world.lift()

    i2c = open_i2c(world, wait)
    i2c.try_lock()
    world.hold_clock()
    got = bytearray(1)
    i2c.writeto_then_readfrom(0x40, b"\xfe", got)
    assert got[0] == 0x1E
    assert sum(waited) > 7.0


def test_a_loose_contact_breaks_a_transfer_off_in_its_middle() -> None:
    world = World(BOX, lambda: 0.0, 1)
    i2c = open_i2c(world, fail_at_once)
    i2c.try_lock()
    before, after, arrived = bytes((0xE2, 0xE4, 0xE8)), bytes((0xA0, 0xA2, 0xA4)), Counter[int]()
    i2c.writeto(0x40, bytes((0x00, 0x21)))
    for _ in range(3000):
        i2c.writeto(0x40, b"\x02" + before)
        world.break_transfers()
        try:
            i2c.writeto(0x40, b"\x02" + after)
        except OSError:
            got = bytearray(3)
            world.lift()
            i2c.writeto_then_readfrom(0x40, b"\x02", got)
            whole = next(count for count in range(4) if got == after[:count] + before[count:])
            arrived[whole] += 1
        world.lift()
    assert 30 < arrived.total() < 100, "one in fifty"
    assert set(arrived) == {0, 1, 2, 3}
