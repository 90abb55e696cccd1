"""The single owner of the I2C bus: the queue of its worker's jobs, and tolerated, repeated and fatal bus errors."""

import asyncio
import errno
import logging
import math
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

from firmware.drivers.bus_clear import OpenLines, clear_bus
from firmware.drivers.bus_worker import WorkerTimes, patience_left_s
from firmware.errors import BusFault, BusHung, ChipForgot, ChipSilent, PulsesCut
from firmware.wire import I2CBus

# One or two errors are a supply dip as servos start together, or their sparks. A third within ten seconds, the time in
# which a tile uses up its tries, is a loose wire or a weak supply.
TOLERATED_ERRORS = 2
ERROR_WINDOW_S = 10.0


class ErrorBudget:
    """Counts the errors of one kind, chip by chip. Lifetime: that of the box. Concurrency: the bus worker."""

    def __init__(self) -> None:
        self._at_s: defaultdict[int, list[float]] = defaultdict(list)

    def is_one_too_many(self, chip: int, now_s: float) -> bool:
        """Count an error at `now_s`; return True if it exceeds the budget, and then start a new count."""
        recent = [at_s for at_s in self._at_s[chip] if now_s - at_s < ERROR_WINDOW_S]
        is_too_many = len(recent) >= TOLERATED_ERRORS
        self._at_s[chip] = [] if is_too_many else [*recent, now_s]
        return is_too_many


T = TypeVar("T")
P = ParamSpec("P")

_log = logging.getLogger(__name__)


# The part named by a fault of the bus itself.
BUS = "i2c"

# A transfer takes 0.1 ms at 400 kHz (four times as long at 100), the driver's own longest pause 10 ms. One that sleeps
# for so long hangs; what a busy computer adds is not sleep.
PATIENCE_S = 0.5
# The kernel gives up a transfer after one second, half of which has passed. Nine clocks may follow.
_COMES_BACK_S = 1.0
# On a computer that is too busy a job gets no more than this; the watchdog is fed by a look at the bus every 2 s of 6.
LONGEST_JOB_S = 3.0
_LOOK_AGAIN_S = 0.05
_SOON_S = 0.001  # sums of floats may leave less than nothing to wait for

# Linux's errors for a missing acknowledge: i2c-bcm2835 EREMOTEIO, i2c-designware (Pi 5) and others ENXIO.
NO_ACKNOWLEDGE = frozenset({errno.ENXIO, errno.EREMOTEIO, errno.ENODEV})


class _Job(Generic[T]):
    """One job on the bus, and the answer that its caller awaits."""

    def __init__(self, work: Callable[[], T], answer: "asyncio.Future[T]") -> None:
        self.work = work
        self.answer = answer
        self.begun_s = math.inf  # by the loop's clock, as the worker begins it
        self.times: WorkerTimes | None = None  # of the worker then
        self.was_cut = False  # a drive was cut short since it took too long
        self.is_over = False
        self.timer: asyncio.TimerHandle | None = None

    def set_timer(self, seconds: float, then: Callable[[], None]) -> None:
        """Replace the timer by one that calls `then` after `seconds`."""
        self.stop_timer()
        self.timer = asyncio.get_running_loop().call_later(seconds, then)

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()

    def fail(self, fault: BusFault) -> None:
        self.stop_timer()
        if not self.answer.done():
            self.answer.set_exception(fault)


