"""Connections are bounded in number and in patience, on a clock that jumps: nobody keeps the box from its players."""

import asyncio
import inspect
import json
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from controller.game.table.snapshot import SNAPSHOT, Snapshot
from controller.referee.referee import Referee
from controller.runtime.machine import open_port
from controller.runtime.threads import run_in_background
from controller.settings import Web
from controller.web.app import make_app
from controller.web.security import connections
from controller.web.server import listen, serve_network, serve_terminal
from tests.support.strangers import Door, Ears, OwnDoor, open_door

if TYPE_CHECKING:
    from fastapi import FastAPI

HEAD = (
    b"POST /api/commands HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer good\r\n"
    b"Content-Type: application/json\r\n"
)
UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
VERSION = b"Sec-WebSocket-Version: 13\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


def handshake(*headers: bytes, path: bytes = b"/api/snapshots", method: bytes = b"GET") -> bytes:
    return method + b" " + path + b" HTTP/1.1\r\nHost: localhost\r\n" + UPGRADE + b"".join(headers) + b"\r\n"


HANDSHAKE = handshake(VERSION, KEY)
# What HTTP takes, and the library of WebSockets does not.
NO_HANDSHAKE = {
    "a body": handshake(VERSION, KEY, b"Content-Length: 5\r\n"),
    "a body by and by": handshake(VERSION, KEY, b"Transfer-Encoding: chunked\r\n"),
    "a long header": handshake(VERSION, KEY, b"X: " + b"x" * 8500 + b"\r\n"),
    "a long address": handshake(VERSION, KEY, path=b"/api/snapshots?seen=" + b"x" * 9000),
    "many headers": handshake(VERSION, KEY, b"X: y\r\n" * 140),
    "a body, at the address of a question": handshake(VERSION, KEY, b"Content-Length: 5\r\n", path=b"/api/access/me"),
    "another version": handshake(VERSION.replace(b"13", b"12"), KEY),
    "no version": handshake(KEY),
    "no key": handshake(VERSION),
    "a short key": handshake(VERSION, b"Sec-WebSocket-Key: AAAA\r\n"),
    "two origins": handshake(VERSION, KEY, b"Origin: http://localhost\r\n" * 2),
    "a protocol that is none": handshake(VERSION, KEY, b"Sec-WebSocket-Protocol: ,;\r\n"),
    "another method": handshake(VERSION, KEY, method=b"DELETE"),
}
LARGE = "x" * 100_000


class Show(Ears):
    """A referee that shows so many snapshots, each of them large, and then no more."""

    def __init__(self, count: int, say: str = LARGE) -> None:
        super().__init__()
        self._shown = [Snapshot(number + 1, "two-level-9", say) for number in range(count)]

    @asynccontextmanager
    async def watch(self) -> AsyncIterator["asyncio.Queue[Snapshot]"]:
        queue: asyncio.Queue[Snapshot] = asyncio.Queue()
        for each in self._shown:
            queue.put_nowait(each)
        yield queue


def show(count: int, say: str = LARGE) -> Referee:
    return cast("Referee", Show(count, say))


def now_s() -> float:
    return asyncio.get_running_loop().time()


