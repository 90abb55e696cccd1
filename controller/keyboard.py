"""Lines typed at a terminal, as an asynchronous stream."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

_CHUNK = 4096


async def typed_lines(descriptor: int = 0) -> AsyncIterator[str]:
    """Every line typed, without its end; the stream ends with the input, at once where there is none.

    A thread of its own reads the descriptor, because files, pipes and terminals cannot all be polled. It is a
    daemon thread and holds no lock of Python's streams, so a program that ends does not wait for a last Enter.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def give(line: str | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(lines.put_nowait, line)

    threading.Thread(target=_read, args=(descriptor, give), name="keyboard", daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line


def _read(descriptor: int, give: Callable[[str | None], None]) -> None:
    rest = b""
    # A closed descriptor, or a terminal that has gone, ends the stream as an end of file does.
    with suppress(OSError):
        while chunk := os.read(descriptor, _CHUNK):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                give(line.decode("utf-8", "replace").rstrip("\r"))
    if rest:
        give(rest.decode("utf-8", "replace"))
    give(None)
