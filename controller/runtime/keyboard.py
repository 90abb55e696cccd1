"""Lines or keys typed at a terminal, as asynchronous streams."""

import asyncio
import os
import termios
import threading
import tty
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress

_CHUNK = 4096


def typed_lines(descriptor: int = 0) -> AsyncIterator[str]:
    """Iterate over the lines typed, without line ends, until the input ends (at once if there is none)."""
    return _pieces(descriptor, _read_lines)


def typed_keys(descriptor: int = 0) -> AsyncIterator[str]:
    """Iterate over the keys typed, without spaces and line ends.

    A terminal passes keys on with the next Enter, or immediately within `key_by_key`.
    """
    return _pieces(descriptor, _read_keys)


async def _pieces(descriptor: int, read: Callable[[int, Callable[[str | None], None]], None]) -> AsyncIterator[str]:
    """Yield the pieces that `read` gives, until it gives None.

    A separate thread reads the descriptor, because files, pipes and terminals cannot all be polled. It is a daemon
    thread and holds no lock of Python's streams, so a program that ends does not wait for a last Enter.
    """
    loop = asyncio.get_running_loop()
    pieces: asyncio.Queue[str | None] = asyncio.Queue()

    def give(piece: str | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(pieces.put_nowait, piece)

    threading.Thread(target=read, args=(descriptor, give), name="keyboard", daemon=True).start()
    while (piece := await pieces.get()) is not None:
        yield piece


@contextmanager
def key_by_key(descriptor: int = 0) -> Iterator[None]:
    """Have the terminal pass on each key immediately, without echo, during the block. Pipes are left alone."""
    if not os.isatty(descriptor):
        yield
        return
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _read_lines(descriptor: int, give: Callable[[str | None], None]) -> None:
    rest = b""
    # A closed descriptor, or a terminal that is gone, ends the stream like an end of file.
    with suppress(OSError):
        while chunk := os.read(descriptor, _CHUNK):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                give(line.decode("utf-8", "replace").rstrip("\r"))
    if rest:
        give(rest.decode("utf-8", "replace"))
    give(None)


def _read_keys(descriptor: int, give: Callable[[str | None], None]) -> None:
    with suppress(OSError):
        while chunk := os.read(descriptor, _CHUNK):
            for key in chunk.decode("utf-8", "replace"):
                if not key.isspace():
                    give(key)
    give(None)
