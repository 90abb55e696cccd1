"""Work in the background: long computations in a thread, and tasks that run concurrently with a block.

The thread does not delay the end of the process.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import Executor, Future
from contextlib import asynccontextmanager
from threading import Thread
from typing import Any, TypeVar

from controller.runtime.signals import stop_signals

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class _DaemonThreads(Executor):
    """Run every job in its own daemon thread, which the end of the process does not wait for, unlike a pool."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(fn(*args, **kwargs))
            except BaseException as error:
                future.set_exception(error)

        Thread(target=run, name="background", daemon=True).start()
        return future


class BackgroundThread:
    """Calls functions one after another, never two at once, outside the event loop.

    A thread cannot be stopped, and an impatient player may cancel and ask again: the same call waits for the result
    that is already being computed, and another call waits until that is done.

    Lifetime: any. Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self._threads = _DaemonThreads()
        self._call: object = None
        self._result: asyncio.Future[Any] | None = None

    async def run(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Return `function(argument)`, or raise its exception. Cancelling the wait does not end the call."""
        while self._result is not None and not self._result.done() and self._call != (function, argument):
            await asyncio.wait([self._result])
        if self._result is None or self._result.done():
            self._call = (function, argument)
            loop = asyncio.get_running_loop()
            self._result = loop.run_in_executor(self._threads, function, argument)
            # If all callers have cancelled, asyncio would log an error as never retrieved.
            self._result.add_done_callback(lambda done: done.cancelled() or done.exception())
        result: Result = await asyncio.shield(self._result)
        return result


@asynccontextmanager
async def run_in_background(*jobs: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Run `jobs` concurrently with the block and cancel them at its end.

    A job that fails cancels the block and raises an `ExceptionGroup`; an error of the block itself is raised as it is,
    not wrapped in a group.
    """
    own_error: Exception | None = None
    async with asyncio.TaskGroup() as tasks:
        started = [tasks.create_task(job) for job in jobs]
        try:
            yield
        except Exception as error:
            # Raised within the group it would become an `ExceptionGroup`, which no caller's `except` expects.
            own_error = error
        finally:
            for task in started:
                task.cancel()
    if own_error is not None:
        raise own_error


@asynccontextmanager
async def cancel_on_signal() -> AsyncIterator[None]:
    """Cancel the block at the first of `stop_signals`; the code after the block then runs as usual."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    stopped = False

    def stop() -> None:
        nonlocal stopped
        # Only once: a second Ctrl-C would cancel the cleanup that the first one has started.
        if task is not None and not stopped:
            stopped = True
            task.cancel()

    for number in stop_signals():
        loop.add_signal_handler(number, stop)
    try:
        yield
    except asyncio.CancelledError:
        if task is None or not stopped:
            raise
        task.uncancel()