async def time_until_cut(door: Door, *pieces: bytes, every_s: float = 0.0) -> float:
    """After how many seconds the box hangs up on somebody who sends these pieces and then waits; it says nothing."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    begun_s = now_s()
    hearing = asyncio.ensure_future(reader.read())
    for piece in pieces:
        writer.write(piece)
        await asyncio.sleep(every_s)
        if hearing.done():
            break
    with suppress(ConnectionResetError):
        assert await hearing == b""
    writer.close()
    return now_s() - begun_s


@pytest.mark.parametrize(
    "pieces",
    [
        (),
        (b"GET /api/st",),
        (HEAD,),
        (HEAD + b"Content-Length: 14\r\n\r\n",),
        (HEAD + b"Content-Length: 14\r\n\r\n", b'{"do"'),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n3\r\n{  \r\n",),
    ],
)
async def test_a_request_that_is_half_sent_is_cut_off_after_ten_seconds(pieces: tuple[bytes, ...]) -> None:
    async with open_door() as door:
        assert await time_until_cut(door, *pieces) == pytest.approx(10.0, abs=0.2)
    assert door.ears.heard == []


async def test_a_request_that_comes_by_and_by_gets_no_more_time() -> None:
    async with open_door() as door:
        drops = [bytes([each]) for each in HEAD]
        assert await time_until_cut(door, *drops, every_s=1.0) == pytest.approx(10.0, abs=1.2)


@pytest.mark.parametrize(("patient", "until_s"), [(True, 40.0), (False, 10.0)])
async def test_a_file_of_somebody_known_has_ten_seconds_from_each_piece_to_the_next(
    patient: bool, until_s: float
) -> None:
    async def take(scope: Scope, receive: Receive, _send: Send) -> None:
        scope["state"][connections.PATIENT] = patient
        while (await receive())["type"] != "http.disconnect":
            pass

    with open_port("127.0.0.1", 0) as sock:
        door = Door(sock.getsockname()[1], Ears())
        async with run_in_background(serve_network(cast("FastAPI", take), OwnDoor([sock]), Web())):
            head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n"
            pieces = (head, *(b"x" for _ in range(5)))
            assert await time_until_cut(door, *pieces, every_s=6.0) == pytest.approx(until_s, abs=2.2)


async def test_the_next_request_on_a_connection_has_ten_seconds_too_and_none_at_all_five() -> None:
    async with open_door() as door:
        for more, patience_s in ((b"GET /api", 10.0), (b"", 5.0)):
            reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
            writer.write(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 404")
            begun_s = now_s()
            writer.write(more)
            await reader.read()
            assert now_s() - begun_s == pytest.approx(patience_s, abs=0.2)
            writer.close()


async def test_who_takes_no_answers_is_cut_off_within_six_seconds() -> None:
    async with open_door() as door, open_mute(door) as mute:
        mute.send(b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 500)
        await asyncio.sleep(6.0)
        assert is_cut(mute)


@pytest.mark.parametrize("name", NO_HANDSHAKE)
async def test_what_is_no_handshake_is_refused_at_once_in_the_one_shape(name: str) -> None:
    async with open_door() as door, asyncio.timeout(1.0):
        [answer] = await door.say(NO_HANDSHAKE[name])
    assert (answer.status, set(json.loads(answer.body))) == (400, {"error", "code"})
    assert (answer.headers["sec-websocket-version"], answer.headers["x-content-type-options"]) == ("13", "nosniff")
    assert answer.headers["cache-control"] == "no-store"


async def test_many_that_are_no_handshakes_take_nobody_the_room() -> None:
    async with open_door() as door, AsyncExitStack() as stack:
        for _ in range(connections.MOST_OF_ONE):
            mute = await stack.enter_async_context(open_mute(door))
            mute.send(NO_HANDSHAKE["a body"])
        await settle(door)


async def test_a_handshake_that_nobody_answers_is_cut_off_after_ten_seconds() -> None:
    async def think(_scope: Scope, _receive: Receive, _send: Send) -> None:
        await asyncio.sleep(3600.0)

    with open_port("127.0.0.1", 0) as sock:
        door = Door(sock.getsockname()[1], Ears())
        async with run_in_background(serve_network(cast("FastAPI", think), OwnDoor([sock]), Web())):
            assert await time_until_cut(door, HANDSHAKE) == pytest.approx(10.0, abs=0.2)


FORWARDED = (
    b"GET / HTTP/1.1\r\nHost: the-box.example\r\nX-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Proto: https\r\n"
    b"Connection: close\r\n\r\n"
)


@pytest.mark.parametrize(
    ("proxies", "seen"),
    [
        ((), ("127.0.0.1", "http")),
        (("192.0.2.1",), ("127.0.0.1", "http")),
        (("192.0.2.1", "127.0.0.1"), ("203.0.113.9", "https")),
    ],
)
async def test_only_a_proxy_of_the_settings_is_believed_who_its_clients_are(
    proxies: tuple[str, ...], seen: tuple[str, str]
) -> None:
    found = []

    async def note(scope: Scope, receive: Receive, send: Send) -> None:
        found.append((scope["client"][0], scope["scheme"]))
        await PlainTextResponse("noted")(scope, receive, send)

    with open_port("127.0.0.1", 0) as sock:
        door = Door(sock.getsockname()[1], Ears())
        async with run_in_background(
            serve_network(cast("FastAPI", note), OwnDoor([sock]), Web(name="the-box.example", proxies=proxies))
        ):
            [answer] = await door.say(FORWARDED)
    assert answer.status == 200
    assert found == [seen]


async def test_a_proxy_may_open_as_many_connections_as_all_strangers() -> None:
    async with open_door(web=Web(proxies=("127.0.0.1",))) as door, AsyncExitStack() as stack:
        for _ in range(connections.MOST - 1):
            await stack.enter_async_context(open_mute(door))
        await settle(door)
        last, beyond = [await stack.enter_async_context(open_mute(door)) for _ in range(2)]
        await asyncio.sleep(0.1)
        assert (is_cut(last), is_cut(beyond)) == (False, True)


async def test_a_watcher_that_takes_nothing_is_dropped_within_five_seconds() -> None:
    async with open_door(show(100)) as door, open_mute(door) as mute:
        mute.send(HANDSHAKE)
        await asyncio.sleep(5.2)
        assert is_cut(mute)


async def test_a_watcher_that_answers_no_ping_is_dropped_within_five_seconds() -> None:
    async with open_door(show(0)) as door, open_mute(door) as mute:
        mute.send(HANDSHAKE)
        await asyncio.sleep(3.0)
        assert not is_cut(mute)
        await asyncio.sleep(1.0)
        assert is_cut(mute)


@pytest.mark.parametrize(("words", "code"), [("hello", 1008), ("x" * 2000, 1009)])
async def test_a_watcher_that_talks_is_let_go(words: str, code: int) -> None:
    async with open_door(show(0)) as door, connect(f"ws://127.0.0.1:{door.port}/api/snapshots") as watcher:
        await watcher.send(words)
        with pytest.raises(ConnectionClosed) as closed:
            await watcher.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == code


async def test_fifty_watchers_that_listen_stay() -> None:
    async with open_door(show(1)) as door, AsyncExitStack() as stack:
        for _ in range(50):
            watcher = await stack.enter_async_context(connect(f"ws://127.0.0.1:{door.port}/api/snapshots"))
            assert await watcher.recv()
            stack.push_async_callback(watcher.ping)  # raises if the connection is gone
        await asyncio.sleep(20.0)


async def test_a_terminal_may_be_held_up_for_longer(tmp_path: Path) -> None:
    path = tmp_path / "shutbox.sock"
    with listen(path) as sock, socket.socket(socket.AF_UNIX) as mute:
        async with run_in_background(serve_terminal(make_app(show(1, "say")), sock)):
            mute.setblocking(False)
            await asyncio.get_running_loop().sock_connect(mute, str(path))
            mute.send(HANDSHAKE)
            await asyncio.sleep(15.0)
            assert not is_cut(mute)


async def test_a_watcher_that_is_behind_gets_the_newest() -> None:
    for count, first in ((64, 64), (5, 1)):
        async with (
            open_door(show(count, "say")) as door,
            connect(f"ws://127.0.0.1:{door.port}/api/snapshots") as watcher,
        ):
            assert SNAPSHOT.validate_json(await watcher.recv()).number == first


async def test_one_address_does_not_take_the_room_of_others() -> None:
    async with open_door() as door, AsyncExitStack() as stack:
        crowd = [await stack.enter_async_context(open_mute(door, "127.0.0.2")) for _ in range(connections.MOST_OF_ONE)]
        one_more = await stack.enter_async_context(open_mute(door, "127.0.0.2"))
        await settle(door)
        assert is_cut(one_more)
        assert not any(map(is_cut, crowd))


async def test_strangers_of_many_addresses_leave_room_at_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "shutbox.sock"
    with listen(path) as sock:
        async with (
            open_door() as door,
            run_in_background(serve_terminal(make_app(cast("Referee", door.ears)), sock)),
            AsyncExitStack() as stack,
        ):
            for number in range(connections.MOST):
                address = f"127.0.1.{number // connections.MOST_OF_ONE}"
                await stack.enter_async_context(open_mute(door, address))
            one_more = await stack.enter_async_context(open_mute(door, "127.0.2.1"))
            await asyncio.sleep(0.1)
            assert is_cut(one_more)
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(HEAD + b'Connection: close\r\nContent-Length: 14\r\n\r\n{"do": "park"}')
            assert (await reader.read()).startswith(b"HTTP/1.1 200")
            writer.close()


async def test_strangers_of_many_addresses_leave_room_for_those_who_are_known() -> None:
    async with open_door(known=("127.0.2.1",)) as door, AsyncExitStack() as stack:
        for number in range(connections.MOST):
            await stack.enter_async_context(open_mute(door, f"127.0.1.{number // connections.MOST_OF_ONE}"))
        known = await stack.enter_async_context(open_mute(door, "127.0.2.1"))
        stranger = await stack.enter_async_context(open_mute(door, "127.0.2.2"))
        await asyncio.sleep(0.1)
        assert is_cut(stranger)
        assert not is_cut(known)


async def settle(door: Door) -> None:
    """Until the box has seen whoever came before."""
    assert (await door.say(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))[0].status == 404


@asynccontextmanager
async def open_mute(door: Door, address: str = "127.0.0.1") -> AsyncIterator[socket.socket]:
    """A connection of somebody who never looks at what comes, from an address of this computer's many."""
    with socket.socket() as mute:
        mute.setblocking(False)
        mute.bind((address, 0))
        await asyncio.get_running_loop().sock_connect(mute, ("127.0.0.1", door.port))
        yield mute


