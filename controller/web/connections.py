"""The connections of the server, bounded: how many, how long a request may take to come, and how long an answer to go.

uvicorn has a limit neither for a request that comes by and by nor for a peer that does not read. Here every connection
that makes no way is cut off, so that those who play always find room.
"""

import asyncio
from asyncio.transports import BaseTransport, Transport
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from controller.web.refusals import NOT_UNDERSTOOD, refusal

MOST, MOST_OF_ONE = 256, 64  # connections in all, and of one address; a browser has seven or so
_REQUEST_S = 10.0  # from the first byte of a request, or from the connection, to the last one
_STUCK_S = 5.0  # an answer lies there, and the other side takes nothing of it
_CLOSING_S = 2.0  # a watcher that was told to go
_IPV6_HOUSEHOLD = 64  # bits of an address of IPv6 that one household has; the others it makes up as it likes


class Patience:
    """Cuts a connection off after so many seconds, unless what is waited for comes first.

    Lifetime: that of the connection. Concurrency: its event loop.
    """

    def __init__(self, transport: Transport, seconds: float) -> None:
        self._transport = transport
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Wait from now on, if not yet."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._transport.abort)

    def end(self) -> None:
        """It has come."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class HttpConnection(H11Protocol):
    """A connection of HTTP that is closed at once where there are too many, and cut off where it makes no way."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as uvicorn's own
        """Wait for its first request."""
        super().connection_made(transport)
        self._request, self._answer = Patience(transport, _REQUEST_S), _hurry(transport)
        if _is_one_too_many(self):
            self.connections.discard(self)
            transport.abort()
        else:
            self._request.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._request.end()
        self._answer.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, and wait for the rest of the request if it is not all of one."""
        super().data_received(data)
        has_become_watcher = self.transport.get_protocol() is not self
        if not has_become_watcher and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._request.begin()
        else:
            self._request.end()

    def pause_writing(self) -> None:
        """The other side takes nothing at present."""
        super().pause_writing()
        self._answer.begin()

    def resume_writing(self) -> None:
        """It has taken all."""
        super().resume_writing()
        self._answer.end()

    def on_response_complete(self) -> None:
        """Wait for the next request; not amid a body without a length, which may have no end."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and b"transfer-encoding" in dict(self.headers):
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP in the shape of all refusals, and close."""
        answer = refusal(400, NOT_UNDERSTOOD, "this is no HTTP that can be read", {"Connection": "close"})
        # Amid another answer nothing can be said any more.
        with suppress(h11.LocalProtocolError):
            head = h11.Response(status_code=answer.status_code, headers=answer.raw_headers)
            for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class WatcherConnection(WebSocketsSansIOProtocol):
    """A connection of a WebSocket that is cut off where the other side takes nothing or answers no ping."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.close_timeout = _CLOSING_S

    def connection_made(self, transport: BaseTransport) -> None:
        """Take the connection over from the request that asked for it."""
        super().connection_made(transport)
        self._answer = _hurry(cast("Transport", transport))

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._answer.end()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The other side takes nothing at present."""
        super().pause_writing()
        self._answer.begin()

    def resume_writing(self) -> None:
        """It has taken all."""
        super().resume_writing()
        self._answer.end()

    def keepalive_timeout(self) -> None:
        """Cut off who answers no ping: nor would he take a farewell."""
        super().keepalive_timeout()
        self.transport.abort()


def _hurry(transport: Transport) -> Patience:
    """The patience with answers on this connection, which hears of every byte that is not taken at once."""
    transport.set_write_buffer_limits(high=0)
    return Patience(transport, _STUCK_S)


def _is_one_too_many(newest: HttpConnection) -> bool:
    """True if there are too many connections with this one, in all or of its address."""
    if len(newest.connections) > MOST:
        return True
    if newest.client is None:
        return False
    clients = (getattr(each, "client", None) for each in newest.connections)
    households = Counter(_household(client[0]) for client in clients if client is not None)
    return households[_household(newest.client[0])] > MOST_OF_ONE


@lru_cache(maxsize=1024)
def _household(text: str) -> object:
    """An address of IPv4, or the part of one of IPv6 that belongs to one household."""
    address = ip_address(text.partition("%")[0])
    if address.version == 4 or address.ipv4_mapped is not None:
        return text
    return ip_network((address, _IPV6_HOUSEHOLD), strict=False)
