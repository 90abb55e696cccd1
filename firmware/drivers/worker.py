"""The single worker of the bus: a thread that does not keep its process from ending."""

import queue
from collections.abc import Callable
from concurrent.futures import Executor, Future
from threading import Thread
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")

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
