"""The one owner of the bus: order, names for errors, and jobs that are never dropped."""

import asyncio
import errno
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import pytest

from controller.runtime.clock import JumpingLoop
from firmware.drivers.bus import LONGEST_JOB_S, PATIENCE_S, Bus, ResetCounter, chip_name, translate_errors
from firmware.drivers.bus_worker import BusWorker, WorkerTimes, patience_left_s, read_times
from firmware.errors import BusFault, BusHung, ChipForgot, ChipSilent, PulsesCut
from firmware.sim.worker import SimulatedWorker


async def test_a_job_gives_its_result_or_its_error() -> None:
    bus = Bus(SimulatedWorker(lambda: False), lambda: None)
    assert await bus.run(lambda: 42) == 42
    with pytest.raises(ZeroDivisionError):
        await bus.run(lambda: 1 // 0)


async def test_a_job_asked_for_is_done_even_if_its_caller_is_cancelled() -> None:
    """A release that waits behind a blocked transfer must not be lost."""

    gate, done = threading.Event(), []
    with ThreadPoolExecutor(max_workers=1) as worker:
        bus = Bus(worker, lambda: None)
        blocked = asyncio.ensure_future(bus.run(gate.wait))
        release = asyncio.ensure_future(bus.run(lambda: done.append("released")))
        await asyncio.sleep(0)
        release.cancel()
        with pytest.raises(asyncio.CancelledError):
            await release
        gate.set()
        await blocked
    assert done == ["released"]


class HangingWires:
    """A worker whose jobs hang on the loop's clock for as long as they say, and what was cut meanwhile."""

    def __init__(self) -> None:
        self.worker = SimulatedWorker(lambda: True)
        self.cuts_s: list[float] = []
        loop = asyncio.get_running_loop()
        self.bus = Bus(self.worker, lambda: self.cuts_s.append(loop.time()))
        self.done: list[str] = []

    def hang(self, seconds: float, name: str = "hung") -> None:
        self.worker.pause(seconds)
        self.done.append(name)


async def elapsed_until_hung(call: Coroutine[Any, Any, object]) -> float:
    loop = asyncio.get_running_loop()
    began_s = loop.time()
    with pytest.raises(BusHung, match="H-201 i2c: expected every transfer to end, seen one that hangs"):
        await call
    return loop.time() - began_s


async def test_who_waits_for_a_job_that_hangs_is_told_and_all_pulses_are_cut() -> None:
    wires = HangingWires()
    assert await elapsed_until_hung(wires.bus.run(lambda: wires.hang(3.0))) == pytest.approx(PATIENCE_S)
    assert wires.cuts_s == [pytest.approx(PATIENCE_S)]
    assert wires.done == [], "it is still out"
    await asyncio.sleep(3.0)
    assert wires.done == ["hung"], "nobody can call it back"
    assert await wires.bus.run(lambda: 42) == 42


async def test_a_job_just_within_its_patience_is_no_hang() -> None:
    wires = HangingWires()
    await wires.bus.run(lambda: wires.hang(PATIENCE_S - 0.01))
    assert wires.cuts_s == []


async def test_what_stands_behind_a_job_that_hangs_is_dropped_and_never_done() -> None:
    wires = HangingWires()
    first = asyncio.ensure_future(wires.bus.run(lambda: wires.hang(2.0)))
    behind = [asyncio.ensure_future(wires.bus.run(lambda: wires.hang(0.0, "behind"))) for _ in range(3)]
    results = await asyncio.gather(first, *behind, return_exceptions=True)
    assert [type(result) for result in results] == [BusHung] * 4
    assert asyncio.get_running_loop().time() == pytest.approx(PATIENCE_S)
    await asyncio.sleep(3.0)
    assert wires.done == ["hung"]


async def test_over_a_bus_that_hangs_nothing_begins_and_who_only_stops_servos_need_not_wait() -> None:
    wires = HangingWires()
    await elapsed_until_hung(wires.bus.run(lambda: wires.hang(100.0)))
    assert await elapsed_until_hung(wires.bus.run(lambda: wires.hang(0.0, "late"))) == pytest.approx(1.0)
    assert await elapsed_until_hung(wires.bus.run_to_end(lambda: wires.hang(0.0, "late"))) == 0.0
    with pytest.raises(BusHung):
        wires.bus.check()
    await asyncio.sleep(200.0)
    assert wires.done == ["hung"]
    with pytest.raises(PulsesCut):
        wires.bus.check()
    wires.bus.begin_anew()
    wires.bus.check()


async def test_what_is_called_off_while_the_bus_hangs_is_not_begun_when_it_comes_back() -> None:
    """The release that would have followed is refused meanwhile: the drive would go on alone."""
    wires = HangingWires()
    await elapsed_until_hung(wires.bus.run(lambda: wires.hang(1.0)))
    drive = asyncio.ensure_future(wires.bus.run(lambda: wires.hang(0.0, "drive")))
    await asyncio.sleep(0.1)
    drive.cancel()
    with pytest.raises(asyncio.CancelledError):
        await drive
    await asyncio.sleep(2.0)
    assert wires.done == ["hung"]


async def test_who_asks_while_the_bus_comes_back_is_served() -> None:
    wires = HangingWires()
    await elapsed_until_hung(wires.bus.run(lambda: wires.hang(1.0)))
    await wires.bus.run(lambda: wires.hang(0.0, "after it"))
    assert wires.done == ["hung", "after it"]


async def test_a_job_that_fails_cuts_at_once_and_before_anybody_hears_of_it() -> None:
    wires = HangingWires()

    def fail() -> None:
        raise ChipSilent("0x20", expected="an answer", seen="none")

    behind = []
    failing = asyncio.ensure_future(wires.bus.run(fail))
    behind.append(asyncio.ensure_future(wires.bus.run(lambda: wires.hang(0.0, "behind"))))
    with pytest.raises(ChipSilent):
        await failing
    assert wires.cuts_s == [0.0]
    await behind[0]
    assert wires.done == ["behind"], "one silent chip keeps no other from hearing"


async def test_a_transfer_that_times_out_by_itself_drops_what_stands_behind_it() -> None:
    wires = HangingWires()

    def time_out() -> None:
        with translate_errors(0x40):
            raise TimeoutError(errno.ETIMEDOUT, "Connection timed out")

    calls = [wires.bus.run(time_out), wires.bus.run(lambda: wires.hang(0.0, "behind"))]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(result) for result in results] == [BusHung] * 2
    assert wires.done == []


