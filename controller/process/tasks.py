"""Blocks in an event loop: with background jobs, and cancelled by a signal."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager

from controller.process.signals import stop_signals


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
