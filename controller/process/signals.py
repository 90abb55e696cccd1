"""Signals that end work in order: Ctrl-C, SIGTERM, a closed terminal.

Every process needs them, so that nothing of a game, a box or the web is imported here.
"""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


def stop_signals() -> list[signal.Signals]:
    """The signals that end a process in order; a hang-up too, unless it is to be ignored (nohup)."""
    ignored = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGINT, signal.SIGTERM, *([] if ignored else [signal.SIGHUP])]


@asynccontextmanager
async def cancel_on_signal() -> AsyncIterator[None]:
    """Cancel the block at the first of `stop_signals`; what follows the block is then done as usual."""
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