@pytest.mark.parametrize("cancels", [1, 3])
async def test_who_is_cancelled_while_it_stops_a_servo_goes_on_when_the_board_has_heard_it(cancels: int) -> None:
    wires = HangingWires()
    stopping = asyncio.ensure_future(wires.bus.run_to_end(lambda: wires.hang(0.2, "released")))
    for _ in range(cancels):
        await asyncio.sleep(0.01)
        stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert wires.done == ["released"]


async def test_a_loop_that_was_held_up_itself_takes_no_answer_for_a_hang() -> None:
    """The answer has come, but the loop hears of the end of its own patience first."""

    class AtOnce(Executor):
        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
            future: Future[Any] = Future()
            result = fn(*args, **kwargs)
            asyncio.get_running_loop().call_later(2 * PATIENCE_S, future.set_result, result)
            return future

        keeps_time = True

    cuts: list[str] = []
    assert await Bus(AtOnce(), lambda: cuts.append("cut")).run(lambda: 42) == 42
    assert cuts == []


def test_the_worker_of_a_real_bus_does_its_jobs_in_order_and_is_not_waited_for_when_one_hangs() -> None:
    done: list[int] = []
    with BusWorker() as worker:
        futures = [worker.submit(done.append, number) for number in range(5)]
        failing = worker.submit(lambda: 1 // 0)
    assert done == list(range(5))
    assert all(future.result() is None for future in futures)
    assert isinstance(failing.exception(), ZeroDivisionError)

    hangs = BusWorker()
    hangs.submit(threading.Event().wait)
    hangs.shutdown(wait=False)
    assert [each.daemon for each in threading.enumerate() if each.name == "bus"] == [True]


def test_the_end_waits_for_a_job_that_hangs_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.drivers.bus_worker._LEAVE_S", 0.01)
    hangs = BusWorker()
    gate = threading.Event()
    job = hangs.submit(gate.wait)
    ending = threading.Thread(target=hangs.shutdown, daemon=True)
    ending.start()
    ending.join(10)
    assert not ending.is_alive()
    assert not job.done()
    gate.set()
    assert job.result(10)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit()])
