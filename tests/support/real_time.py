"""What takes real time, another process for one, awaited on a jumping clock."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from threading import Event


@contextmanager
def hold_clock() -> Iterator[None]:
    """Have the running loop's clock stand still during the block."""
    is_over = Event()
    holding = asyncio.get_running_loop().run_in_executor(None, is_over.wait)
    try:
        yield
    finally:
        is_over.set()
        holding.add_done_callback(lambda done: done.result())


def in_no_time(say: Callable[[str], Awaitable[None]]) -> Callable[[str], Awaitable[None]]:
    """The same, in the course of which the clock of the loop stands still."""

    async def held(text: str) -> None:
        with hold_clock():
            await say(text)

    return held