def is_cut(mute: socket.socket) -> bool:
    """True if nothing more comes on this connection than what lies there."""
    try:
        while mute.recv(1 << 20):
            pass
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    return True


# What connections.py overrides and reads of uvicorn, which promises none of it to anybody.
OVERRIDDEN = {
    H11Protocol: {
        "connection_made": ["transport"],
        "connection_lost": ["exc"],
        "data_received": ["data"],
        "handle_websocket_upgrade": ["event"],
        "on_response_complete": [],
        "send_400_response": ["msg"],
        "pause_writing": [],
        "resume_writing": [],
    },
    WebSocketsSansIOProtocol: {
        "connection_made": ["transport"],
        "connection_lost": ["exc"],
        "send": ["message"],
        "pause_writing": [],
        "resume_writing": [],
    },
    uvicorn.Server: {"capture_signals": [], "startup": ["sockets"]},
}
ATTRIBUTES = {
    H11Protocol: {"client", "conn", "connections", "cycle", "headers", "transport"},
    WebSocketsSansIOProtocol: {"client", "close_sent", "close_timeout", "handshake_complete", "transport"},
}


@pytest.mark.parametrize("private", OVERRIDDEN, ids=lambda each: each.__name__)
def test_uvicorn_has_the_methods_that_are_overridden(private: type) -> None:
    found = {
        name: [each for each in inspect.signature(getattr(private, name)).parameters if each != "self"]
        for name in OVERRIDDEN[private]
    }
    assert found == OVERRIDDEN[private]
    is_async = {name: inspect.iscoroutinefunction(getattr(private, name)) for name in OVERRIDDEN[private]}
    assert {name for name, each in is_async.items() if each} <= {"send", "startup"}


@pytest.mark.parametrize("private", ATTRIBUTES, ids=lambda each: each.__name__)
async def test_uvicorn_has_the_attributes_that_are_read(
    private: type[H11Protocol] | type[WebSocketsSansIOProtocol],
) -> None:
    config = uvicorn.Config(app=lambda _scope: None, ws=WebSocketsSansIOProtocol, log_config=None)
    config.load()
    protocol = private(config, ServerState(), {})
    assert set(vars(protocol)) >= ATTRIBUTES[private]


def test_uvicorn_has_the_cycle_of_a_request_that_a_bad_body_ends() -> None:
    assert {"disconnected", "message_event"} <= set(RequestResponseCycle.__init__.__code__.co_names)
