"""Work of an event loop that lasts as long as a block does: jobs beside it, and its end by a signal."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager

from controller.process.signals import stop_signals


@asynccontextmanager
async def run_in_background(*jobs: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Run `jobs` beside the block and cancel them at its end.

    A job that fails cancels the block and raises an `ExceptionGroup`; an error of the block itself comes out as
    it is, not wrapped in a group.
    """
    own_error: Exception | None = None
    async with asyncio.TaskGroup() as tasks:
        started = [tasks.create_task(job) for job in jobs]
        try:
            yield
        except Exception as error:
            # Raised within the group it would come out as an `ExceptionGroup`, which no caller's `except` expects.
            own_error = error
        finally:
            for task in started:
                task.cancel()
    if own_error is not None:
        raise own_error


@asynccontextmanager
async def cancel_on_signal() -> AsyncIterator[None]:
    """Cancel the block at the first of `stop_signals`; what follows the block is then done as usual."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    stopped = False

    def stop() -> None:
        nonlocal stopped
        # Only once: a second Ctrl-C would cancel the cleaning up that the first one has begun.
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