class Bus:
    """Run jobs on the bus, one at a time and in order.

    The chip libraries share one buffer and are not thread-safe (two threads without a lock: 6 % of the writes went to
    the wrong channel), so `executor` has exactly one worker.

    While a chip holds the bus, the kernel may block a caller for a second or forever. So after `PATIENCE_S` of a
    transfer callers get an error, all jobs behind the hanging one are dropped, and no new one begins before it has come
    back. A job that fails or hangs stops all pulses at once with `cut`, which needs no bus: over a failed bus no servo
    can be stopped. Where the bus can be cleared, the error comes only after that has failed.

    Time in which the worker (`times`) waits for a processor does not count: until `LONGEST_JOB_S` its job goes on. No
    servo burns meanwhile, since the guard needs neither bus nor loop.

    transfer_begun: the loop's time at which the present transfer, or the last one, began.
    drives: whether a servo gets pulses. open_lines: of a bus that can be cleared.
    cleared: how often it was.

    Lifetime: does not own the executor; close that after the box.
    Concurrency: one event loop. A running job continues to its end even if its caller is cancelled, so that a later
    release comes after it.
    """

    def __init__(
        self,
        executor: Executor,
        cut: Callable[[], None],
        *,
        drives: Callable[[], bool] = lambda: False,
        transfer_begun: Callable[[], float] = lambda: -math.inf,
        open_lines: OpenLines | None = None,
    ) -> None:
        self._executor = executor
        self._times: Callable[[], WorkerTimes | None] = getattr(executor, "times", lambda: None)
        self._cut = cut
        self._drives = drives
        self._transfer_begun = transfer_begun
        self._open_lines = open_lines
        self._clears = ErrorBudget()
        self.cleared = 0
        self._waiting: deque[_Job[Any]] = deque()
        self._running: _Job[Any] | None = None
        self._trouble: Callable[[], BusFault] | None = None  # of a job that was given up and is still out
        self._was_cut = False

    async def run(self, work: Callable[[], T]) -> T:
        """Do `work` in the worker. Raises its errors; `BusHung`; `PulsesCut` if it took too long amid a drive.

        If the bus already hangs, wait one second for it to come back.
        """
        job = self._enqueue(work)
        try:
            return await asyncio.shield(job.answer)
        except asyncio.CancelledError:
            # The release that would stop the servo is refused while the bus hangs, so this drive must not begin later.
            if self._trouble is not None and job is not self._running:
                job.fail(self._trouble())
            raise

    async def run_to_end(self, work: Callable[[], T]) -> T:
        """Do `work` as in `run`, but delay a cancellation until the work is done, dropped or given up.

        It is meant for stopping servos. Over a hanging bus it fails at once, since all pulses have been cut.
        """
        if self._trouble is not None:
            raise self._trouble()
        answer = self._enqueue(work).answer
        cancelled: asyncio.CancelledError | None = None
        while not answer.done():
            try:
                await asyncio.wait((answer,))
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled
        return answer.result()

    def check(self) -> None:
        """Raise `BusHung` while a job hangs, and `PulsesCut` from a cut for such a job until `begin_anew`.

        A job that drives calls it too after coming back, since its caller has given up.
        """
        if self._trouble is not None:
            raise self._trouble()
        if self._was_cut:
            raise _cut_short()

    def begin_anew(self) -> None:
        """Forget that pulses were cut: they are about to pass again, with every board set up."""
        self._was_cut = False

    def _enqueue(self, work: Callable[[], T]) -> _Job[T]:
        job = _Job(work, asyncio.get_running_loop().create_future())
        # If no caller is left, asyncio would log an error as never retrieved.
        job.answer.add_done_callback(lambda answer: answer.cancelled() or answer.exception())
        self._waiting.append(job)
        if self._trouble is not None:
            job.set_timer(_COMES_BACK_S, partial(job.fail, self._trouble()))
        self._start_next()
        return job

    def _start_next(self) -> None:
        while self._running is None and self._waiting:
            job = self._waiting.popleft()
            # The job was given up before the bus came back.
            if job.answer.done() and job.answer.exception() is not None:
                continue
            self._running = job
            loop = asyncio.get_running_loop()
            self._look_later(job, PATIENCE_S, loop.time() + LONGEST_JOB_S)
            done = loop.run_in_executor(self._executor, self._do, job, loop.time)
            done.add_done_callback(partial(self._finish, job))

    def _do(self, job: _Job[T], clock: Callable[[], float]) -> T:
        job.times, job.begun_s = self._times(), clock()
        try:
            try:
                return job.work()
            except BusHung as hung:
                self._stop(job)
                if not self._clear(clock()):
                    raise
                if job.was_cut:
                    raise _cut_short() from hung
                return job.work()
        except BusFault:
            self._cut()
            raise
        finally:
            job.is_over = True

    def _stop(self, job: _Job[Any]) -> None:
        """Cut all pulses, and note whether a servo got any; none is driven again before `begin_anew`."""
        self._was_cut = True
        job.was_cut |= self._drives()
        self._cut()

    def _clear(self, now_s: float) -> bool:
        """Clear the bus, if it can be and is not stuck again and again; called by the worker, in no transfer."""
        if self._open_lines is None or self._trouble is not None or self._clears.is_one_too_many(0, now_s):
            return False
        try:
            with self._open_lines() as lines:
                is_free = clear_bus(lines)
        except OSError as error:
            _log.warning("bus not cleared error=%s", error)
            return False
        if is_free:
            self.cleared += 1
            _log.warning("bus was stuck and is free again after nine clocks times=%d", self.cleared)
        return is_free

    def _look_later(self, job: _Job[Any], wait_s: float, end_s: float) -> None:
        due_s = asyncio.get_running_loop().time() + wait_s
        job.set_timer(wait_s, partial(self._look, job, due_s, end_s))

    def _look(self, job: _Job[Any], due_s: float, end_s: float) -> None:
        """Judge a job that takes long. due_s: when this look was due. end_s: when the job is given up in any case."""
        # A delayed loop may run this timer before it learns that the job has ended.
        if job.is_over:
            return
        now_s = asyncio.get_running_loop().time()
        silent_s = now_s - max(job.begun_s, self._transfer_begun())
        left_s = patience_left_s(PATIENCE_S, silent_s, job.times, self._times())
        if left_s is None or now_s - due_s > _LOOK_AGAIN_S:
            # Whatever has delayed the loop may have delayed the worker too.
            left_s = _LOOK_AGAIN_S
        if left_s > _SOON_S and now_s + left_s < end_s:
            self._look_later(job, left_s, end_s)
        elif left_s > _SOON_S:
            self._give_up(job, _too_busy)
        elif self._open_lines is None:
            self._give_up(job, _hung)
        else:
            _log.warning("transfer hangs, pulses cut silent_s=%.1f", silent_s)
            self._stop(job)
            job.set_timer(_COMES_BACK_S, partial(self._give_up, job, _hung))

    def _give_up(self, job: _Job[Any], trouble: Callable[[], BusFault]) -> None:
        if job.is_over:
            return
        self._trouble = trouble
        self._stop(job)
        _log.warning("jobs on the bus dropped dropped=%d fault=%s", len(self._waiting), trouble())
        job.fail(trouble())
        self._drop_waiting(trouble)

    def _finish(self, job: _Job[Any], done: "asyncio.Future[Any]") -> None:
        job.stop_timer()
        if self._trouble is not None:
            _log.warning("bus came back")
        self._running, self._trouble = None, None
        error = done.exception()
        if error is None and job.was_cut:
            error = _cut_short()
        if not job.answer.done() and (job.was_cut or isinstance(error, BusHung)):
            self._drop_waiting(_hung if isinstance(error, BusHung) else _cut_short)
        if not job.answer.done():
            if error is not None:
                job.answer.set_exception(error)
            else:
                job.answer.set_result(done.result())
        self._start_next()

    def _drop_waiting(self, trouble: Callable[[], BusFault]) -> None:
        while self._waiting:
            self._waiting.popleft().fail(trouble())


