"""The bus worker of a simulated box: its transfers take time on the loop's clock, and a hanging one blocks only it.

On a Pi the worker is a thread beside the loop. Here both take turns, so that every run is the same. A job runs in
place, and ends when the time of its transfers has passed. A job that may hang runs in its own thread, which the loop
resumes at the end of each wait.

The alarm clock of the box rings as the time of its world passes.
"""

import asyncio
import errno
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any, ParamSpec, TypeVar

from firmware.drivers.bus_worker import settle
from hardware.sim.world import World


class WorldAlarm:
    """Calls `ring` at the set time of the world's clock.

    Every call makes the world catch up, and it rings on the way. So a delayed loop finds the same result that a
    separate thread would have produced on a real box.
    """

    def __init__(self, world: World, ring: Callable[[], None]) -> None:
        self._world = world
        self._ring = ring

    def now(self) -> float:
        """Let the world catch up and ring every due alarm; return the seconds of its clock."""
        return self._world.catch_up()

    def set_to(self, at_s: float) -> None:
        self._world.set_alarm(self._ring, at_s)

    def close(self) -> None:
        self._world.set_alarm(self._ring, float("inf"))


T = TypeVar("T")
P = ParamSpec("P")

# Shorter waits of a job that may hang are added up before the loop continues; nothing on the box is faster.
_TOGETHER_S = 0.005


class SimulatedWorker(Executor):
    """Does one job after the other; each takes the time of its pauses.

    may_hang: called before each job; only a job that may hang needs a thread.
    keeps_time: tells a jumping loop that the clock need not stand still during a job.

    Lifetime: a context manager; a job that still hangs at the end fails. Concurrency: jobs are submitted on one event
    loop.
    """

    keeps_time = True

    def __init__(self, may_hang: Callable[[], bool]) -> None:
        self._may_hang = may_hang
        self._jobs: deque[Callable[[], None]] = deque()
        self._is_busy = False
        self._owed_s = 0.0
        self._side: _SideThread | None = None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        self._jobs.append(partial(self._begin, future, partial(fn, *args, **kwargs)))
        if not self._is_busy:
            self._jobs.popleft()()
        return future

    def pause(self, seconds: float) -> None:
        """Let the current job take this long. Raises `OSError` (ETIMEDOUT) at the end of the worker."""
        self._owed_s += seconds
        if self._side is not None and self._owed_s >= _TOGETHER_S:
            owed_s, self._owed_s = self._owed_s, 0.0
            self._side.park(owed_s)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the current job, if it hangs, and drop the others."""
        self._jobs.clear()
        if self._side is not None:
            # A job may wait several times before it gives up, so its thread stays until then.
            self._side.end()
            self._side = None

    def _begin(self, future: Future[Any], work: Callable[[], Any]) -> None:
        self._is_busy = True
        outcome: Future[Any] = Future()
        if self._may_hang():
            self._side = _SideThread(partial(settle, outcome, work))
            self._resume(future, outcome)
        else:
            settle(outcome, work)
            self._finish_in_time(future, outcome)

    def _resume(self, future: Future[Any], outcome: Future[Any]) -> None:
        # The worker has ended in the meantime.
        if self._side is None:
            return
        pause_s = self._side.go_on()
        if pause_s is not None:
            asyncio.get_running_loop().call_later(pause_s, self._resume, future, outcome)
        else:
            self._side = None
            self._finish_in_time(future, outcome)

    def _finish_in_time(self, future: Future[Any], outcome: Future[Any]) -> None:
        owed_s, self._owed_s = self._owed_s, 0.0
        if owed_s > 0.0:
            asyncio.get_running_loop().call_later(owed_s, self._finish, future, outcome)
        else:
            self._finish(future, outcome)

    def _finish(self, future: Future[Any], outcome: Future[Any]) -> None:
        self._is_busy = False
        settle(future, outcome.result)
        if self._jobs:
            self._jobs.popleft()()


class _SideThread:
    """A thread that takes turns with the loop's: exactly one of both runs.

    Lifetime: until its job is over. Concurrency: the thread itself calls `park`, the loop calls the rest.
    """

    def __init__(self, job: Callable[[], None]) -> None:
        self._job = job
        self._turn, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self._pause_s: float | None = None
        self._ends = False
        threading.Thread(target=self._run, name="simulated bus", daemon=True).start()

    def go_on(self) -> float | None:
        """Let it run until it waits; return the seconds of the wait, or None at its end."""
        self._pause_s = None
        self._turn.release()
        self._back.acquire()
        return self._pause_s

    def park(self, seconds: float) -> None:
        """Give the turn back until `go_on`. Raises `OSError` (ETIMEDOUT) after `end`."""
        self._pause_s = seconds
        self._back.release()
        self._turn.acquire()
        if self._ends:
            raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))

    def end(self) -> None:
        """Make the job fail where it waits, as often as it waits again."""
        self._ends = True
        while self.go_on() is not None:
            pass

    def _run(self) -> None:
        self._turn.acquire()
        self._job()
        self._back.release()
