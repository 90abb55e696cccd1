"""The worker of the bus, a thread, and how much of its time it is awake: one without a processor is no hung bus."""

import queue
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")

# Linux, Documentation/scheduler/sched-stats.rst and Documentation/filesystems/proc.rst.
_TASKS = Path("/proc/self/task")
_RUNNABLE = "R"
_NS = 1e-9


@dataclass(frozen=True, slots=True)
class WorkerTimes:
    """The times of a thread since its start.

    awake_s: seconds in which it ran or was done waiting for a processor.
    is_awake: it runs, or waits for a processor, now; otherwise it sleeps, in a transfer or for a lock.
    """

    awake_s: float
    is_awake: bool


def read_times(thread: int, tasks: Path = _TASKS) -> WorkerTimes | None:
    """Read the times of this process's thread with that number; None where Linux does not tell."""
    try:
        ran_ns, waited_ns, _ = (tasks / str(thread) / "schedstat").read_text("ascii").split()
        # The thread's name before the state may hold spaces and parentheses.
        state = (tasks / str(thread) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0]
        return WorkerTimes((int(ran_ns) + int(waited_ns)) * _NS, state == _RUNNABLE)
    except (OSError, ValueError, IndexError):
        return None


def patience_left_s(
    patience_s: float, silent_s: float, before: WorkerTimes | None, now: WorkerTimes | None
) -> float | None:
    """Return for how many seconds longer a worker may be silent, 0 or less if its bus hangs; None: it is awake.

    silent_s: since it began its transfer. before, now: its times when it began its job, and now; None: unknown, so that
    all of its silence counts. Only time that it slept through counts.
    """
    if before is None or now is None:
        return patience_s - silent_s
    if now.is_awake:
        return None
    return patience_s - (silent_s - (now.awake_s - before.awake_s))


_LEAVE_S = 1.0  # a normal job ends long before; one that hangs in the kernel may never end


class BusWorker(Executor):
    """Does one job after the other in a daemon thread.

    The standard library's pool waits for its threads when the process ends, so a transfer that hangs in the kernel
    would keep a daemon from ending.

    Lifetime: a context manager; its end waits for the current job, but not forever. Concurrency: any thread.
    """

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = Thread(target=self._work, name="bus", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        self._jobs.put(lambda: settle(future, lambda: fn(*args, **kwargs)))
        return future

    def times(self) -> WorkerTimes | None:
        """Return the times of its thread, if Linux tells them."""
        return read_times(self._thread.native_id or 0)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more jobs; those already submitted are done first."""
        self._jobs.put(None)
        if wait:
            self._thread.join(_LEAVE_S)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


def settle(future: "Future[Any]", work: Callable[[], Any]) -> None:
    """Do the work and give the future its result or exception."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(result)