def _hung() -> BusHung:
    return BusHung(BUS, expected="every transfer to end", seen="one that hangs")


def _cut_short() -> PulsesCut:
    return PulsesCut(BUS, expected="every transfer to end in time", seen="one that took too long amid a drive")


def _too_busy() -> PulsesCut:
    return PulsesCut(BUS, expected=f"a processor for the bus within {LONGEST_JOB_S:.0f} s", seen="a computer too busy")


@contextmanager
def translate_errors(chip: int) -> Iterator[None]:
    """Turn an `OSError` of the block into `ChipSilent` or `BusHung`, which name the chip."""
    try:
        yield
    except OSError as error:
        if error.errno in NO_ACKNOWLEDGE:
            raise ChipSilent(chip_name(chip), expected="an answer on the I2C bus", seen="no acknowledge") from error
        raise BusHung(
            BUS, expected=f"a transfer with chip {chip_name(chip)}", seen=error.strerror or "a failed transfer"
        ) from error


def chip_name(chip: int) -> str:
    return f"0x{chip:02x}"


class ResetCounter:
    """Counts recent losses of registers: one of a chip is tolerated, repeated ones are a fault.

    Lifetime: that of the box. Concurrency: the bus worker.
    """

    def __init__(self) -> None:
        self._losses = ErrorBudget()

    def count(self, chip: int, now_s: float) -> None:
        """Log and count a loss at `now_s`. Raises `ChipForgot` if it exceeds the budget."""
        _log.warning("chip lost its settings, setting it up again chip=%s", chip_name(chip))
        if self._losses.is_one_too_many(chip, now_s):
            seen = f"registers lost {TOLERATED_ERRORS + 1} times in {ERROR_WINDOW_S:.0f} s"
            raise ChipForgot(chip_name(chip), expected="registers that keep their values", seen=seen)


