"""The connections of the server, bounded: how many, how long a request may take to come, and how long an answer to go.

uvicorn has a limit neither for a request that comes by and by nor for a peer that does not read. Here every connection
that makes no way is cut off, so that those who play always find room.
"""

import asyncio
from asyncio.transports import BaseTransport, Transport
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.server import ServerProtocol

from controller.web.guards import PAGE_HEADERS
from controller.web.refusals import NOT_UNDERSTOOD, refusal

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

MOST, MOST_OF_ONE = 256, 64  # connections in all, and of one address; a browser has seven or so
# From the first byte of a request, or from the connection, to the last one; and to the answer that makes a watcher.
_REQUEST_S = 10.0
_STUCK_S = 5.0  # an answer lies there, and the other side takes nothing of it
_CLOSING_S = 2.0  # a watcher that was told to go
_NO_HTTP = "this is no HTTP that can be read"
_NO_HANDSHAKE = (
    "this is no handshake of a WebSocket that can be read: GET, version 13, a key, one Origin, no body, and at most 128"
    " headers and 8 kB a line"
)


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


class HurriedConnection(asyncio.Protocol):
    """A connection that is cut off where the other side takes nothing of what lies there for it."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Hear from now on of every byte that is not taken at once."""
        super().connection_made(transport)
        cast("Transport", transport).set_write_buffer_limits(high=0)
        self._answer = Patience(cast("Transport", transport), _STUCK_S)

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


class HttpConnection(HurriedConnection, H11Protocol):
    """A connection of HTTP that is closed at once where there are too many, or where a request does not come."""

    def connection_made(self, transport: BaseTransport) -> None:
        """Wait for its first request."""
        super().connection_made(transport)
        self._request = Patience(self.transport, _REQUEST_S)
        if _is_one_too_many(self):
            self.connections.discard(self)
            self.transport.abort()
        else:
            self._request.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._request.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, and wait for the rest of the request if it is not all of one."""
        super().data_received(data)
        has_become_watcher = self.transport.get_protocol() is not self
        if not has_become_watcher and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._request.begin()
        else:
            self._request.end()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to a watcher, who has a patience of his own; refuse what makes nobody a watcher."""
        if not _is_handshake(event):
            # The version is told to whoever has another (RFC 6455, 4.4).
            self._refuse(_NO_HANDSHAKE, {"Sec-WebSocket-Version": "13"})
            return
        self._answer.end()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Wait for the next request; not amid a body without a length, which may have no end."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY and b"transfer-encoding" in dict(self.headers):
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP in the shape of all refusals, and close."""
        self._refuse(_NO_HTTP)
        if self.cycle is not None:
            # A body may become nonsense while its request is being answered: to that answer, the other side is gone.
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _refuse(self, line: str, headers: Mapping[str, str] | None = None) -> None:
        """Answer what never reaches the application, nor the guards before it, and close."""
        closing = {**PAGE_HEADERS, **(headers or {}), "Connection": "close"}
        answer = refusal(400, NOT_UNDERSTOOD, line, closing)
        # Amid another answer nothing can be said any more.
        with suppress(h11.LocalProtocolError):
            head = h11.Response(status_code=answer.status_code, headers=answer.raw_headers)
            for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class WatcherConnection(HurriedConnection, WebSocketsSansIOProtocol):
    """A connection of a WebSocket; cut off where nobody answers its handshake, let go where the other side does not."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.close_timeout = _CLOSING_S

    def connection_made(self, transport: BaseTransport) -> None:
        """Wait for the answer to the handshake."""
        super().connection_made(transport)
        self._handshake = Patience(self.transport, _REQUEST_S)
        self._handshake.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._handshake.end()
        super().connection_lost(exc)

    async def send(self, message: "ASGISendEvent") -> None:
        """Send what the application has to say; with the answer to the handshake, that is complete."""
        await super().send(message)
        if self.close_sent:
            # To uvicorn a handshake that was refused is not, and it logs that as an error of ours (uvicorn #3138).
            self.handshake_complete = True
        if self.handshake_complete:
            self._handshake.end()


def _is_handshake(asked: h11.Request) -> bool:
    """True if the library of WebSockets makes a watcher of who asks this.

    It takes less than HTTP does, hangs on what it cannot read, and refuses the rest in a shape of its own.
    """
    lines = [b"%s %s HTTP/1.1" % (asked.method, asked.target), *(b"%s: %s" % header for header in asked.headers)]
    library = ServerProtocol()
    library.receive_data(b"\r\n".join(lines) + b"\r\n\r\n")
    return any(
        isinstance(read, Request) and library.accept(read).status_code == 101 for read in library.events_received()
    )


def _is_one_too_many(newest: HttpConnection) -> bool:
    """True if there are too many connections with this one, in all or of its address."""
    if len(newest.connections) > MOST:
        return True
    if newest.client is None:
        return False
    clients = (getattr(each, "client", None) for each in newest.connections)
    # Not by network: all phones of a household are in one, and with IPv6 a stranger has any number of addresses in it.
    same = [client for client in clients if client is not None and client[0] == newest.client[0]]
    return len(same) > MOST_OF_ONE