def test_no_job_ends_the_worker_whatever_it_raises(error: BaseException) -> None:
    def fail() -> None:
        raise error

    with BusWorker() as worker:
        failing, after = worker.submit(fail), worker.submit(lambda: "after")
        assert failing.exception(10) is error
        assert after.result(10) == "after"


@pytest.mark.parametrize("number", [errno.ENXIO, errno.EREMOTEIO, errno.ENODEV])
def test_no_acknowledge_is_a_silent_chip(number: int) -> None:
    with pytest.raises(ChipSilent) as caught, translate_errors(0x41):
        raise OSError(number, "no")
    assert caught.value.fault.part == "0x41"


@pytest.mark.parametrize("number", [errno.ETIMEDOUT, errno.EAGAIN, errno.EIO])
def test_everything_else_is_a_hung_bus(number: int) -> None:
    with pytest.raises(BusHung) as caught, translate_errors(0x41):
        raise OSError(number, "stuck")
    assert caught.value.fault.part == "i2c"
    assert "0x41" in caught.value.fault.expected
    assert caught.value.fault.seen == "stuck"


def test_chips_are_named_as_people_write_them() -> None:
    assert chip_name(0x7) == "0x07"


def test_three_losses_within_ten_seconds_are_one_too_many() -> None:
    losses = ResetCounter()
    for at_s in (0.0, 9.0, 10.5, 19.5, 21.0):
        losses.count(0x40, at_s)
        losses.count(0x41, at_s * 100)
    with pytest.raises(ChipForgot) as caught:
        losses.count(0x40, 22.0)
    assert caught.value.fault.part == "0x40"
    losses.count(0x40, 22.1)


def test_the_tree_of_faults_has_one_code_each() -> None:
    def leaves(kind: type[BusFault]) -> list[type[BusFault]]:
        return [leaf for child in kind.__subclasses__() for leaf in leaves(child)] or [kind]

    kinds = leaves(BusFault)
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert all(kind.cure.endswith(".") and kind.__doc__ for kind in kinds)


# A worker that has no processor.

ASLEEP, AWAKE = WorkerTimes(0.0, False), WorkerTimes(0.0, True)


@pytest.mark.parametrize(
    ("silent_s", "before", "now", "left_s"),
    [
        (0.5, None, None, 0.0),  # Linux does not tell
        (0.5, ASLEEP, None, 0.0),
        (0.5, ASLEEP, ASLEEP, 0.0),  # it slept in its transfer all the time
        (2.0, ASLEEP, AWAKE, None),  # it waits for a processor now
        (0.5, WorkerTimes(7.0, False), WorkerTimes(7.4, False), 0.4),
        (1.3, WorkerTimes(7.0, True), WorkerTimes(7.8, False), 0.0),
        (0.2, ASLEEP, ASLEEP, 0.3),
    ],
)
def test_only_what_a_worker_slept_through_counts(
    silent_s: float, before: WorkerTimes | None, now: WorkerTimes | None, left_s: float | None
) -> None:
    left = patience_left_s(PATIENCE_S, silent_s, before, now)
    assert left == (None if left_s is None else pytest.approx(left_s))


class Starved(SimulatedWorker):
    """A worker that waits for a processor during the last job, from its beginning on and for so long."""

    def __init__(self, starved_s: float) -> None:
        super().__init__(lambda: True)
        loop = asyncio.get_running_loop()
        begun_s = loop.time()
        self.times = lambda: WorkerTimes(  # it is called by both sides
            min(loop.time() - begun_s, starved_s), loop.time() - begun_s < starved_s
        )


@pytest.mark.parametrize("starved_s", [0.6, 2.4])
async def test_a_worker_that_had_no_processor_is_no_bus_that_hangs(starved_s: float) -> None:
    cuts: list[str] = []
    worker = Starved(starved_s)
    bus = Bus(worker, lambda: cuts.append("cut"))

    def work() -> int:
        worker.pause(starved_s + 0.05)
        return 42

    assert await bus.run(work) == 42
    assert cuts == []


