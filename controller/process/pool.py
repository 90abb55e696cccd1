"""A pool of processes, one a core: the same function for many items, in order."""

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextmanager
def pool_map(
    *, in_place: bool, chunk: int = 1, begin: Callable[[], None] | None = None
) -> Iterator[Callable[[Callable[[Item], Result], Iterable[Item]], Iterable[Result]]]:
    """Yield a `map` that keeps the order, in this process (`in_place`) or by one process a core.

    Each process calls `begin` first and takes `chunk` items at a time. Leaving the block ends the processes. The
    function, its items and results travel between them, so they must be picklable.
    """
    if in_place:
        yield map
        return
    # Processes are spawned, not forked: OpenCV's threads do not survive a fork.
    with _ignore_ctrl_c():
        pool = multiprocessing.get_context("spawn").Pool(os.cpu_count(), begin)
    with pool:
        yield partial(pool.imap, chunksize=chunk)


def silence() -> None:
    """Log nothing more in this process: one that breaks boxes on purpose would warn of each."""
    logging.disable(logging.CRITICAL)


@contextmanager
def silenced() -> Iterator[None]:
    """Log nothing in this process as long as the block lasts."""
    before = logging.root.manager.disable
    silence()
    try:
        yield
    finally:
        logging.disable(before)


@contextmanager
def _ignore_ctrl_c() -> Iterator[None]:
    """Processes started within the block inherit that they ignore Ctrl-C: this one tells of it, and ends them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
