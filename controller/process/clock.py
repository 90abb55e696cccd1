"""The jumping clock: an event loop on which waiting costs no time, for simulated boxes and for tests.

`asyncio.sleep` and timeouts end in their right order but at once, so a game of minutes takes a second. While a
job runs in an executor (a picture is being read) the clock stands still, as if the job had taken no time.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Any, TypeVar, TypeVarTuple, Unpack

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


class _JumpingSelector(selectors.DefaultSelector):
    """Waits for input only while a job is out; else lets the loop's clock jump over the waiting."""

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
    """A selector event loop with a clock of its own, which starts at 0 and jumps to the next timer.

    Lifetime: as any event loop; close it after use.
    Concurrency: as any event loop. Jobs in executors hold the clock until they are done.
    """

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Seconds since the loop was made, jumps included."""
        return self._jumping.now_s

    def hold_up(self, seconds: float) -> None:
        """Let so much time pass at once, as a callback does that takes too long."""
        self._jumping.now_s += seconds

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Arguments]], T], *args: *Arguments
    ) -> asyncio.Future[T]:
        """As in asyncio; the clock stands still until the job is done.

        An executor that says `keeps_time` lets the time of its jobs pass on this very clock: it goes on meanwhile.
        """
        future = super().run_in_executor(executor, func, *args)
        if getattr(executor, "keeps_time", False):
            return future
        self._jumping.jobs_out += 1
        future.add_done_callback(self._job_is_back)
        return future

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ASYNC109  asyncio's own
        """As in asyncio, but without its `timeout`; the clock stands still until the threads have ended.

        From Python 3.12 on a runner gives them 300 seconds, and a clock that jumps would let these pass at once.
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
