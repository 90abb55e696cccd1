"""Long computations in a thread beside the event loop, which a process that ends does not wait for."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from threading import Thread
from typing import Any, TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")


class _DaemonThreads(Executor):
    """Every job in a daemon thread of its own: a process that ends does not wait for one, as it would for a pool's."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        Thread(target=_run, args=(future, fn, args, kwargs), name="background", daemon=True).start()
        return future


def _run(future: "Future[Any]", fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(fn(*args, **kwargs))
    except BaseException as error:
        future.set_exception(error)


class BackgroundThread:
    """Calls one function after another, never two at once, away from the loop.

    A thread cannot be stopped, and an impatient player may cancel and ask anew: whoever makes the same call again
    waits for the result that is being computed already, and another call waits until that one is done.

    Lifetime: any. Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self._threads = _DaemonThreads()
        self._call: object = None
        self._result: asyncio.Future[Any] | None = None

    async def run(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Return `function(argument)`, or raise what it raises. To cancel the wait does not end the call."""
        while self._result is not None and not self._result.done() and self._call != (function, argument):
            await asyncio.wait([self._result])
        if self._result is None or self._result.done():
            self._call = (function, argument)
            loop = asyncio.get_running_loop()
            self._result = loop.run_in_executor(self._threads, function, argument)
            # Nobody may be left to hear of an error, and asyncio would log it as one that was never retrieved.
            self._result.add_done_callback(lambda done: done.cancelled() or done.exception())
        result: Result = await asyncio.shield(self._result)
        return result
