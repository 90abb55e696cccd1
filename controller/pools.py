"""Processes beside this one, for long counts."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.pool import Pool


@contextmanager
def pool_of_cores(begin: Callable[[], None] | None = None) -> Iterator[Pool]:
    """One process a core, each begun with `begin`; leaving the block ends them. Ctrl-C is left to this process.

    Processes are spawned, not forked: OpenCV's threads do not survive a fork.
    """
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pool = multiprocessing.get_context("spawn").Pool(os.cpu_count(), begin)
    finally:
        signal.signal(signal.SIGINT, before)
    with pool:
        yield pool
