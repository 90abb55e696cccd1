"""A pool of processes, one per core: the same function for many items, in order."""

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
    """Yield a `map` that keeps the order, in this process (`in_place`) or with one process per core.

    Each process calls `begin` first and takes `chunk` items at a time. Leaving the block ends the processes. The
    function, its items and its results must be picklable.
    """
    if in_place:
        yield map
        return
    # Processes are spawned, not forked: OpenCV's threads do not survive a fork.
    # They inherit that they ignore Ctrl-C: this process reports it, and ends them.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pool = multiprocessing.get_context("spawn").Pool(os.cpu_count(), begin)
    finally:
        signal.signal(signal.SIGINT, before)
    with pool:
        yield partial(pool.imap, chunksize=chunk)


def silence() -> None:
    """Disable the log of this process: breaking boxes on purpose would log a warning for each."""
    logging.disable(logging.CRITICAL)


@contextmanager
def silenced() -> Iterator[None]:
    """Disable the log of this process during the block."""
    before = logging.root.manager.disable
    silence()
    try:
        yield
    finally:
        logging.disable(before)
