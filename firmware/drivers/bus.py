"""The single owner of the I2C bus: its worker, the queue of jobs, and tolerated, repeated and fatal bus errors."""

import asyncio
import errno
import logging
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, TypeVar

from firmware.drivers.accidents import ERROR_WINDOW_S, TOLERATED_ERRORS, ErrorBudget
from firmware.errors import BusFault, BusHung, ChipForgot, ChipSilent

_log = logging.getLogger(__name__)

T = TypeVar("T")

# The part named by a fault of the bus itself.
BUS = "i2c"

# The longest job is the set-up of one board: 48 transfers of 0.1 ms each at 400 kHz (four times as long at 100) and the
# driver's own 10 ms. With 0.3 ms of a slow computer per transfer it takes 60 ms.
PATIENCE_S = 0.5
# Patience for a bus that already hangs: the kernel gives up a transfer after one second, half of which has passed.
_COMES_BACK_S = 1.0

# Linux's errors for a missing acknowledge: i2c-bcm2835 EREMOTEIO, i2c-designware (Pi 5) and others ENXIO.
NO_ACKNOWLEDGE = frozenset({errno.ENXIO, errno.EREMOTEIO, errno.ENODEV})


class _Job(Generic[T]):
    """One job on the bus, and the answer that its caller awaits."""

    def __init__(self, work: Callable[[], T], answer: "asyncio.Future[T]", patience_s: float) -> None:
        self.work = work
        self.answer = answer
        self.patience_s = patience_s
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
    """RunCounts jobs on the bus, one at a time and in order.

    The chip libraries share one buffer and are not thread-safe (two threads without a lock: 6 % of the writes went to
    the wrong channel), so `executor` has exactly one worker.

    While a chip holds the bus, the kernel may block a caller for a second or forever. So callers get an error after
    `PATIENCE_S`, all jobs behind the hanging one are dropped, and no new one begins before it has come back. A job that
    fails or hangs stops all pulses at once with `cut`, which needs no bus: over a failed bus no servo can be stopped.

    Lifetime: does not own the executor; close that after the box.
    Concurrency: one event loop. A running job continues to its end even if its caller is cancelled, so that a later
    release comes after it.
    """

    def __init__(self, executor: Executor, cut: Callable[[], None]) -> None:
        self._executor = executor
        self._cut = cut
        self._waiting: deque[_Job[Any]] = deque()
        self._running: _Job[Any] | None = None
        self._hangs = False

    async def run(self, work: Callable[[], T], *, patience_s: float = PATIENCE_S) -> T:
        """Do `work` in the worker. Raises its errors, and `BusHung` if it takes longer than `patience_s`.

        If the bus already hangs, wait one second for it to come back.
        """
        job = self._enqueue(work, patience_s)
        try:
            return await asyncio.shield(job.answer)
        except asyncio.CancelledError:
            # The release that would stop the servo is refused while the bus hangs, so this drive must not begin later.
            if self._hangs and job is not self._running:
                job.fail(_hung())
            raise

    async def run_to_end(self, work: Callable[[], T], *, patience_s: float = PATIENCE_S) -> T:
        """Do `work` as in `run`, but delay a cancellation until the work is done, dropped or given up.

        It is meant for stopping servos. Over a hanging bus it fails at once, since all pulses have been cut.
        """
        self.check()
        answer = self._enqueue(work, patience_s).answer
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
        """Raise `BusHung` while a job hangs. That job calls it too after coming back, since its caller has given up."""
        if self._hangs:
            raise _hung()

    def _enqueue(self, work: Callable[[], T], patience_s: float) -> _Job[T]:
        job = _Job(work, asyncio.get_running_loop().create_future(), patience_s)
        # If no caller is left, asyncio would log an error as never retrieved.
        job.answer.add_done_callback(lambda answer: answer.cancelled() or answer.exception())
        self._waiting.append(job)
        if self._hangs:
            job.set_timer(_COMES_BACK_S, partial(job.fail, _hung()))
        self._start_next()
        return job

    def _start_next(self) -> None:
        while self._running is None and self._waiting:
            job = self._waiting.popleft()
            # The job was given up before the bus came back.
            if job.answer.done() and job.answer.exception() is not None:
                continue
            self._running = job
            job.set_timer(job.patience_s, partial(self._give_up, job))
            loop = asyncio.get_running_loop()
            loop.run_in_executor(self._executor, self._do, job).add_done_callback(partial(self._finish, job))

    def _do(self, job: _Job[T]) -> T:
        try:
            return job.work()
        except BusFault:
            self._cut()
            raise
        finally:
            job.is_over = True

    def _give_up(self, job: _Job[Any]) -> None:
        # A delayed loop may run this timer before it learns that the job has ended.
        if job.is_over:
            return
        self._hangs = True
        self._cut()
        _log.warning("bus hangs, jobs dropped patience_s=%.1f dropped=%d", job.patience_s, len(self._waiting))
        job.fail(_hung())
        self._drop_waiting()

    def _finish(self, job: _Job[Any], done: "asyncio.Future[Any]") -> None:
        job.stop_timer()
        if self._hangs:
            _log.warning("bus came back")
        self._running, self._hangs = None, False
        error = done.exception()
        if isinstance(error, BusHung) and not job.answer.done():
            self._drop_waiting()
        if not job.answer.done():
            if error is not None:
                job.answer.set_exception(error)
            else:
                job.answer.set_result(done.result())
        self._start_next()

    def _drop_waiting(self) -> None:
        while self._waiting:
            self._waiting.popleft().fail(_hung())


def _hung() -> BusHung:
    return BusHung(BUS, expected="an end of every transfer", seen="one that hangs")


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
        """Count a loss at `now_s`. Raises `ChipForgot` if it exceeds the budget."""
        if self._losses.is_one_too_many(chip, now_s):
            seen = f"registers lost {TOLERATED_ERRORS + 1} times in {ERROR_WINDOW_S:.0f} s"
            raise ChipForgot(chip_name(chip), expected="registers that keep their values", seen=seen)
