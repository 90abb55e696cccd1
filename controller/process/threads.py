"""Questions that take their time, asked in a thread that nobody has to wait for at the end."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from threading import Thread
from typing import Any, TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class _DaemonThread(Executor):
    """Every job in a daemon thread of its own: a process that ends does not wait for one, as it would for a pool's."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        Thread(target=_answer, args=(future, fn, args, kwargs), name="thinking", daemon=True).start()
        return future


def _answer(future: "Future[Any]", fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(fn(*args, **kwargs))
    except BaseException as error:
        future.set_exception(error)


class Thinker:
    """Answers one question after another, away from the loop.

    A thread cannot be stopped: whoever asks the same again, after his wait was cancelled, waits for the same answer,
    and another question waits until that one is answered. Lifetime: any. Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self._threads = _DaemonThread()
        self._asked: object = None
        self._answer: asyncio.Future[Any] | None = None

    async def ask(self, function: Callable[[Question], Answer], question: Question) -> Answer:
        """`function(question)`, or what it raises."""
        while self._answer is not None and not self._answer.done() and self._asked != (function, question):
            await asyncio.wait([self._answer])
        if self._answer is None or self._answer.done():
            self._asked = (function, question)
            loop = asyncio.get_running_loop()
            self._answer = loop.run_in_executor(self._threads, function, question)
            # Nobody may be left to hear of an error.
            self._answer.add_done_callback(lambda answer: answer.cancelled() or answer.exception())
        answer: Answer = await asyncio.shield(self._answer)
        return answer
