"""The jumping clock: an event loop on which waiting takes no time, for simulated boxes and for tests.

`asyncio.sleep` and timeouts end in the correct order but immediately, so a game of minutes takes a second. While a job
runs in an executor (a picture is being read) the clock stands still, as if the job took no time.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


class _JumpingSelector(selectors.DefaultSelector):
    """Waits for input only while a job runs in an executor; else the loop's clock jumps over the waiting time."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.jobs_out = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= 0:
            return super().select(timeout)
        if self.jobs_out:
            return super().select(None)
        ready = super().select(0)
        if not ready:
            self.now_s += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """A selector event loop with its own clock, which starts at 0 and jumps to the next timer.

    Lifetime: like any event loop; close it after use.
    Concurrency: like any event loop. Jobs in executors stop the clock until they are done.
    """

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Return the seconds since the loop was created, including jumps."""
        return self._jumping.now_s

    def hold_up(self, seconds: float) -> None:
        """Let time pass at once, like a callback that takes too long."""
        self._jumping.now_s += seconds

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Arguments]], T], *args: *Arguments
    ) -> asyncio.Future[T]:
        """Run a job as asyncio does; the clock stands still until it is done.

        If the executor has `keeps_time`, its jobs let time pass on this clock, which goes on meanwhile.
        """
        future = super().run_in_executor(executor, func, *args)
        if getattr(executor, "keeps_time", False):
            return future
        self._jumping.jobs_out += 1
        future.add_done_callback(self._job_is_back)
        return future

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109  asyncio's own
        """Shut down as asyncio does, but without `timeout`; the clock stands still until the threads have ended.

        From Python 3.12 on a runner allows them 300 seconds, which a jumping clock would let pass at once.
        """
        self._jumping.jobs_out += 1
        try:
            await super().shutdown_default_executor()
        finally:
            self._jumping.jobs_out -= 1

    def _job_is_back(self, _future: asyncio.Future[Any]) -> None:
        self._jumping.jobs_out -= 1


def run_jumping(main: Coroutine[Any, Any, T]) -> T:
    """Run `main` on a new jumping loop, as `asyncio.run` would on an ordinary one."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main)
