"""Limits on the server's connections: their number, the time for a request to arrive, and for an answer to be taken.

uvicorn limits neither a request that trickles in nor a peer that does not read. Here every connection that makes no
progress is cut off, so that players always find room. uvicorn offers no public hook for this: what is overridden below
is held by a contract test in tests/controller/web/security/test_connections.py.
"""

import asyncio
from asyncio.transports import BaseTransport, Transport
from collections.abc import Container, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.server import ServerProtocol

from controller.web.refusals import NOT_UNDERSTOOD, refusal
from controller.web.security.guards import PAGE_HEADERS

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

MOST, MOST_OF_ONE = 256, 64  # connections of all strangers and per address; a browser opens about seven
# To the last byte of a request, from the connection or its first byte; for a WebSocket: to the answer to the handshake.
_REQUEST_S = 10.0
_STUCK_S = 5.0  # for a peer that takes nothing of a pending answer
_CLOSING_S = 2.0  # for a watcher that was asked to close
PATIENT = "shutbox-patient"  # in the state of a request: its body may take longer, if only more of it comes
_NO_HTTP = "this is no HTTP that can be read"
_NO_HANDSHAKE = (
    "this is no handshake of a WebSocket that can be read: GET, version 13, a key, one Origin, no body, and at most 128"
    " headers and 8 kB a line"
)


class Timeout:
    """A timeout that cuts a connection off unless the awaited event comes first.

    Lifetime: that of the connection. Concurrency: its event loop.
    """

    def __init__(self, transport: Transport, seconds: float) -> None:
        self._transport = transport
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Start the timeout unless it is running already."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._transport.abort)

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class LimitedConnection(asyncio.Protocol):
    """A connection that is cut off if the peer does not read what was sent to it."""

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        # With this limit `pause_writing` is called for every byte that the peer does not take at once.
        cast("Transport", transport).set_write_buffer_limits(high=0)
        self._answer = Timeout(cast("Transport", transport), _STUCK_S)

    def connection_lost(self, exc: Exception | None) -> None:
        self._answer.end()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._answer.begin()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._answer.end()


class HttpConnection(LimitedConnection, H11Protocol):
    """An HTTP connection that is closed at once if there are too many, or if its request does not arrive in time.

    known: the addresses of those who are known here; strangers cannot take their places. proxies: addresses that many
    share.
    """

    def __init__(self, *args: Any, known: Container[str] = (), proxies: Container[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._known = known
        self._proxies = proxies

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._request = Timeout(self.transport, _REQUEST_S)
        clients = [client for each in self.connections if (client := getattr(each, "client", None))]
        # Counted by address, not by network: all phones of a household share a network, and with IPv6 a stranger has
        # any number of addresses in one.
        same = [client for client in clients if self.client and client[0] == self.client[0]]
        is_known = self.client is not None and self.client[0] in self._known
        strangers = [] if is_known else [client for client in clients if client[0] not in self._known]
        most_of_one = MOST if self.client is not None and self.client[0] in self._proxies else MOST_OF_ONE
        if len(strangers) > MOST or len(same) > most_of_one:
            self.connections.discard(self)
            self.transport.abort()
        else:
            self._request.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        self._request.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process the data, and wait for the rest if the request is not complete."""
        super().data_received(data)
        has_become_watcher = self.transport.get_protocol() is not self
        if not has_become_watcher and self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            if self.conn.their_state is h11.SEND_BODY and self.scope["state"].get(PATIENT):
                self._request.end()
            self._request.begin()
        else:
            self._request.end()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to a `WatcherConnection`, which has a timeout of its own; refuse a bad handshake."""
        if not _is_handshake(event):
            # A client with another version must be told the supported one (RFC 6455, 4.4).
            self._refuse(_NO_HANDSHAKE, {"Sec-WebSocket-Version": "13"})
            return
        self._answer.end()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # The rest of a chunked body might never end, so no next request is awaited after it.
        if self.conn.their_state is h11.SEND_BODY and b"transfer-encoding" in dict(self.headers):
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP in the shape of all refusals, and close."""
        self._refuse(_NO_HTTP)
        if self.cycle is not None:
            # A body may turn out malformed while its request is being answered: for that answer, the peer has gone.
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _refuse(self, line: str, headers: Mapping[str, str] | None = None) -> None:
        """Refuse a request that reaches neither the application nor the guards in front of it, and close."""
        closing = {**PAGE_HEADERS, **(headers or {}), "Connection": "close"}
        answer = refusal(400, NOT_UNDERSTOOD, line, closing)
        # While another answer is being sent, no second one can follow.
        with suppress(h11.LocalProtocolError):
            head = h11.Response(status_code=answer.status_code, headers=answer.raw_headers)
            for event in (head, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


class WatcherConnection(LimitedConnection, WebSocketsSansIOProtocol):
    """A WebSocket connection that is cut off if its handshake is not answered, or its peer does not close in time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.close_timeout = _CLOSING_S

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport)
        self._handshake = Timeout(self.transport, _REQUEST_S)
        self._handshake.begin()

    def connection_lost(self, exc: Exception | None) -> None:
        self._handshake.end()
        super().connection_lost(exc)

    async def send(self, message: "ASGISendEvent") -> None:
        """Send a message of the application, and end the timeout once the handshake is answered."""
        await super().send(message)
        if self.close_sent:
            # uvicorn takes a refused handshake for an unfinished one and logs it as an error of ours (uvicorn #3138).
            self.handshake_complete = True
        if self.handshake_complete:
            self._handshake.end()


def _is_handshake(asked: h11.Request) -> bool:
    """Return True if the WebSocket library accepts this request as a handshake.

    The library accepts less than HTTP does, hangs on requests it cannot read, and refuses the rest in its own shape.
    """
    lines = [b"%s %s HTTP/1.1" % (asked.method, asked.target), *(b"%s: %s" % header for header in asked.headers)]
    library = ServerProtocol()
    library.receive_data(b"\r\n".join(lines) + b"\r\n\r\n")
    return any(
        isinstance(read, Request) and library.accept(read).status_code == 101 for read in library.events_received()
    )