async def test_a_bus_that_hangs_once_its_worker_had_a_processor_is_named() -> None:
    worker = Starved(0.6)
    assert await elapsed_until_hung(Bus(worker, lambda: None).run(lambda: worker.pause(9.0))) == pytest.approx(
        0.6 + PATIENCE_S, abs=0.06
    )


async def test_a_computer_that_is_too_busy_is_called_so_and_no_bus_is_blamed() -> None:
    worker, cuts = Starved(60.0), list[str]()
    bus = Bus(worker, lambda: cuts.append("cut"))
    with pytest.raises(PulsesCut, match="H-222 i2c: expected a processor for the bus within 3 s"):
        await bus.run(lambda: worker.pause(9.0))
    assert asyncio.get_running_loop().time() == pytest.approx(LONGEST_JOB_S, abs=0.06)
    assert cuts == ["cut"]


async def test_a_job_of_many_transfers_is_no_hang_while_they_end() -> None:
    """Each of them is quick; all of them take longer than one may."""
    loop = asyncio.get_running_loop()
    worker, begun_s, cuts = SimulatedWorker(lambda: True), [loop.time()], list[str]()
    bus = Bus(worker, lambda: cuts.append("cut"), transfer_begun=lambda: begun_s[-1])

    def work() -> str:
        for _ in range(10):
            begun_s.append(loop.time())
            worker.pause(0.1)
        return "done"

    assert await bus.run(work) == "done"
    assert cuts == []


async def test_what_a_loop_finds_after_it_was_held_up_is_looked_at_again() -> None:
    """Whatever stopped the loop, such as a stopped process, may have stopped the worker too."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, JumpingLoop)
    cuts: list[str] = []
    worker = SimulatedWorker(lambda: True)
    bus = Bus(worker, lambda: cuts.append("cut"))
    loop.call_later(0.1, loop.hold_up, 2.0)
    await bus.run(lambda: worker.pause(PATIENCE_S + 0.05))
    assert cuts == []


@pytest.mark.parametrize("drives", [True, False])
async def test_a_transfer_that_ends_late_cuts_a_drive_short_and_is_else_as_good_as_any(drives: bool) -> None:
    """Where the bus can be cleared, its error is not told before the kernel has given the transfer up."""
    worker, cuts = SimulatedWorker(lambda: True), list[str]()

    def open_lines() -> NoReturn:
        raise AssertionError("no transfer has failed")

    bus = Bus(worker, lambda: cuts.append("cut"), drives=lambda: drives, open_lines=open_lines)
    late = asyncio.ensure_future(bus.run(lambda: worker.pause(PATIENCE_S + 0.2)))
    behind = asyncio.ensure_future(bus.run(lambda: "behind"))
    if drives:
        with pytest.raises(PulsesCut, match="seen one that took too long amid a drive"):
            await late
        with pytest.raises(PulsesCut):
            await behind
    else:
        await late
        assert await behind == "behind"
    assert cuts == ["cut"]
    with pytest.raises(PulsesCut):
        bus.check()


def test_linux_tells_how_long_a_thread_was_awake() -> None:
    me = threading.get_native_id()
    before = read_times(me)
    if before is None:
        pytest.skip("this kernel keeps no schedstat")
    sum(range(300_000))
    now = read_times(me)
    assert now is not None
    assert now.is_awake
    assert now.awake_s > before.awake_s

    with BusWorker() as worker:
        worker.submit(lambda: None).result(10)
        asleep = worker.times()
    assert asleep is not None


@pytest.mark.parametrize("told", [None, "", "1 2", "a b c"])
def test_a_kernel_that_does_not_tell_is_no_error(told: str | None, tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "stat").write_text("7 (bus) S 1 1")
    if told is not None:
        (tmp_path / "7" / "schedstat").write_text(told)
    assert read_times(7, tmp_path) is None


def test_the_name_of_a_thread_may_be_anything(tmp_path: Path) -> None:
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "stat").write_text("7 (a ) R) S 1 1")
    (tmp_path / "7" / "schedstat").write_text("1500000000 500000000 12\n")
    assert read_times(7, tmp_path) == WorkerTimes(2.0, False)
