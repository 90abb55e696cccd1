"""A command that can be stopped: Ctrl-C, a closed terminal or SIGTERM end its work in order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from controller.daemon import stop_signals


@asynccontextmanager
async def stoppable() -> AsyncIterator[None]:
    """Ctrl-C, a closed terminal or SIGTERM leaves the block in order; what follows the block is done."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    stopped = False

    def stop() -> None:
        nonlocal stopped
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
