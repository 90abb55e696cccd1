"""Bytes at the daemon's own socket, as a client that has gone mad would write them: requests, handshakes, messages."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.runtime.home import Home
from tests.support.served_box import hold_served_box

_ANSWER_S = 60.0  # on a clock that jumps: who waits so long for an answer gets none


class _Complaints(logging.Handler):
    """What the server logs as an error of its own."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(self.format(record))

    def note(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """What the loop would say of a protocol that has failed."""
        self.heard.append(f"{context['message']}: {context.get('exception')!r}")


@contextmanager
def open_wire(folder: Path) -> Iterator[Callable[[bytes], None]]:
    """A box at whose socket bytes are written; what is given raises `AssertionError` if the server fails by them."""
    home, complaints = Home(folder, folder), _Complaints()
    logger = logging.getLogger("uvicorn.error")
    with hold_served_box(home) as (_, run):

        def feed(data: bytes) -> None:
            answer = run(_exchange(home.socket, data, complaints))
            assert not complaints.heard, complaints.heard.pop()
            assert not answer.startswith(b"HTTP/1.1 5"), answer[:500]

        logger.addHandler(complaints)
        try:
            yield feed
        finally:
            logger.removeHandler(complaints)


async def _exchange(socket: Path, data: bytes, complaints: _Complaints) -> bytes:
    asyncio.get_running_loop().set_exception_handler(complaints.note)
    reader, writer = await asyncio.open_unix_connection(socket)
    try:
        async with asyncio.timeout(_ANSWER_S):
            writer.write(data)
            writer.write_eof()
            return await reader.read()
    finally:
        writer.close()
        await writer.wait_closed()
