"""The executor of the simulated bus: every job in place, so that a test's clock may jump between two of them."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


class InPlaceExecutor(Executor):
    """Runs every job at once in the caller's thread: a simulated bus never waits.

    Lifetime and concurrency: nothing is held; as its caller.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run the job; its exception comes out of here, which an `await` of the loop's job cannot tell."""
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future
