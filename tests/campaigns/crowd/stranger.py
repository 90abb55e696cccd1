"""A stranger in the network who tries to keep a box from those who play; in a process of their own.

They hold requests that they never end and open connections by the thousand, from one address; they watch without
taking anything from another, send bodies that are far too large from a third, and from four more ask in a row for
whatever anybody may ask for.
"""

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

_CROWDING, _STARING, _STUFFING = "127.0.1.1", "127.0.1.2", "127.0.1.3"
_HALF_SENT, _STUCK = 300, 5  # at a time
_FLOODING, _OF_EACH = tuple(f"127.0.2.{number}" for number in range(1, 5)), 60  # connections
_PAGES = (b"/start", b"/play", b"/games", b"/api/odds", b"/nothing")
_PIPELINED = (1, 10)  # requests sent at a time
_REOPENED_S = 0.01
_BODY = 100_000_000  # bytes
_BURST = 100  # connections
_AGAIN_S = 1.0  # between two attempts; more often, and he would not keep pace with himself
_LOOK_EVERY_S = 0.1
_ESTABLISHED = 1  # the state of a connection in Linux' tcp_info
_PATIENCE_S = 30.0  # whoever is not cut off by then never is
_HALF = b"POST /api/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"
_WHOLE = _HALF.replace(b": 9\r", b": %d\r" % _BODY) + b"\r\n"
_PIECES = _HALF.replace(b"Content-Length: 9", b"Transfer-Encoding: chunked") + b"\r\n"
_HANDSHAKE = (
    b"GET /api/snapshots HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
_CHUNK = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"


@dataclass(slots=True)
class Harassment:
    """What they did, and how long they were borne at most: with half a request, and as a watcher that takes nothing.

    counts: of requests half sent, large bodies, connections, stuck watchers, and answers to those who ask in a row.
    accepted: bodies that were taken.
    """

    counts: Counter[str] = field(default_factory=Counter)
    half_sent_s: float = 0.0
    stuck_s: float = 0.0
    accepted: int = 0


def harass(port: int, seconds: float, connections: int) -> Harassment:
    """Do all of it for so long, and open so many connections meanwhile."""

    async def harass_all() -> Harassment:
        done = Harassment()
        give_up_s = time.monotonic() + seconds

        async def over_and_over(act: Callable[[], Awaitable[None]], again_s: float = _AGAIN_S) -> None:
            while time.monotonic() < give_up_s:
                with suppress(OSError):
                    await act()
                await asyncio.sleep(again_s)

        async def open_some() -> None:
            if done.counts["connections"] < connections:
                await _open_and_close(port, done)

        acts = [
            *[lambda: _half_send(port, done)] * _HALF_SENT,
            *[lambda: _be_stuck(port, done)] * _STUCK,
            lambda: _send_large(port, done, _WHOLE, bytes(0x10000)),
            lambda: _send_large(port, done, _PIECES, _CHUNK),
            open_some,
        ]
        askers = [
            over_and_over(partial(_ask_in_a_row, port, done, address, _asked(number), give_up_s), _REOPENED_S)
            for address in _FLOODING
            for number in range(_OF_EACH)
        ]
        await asyncio.gather(*map(over_and_over, acts), *askers)
        return done

    return asyncio.run(harass_all())


def _asked(number: int) -> bytes:
    """What the connection with this number sends at a time: a page, once or in a row, or a watcher's handshake."""
    *pages, last = (b"GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" % page for page in _PAGES)
    kinds = (*pages, last, _HANDSHAKE)
    asked = kinds[number % len(kinds)]
    return asked if asked == _HANDSHAKE else asked * _PIPELINED[number // len(kinds) % 2]


async def _ask_in_a_row(port: int, done: Harassment, address: str, asked: bytes, give_up_s: float) -> None:
    """Ask again as soon as there is an answer, until the box hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    try:
        while time.monotonic() < give_up_s:
            writer.write(asked)
            if not await reader.read(0x10000) or asked == _HANDSHAKE:
                break
            done.counts["asked in a row"] += 1
    finally:
        writer.close()


async def _half_send(port: int, done: Harassment) -> None:
    """Hold half a request until the box hangs up."""
    begun_s = time.monotonic()
    async with asyncio.timeout(_PATIENCE_S):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(_CROWDING, 0))
        try:
            writer.write(_HALF)
            await reader.read()
        finally:
            writer.close()
            done.counts["half sent"] += 1
            done.half_sent_s = max(done.half_sent_s, time.monotonic() - begun_s)


async def _send_large(port: int, done: Harassment, head: bytes, piece: bytes) -> None:
    """Send a body as fast as it is taken, until the box hangs up; one that is taken whole is no refusal."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(_STUFFING, 0))
    done.counts["large bodies"] += 1
    try:
        writer.write(head)
        for _ in range(_BODY // len(piece)):
            writer.write(piece)
            await writer.drain()
        done.accepted += not reader.at_eof()
    finally:
        writer.close()


async def _open_and_close(port: int, done: Harassment) -> None:
    """Open many connections at one go, and leave them."""
    opened = await asyncio.gather(
        *(asyncio.open_connection("127.0.0.1", port, local_addr=(_CROWDING, 0)) for _ in range(_BURST)),
        return_exceptions=True,
    )
    done.counts["connections"] += len(opened)
    for each in opened:
        if not isinstance(each, BaseException):
            each[1].close()


async def _be_stuck(port: int, done: Harassment) -> None:
    """Watch, and look at nothing that comes, until the box hangs up."""
    loop = asyncio.get_running_loop()
    with socket.socket() as mute:
        mute.setblocking(False)
        mute.bind((_STARING, 0))
        await loop.sock_connect(mute, ("127.0.0.1", port))
        await loop.sock_sendall(mute, _HANDSHAKE)
        begun_s = time.monotonic()
        done.counts["stuck"] += 1
        while time.monotonic() - begun_s < _PATIENCE_S and not _is_reset(mute):  # noqa: ASYNC110  no event tells it
            await asyncio.sleep(_LOOK_EVERY_S)
        done.stuck_s = max(done.stuck_s, time.monotonic() - begun_s)


def _is_reset(mute: socket.socket) -> bool:
    """True once the other side has cut the connection; nothing is read for that."""
    return mute.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != _ESTABLISHED