# Linux's errors for a disturbed transfer besides a missing acknowledge: EIO, and EAGAIN for a lost arbitration
# (Documentation/i2c/fault-codes.rst). A timeout is not among them: it means that the bus hangs.
_DISTURBED = NO_ACKNOWLEDGE | {errno.EIO, errno.EAGAIN}


class RetryingI2C:
    """Repeats failed transfers of the bus `i2c` within an error budget. `clock` is in seconds.

    The servos' wires run beside the bus and disturb it. All transfers of this box read or set a register's value, so
    that repeating one does no harm.

    transfer_begun_s: when the present transfer, or the last one, began.
    Lifetime, concurrency and errors (`OSError`): those of that bus.
    """

    def __init__(self, i2c: I2CBus, clock: Callable[[], float]) -> None:
        self._i2c = i2c
        self._clock = clock
        self._failures = ErrorBudget()
        self.transfer_begun_s = -math.inf

    def try_lock(self) -> bool:
        return self._i2c.try_lock()

    def unlock(self) -> None:
        self._i2c.unlock()

    def scan(self) -> list[int]:
        return self._i2c.scan()

    def writeto(self, address: int, buffer: bytes, *, start: int = 0, end: int | None = None) -> None:
        self._make(address, lambda: self._i2c.writeto(address, buffer, start=start, end=end))

    def readfrom_into(self, address: int, buffer: bytearray, *, start: int = 0, end: int | None = None) -> None:
        self._make(address, lambda: self._i2c.readfrom_into(address, buffer, start=start, end=end))

    def writeto_then_readfrom(
        self,
        address: int,
        out_buffer: bytes,
        in_buffer: bytearray,
        *,
        out_start: int = 0,
        out_end: int | None = None,
        in_start: int = 0,
        in_end: int | None = None,
    ) -> None:
        self._make(
            address,
            lambda: self._i2c.writeto_then_readfrom(
                address, out_buffer, in_buffer, out_start=out_start, out_end=out_end, in_start=in_start, in_end=in_end
            ),
        )

    def deinit(self) -> None:
        self._i2c.deinit()

    def _make(self, address: int, transfer: Callable[[], T]) -> T:
        """Make a transfer, and repeat a disturbed one while the chip's error budget lasts."""
        while True:
            self.transfer_begun_s = self._clock()
            try:
                return transfer()
            except OSError as error:
                if error.errno not in _DISTURBED or self._failures.is_one_too_many(address, self._clock()):
                    raise
                _log.info("bus transfer failed, repeating chip=%s error=%s", chip_name(address), error)
