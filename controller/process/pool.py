"""The same work for many things, by one process a core."""

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

Thing = TypeVar("Thing")
Answer = TypeVar("Answer")


@contextmanager
def mapping(
    *, in_place: bool, chunk: int = 1, begin: Callable[[], None] | None = None
) -> Iterator[Callable[[Callable[[Thing], Answer], Iterable[Thing]], Iterable[Answer]]]:
    """A `map` that keeps the order, in this process (`in_place`) or by one a core; each of these begins with `begin`.

    Leaving the block ends the processes. What is called and its things travel between them, so they can be pickled.
    """
    if in_place:
        yield map
        return
    # Processes are spawned, not forked: OpenCV's threads do not survive a fork.
    with _deaf_to_ctrl_c():
        pool = multiprocessing.get_context("spawn").Pool(os.cpu_count(), begin)
    with pool:
        yield partial(pool.imap, chunksize=chunk)


def silence() -> None:
    """A process that breaks boxes on purpose says nothing of it."""
    logging.disable(logging.CRITICAL)


@contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes started within the block leave Ctrl-C to this one, which tells of it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
