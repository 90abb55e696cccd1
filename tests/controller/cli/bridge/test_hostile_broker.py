"""The bridge beside a broker that lies, floods, drops and says nothing: bytes of MQTT 5 by hand, on a real clock."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, TypeAlias

import pytest

from controller.cli.bridge.bridge import Table
from controller.cli.bridge.entities import Topics
from controller.cli.bridge.outbox import MOST_WAITING, Outbox
from controller.runtime.home import Home
from controller.settings import Bridge
from controller.web.api.examples import example_state
from controller.web.client import DaemonGone

pytest.importorskip("aiomqtt", reason="no aiomqtt here: make lanes")

from controller.cli.bridge import broker, connection
from controller.cli.bridge.broker import Broker
from controller.cli.bridge.connection import is_overheard

TOPICS = Topics("shutbox", "homeassistant", "parlour")
CONNACK, TAKEN_OVER = bytes((0x20, 3, 0, 0, 0)), bytes((0xE0, 2, 142, 0))
PATIENCE_S = 20.0
SET = b"shutbox/parlour/set"

Reader: TypeAlias = asyncio.StreamReader
Writer: TypeAlias = asyncio.StreamWriter
Serve = Callable[[Reader, Writer], Awaitable[None]]


def publish(topic: bytes, payload: bytes, length: int | None = None) -> bytes:
    """A message of QoS 0 to a client. length: what its header says, where that is a lie."""
    body = len(topic).to_bytes(2) + topic + b"\0" + payload
    rest, header = len(body) if length is None else length, bytearray((0x30,))
    while True:
        header.append(rest % 128 | (128 if rest > 127 else 0))
        rest //= 128
        if not rest:
            return bytes(header) + body


async def read_packet(reader: Reader) -> tuple[int, bytes]:
    """The next packet of a client: its first byte, and what follows its length."""
    kind, length, shift = (await reader.readexactly(1))[0], 0, 0
    while True:
        byte = (await reader.readexactly(1))[0]
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return kind, await reader.readexactly(length)


async def acknowledge(reader: Reader, writer: Writer, heard: list[tuple[str, bytes]] | None = None) -> None:
    """Answer everything as a broker should, until the client is gone."""
    while True:
        kind, body = await read_packet(reader)
        if kind >> 4 == 3:
            size = int.from_bytes(body[:2])
            writer.write(bytes((0x40, 2)) + body[2 + size : 4 + size])
            if heard is not None:
                heard.append((body[2 : 2 + size].decode(), body[5 + size :]))
        elif kind >> 4 == 8:
            writer.write(bytes((0x90, 4)) + body[:2] + b"\0\0")


@asynccontextmanager
async def bridge_to(
    serve: Serve, outbox: Outbox, obey: Callable[[str], Awaitable[None]] | None = None
) -> AsyncIterator["asyncio.Task[None]"]:
    """The connection of a bridge to a broker that does as `serve` says once it has let the client in."""

    guests: list[tuple[asyncio.Task[Any] | None, Writer]] = []

    async def let_in(reader: Reader, writer: Writer) -> None:
        guests.append((asyncio.current_task(), writer))
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            await read_packet(reader)
            writer.write(CONNACK)
            await serve(reader, writer)
        writer.close()

    async def ignore(_word: str) -> None:
        """Do nothing."""

    async with await asyncio.start_server(let_in, "127.0.0.1", 0) as server:
        settings = Bridge(host="127.0.0.1", port=server.sockets[0].getsockname()[1], allow=("start",), discovery="")
        task = asyncio.create_task(Broker(settings, TOPICS, {}, outbox, obey or ignore).run())
        try:
            yield task
        finally:
            task.cancel()
            await asyncio.wait([task])
            for _, writer in guests:
                writer.close()
            await asyncio.gather(*(guest for guest, _ in guests if guest), return_exceptions=True)
            await asyncio.gather(*(writer.wait_closed() for _, writer in guests), return_exceptions=True)


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110  the bridge has no event for what it tries
        await asyncio.sleep(0.01)


def on_a_real_clock(test: Coroutine[Any, Any, None]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(PATIENCE_S):
            await test

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        runner.run(in_time())


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the bridge wants to wait between its tries; it waits for nothing."""
    found: list[float] = []

    class Impatient:
        def __getattr__(self, name: str) -> Any:
            return getattr(asyncio, name)

        async def sleep(self, wait_s: float) -> None:
            found.append(wait_s)
            await asyncio.sleep(0)

    monkeypatch.setattr(connection, "asyncio", Impatient())
    return found


def test_a_message_that_is_too_long_is_not_read(waits: list[float]) -> None:
    gone = asyncio.Event()

    async def serve(reader: Reader, writer: Writer) -> None:
        writer.write(publish(SET, b"x" * 2000, length=268_435_455))
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await read_packet(reader)
        gone.set()

    async def check() -> None:
        async with bridge_to(serve, Outbox()), asyncio.timeout(5):
            await gone.wait()

    on_a_real_clock(check())


@pytest.mark.parametrize(
    "lie", [publish(b"\xff\xfe", b"start"), publish(b"a/#", b"start"), b"\x30\x01\x00", b"\xf0\x05"]
)
def test_no_lie_leaves_a_connection_open(lie: bytes, waits: list[float]) -> None:
    async def serve(reader: Reader, writer: Writer) -> None:
        writer.write(lie)
        writer.write_eof()
        await acknowledge(reader, writer)

    async def check() -> None:
        async with bridge_to(serve, Outbox()):
            await until(lambda: len(waits) > 5)
            before = len(os.listdir("/proc/self/fd"))
            await until(lambda: len(waits) > 30)
            assert len(os.listdir("/proc/self/fd")) <= before + 2  # a connection that is under way

    on_a_real_clock(check())


def test_a_broker_that_drops_everybody_is_asked_ever_more_rarely(waits: list[float]) -> None:
    async def serve(_reader: Reader, _writer: Writer) -> None:
        """Drop who was let in."""

    async def check() -> None:
        async with bridge_to(serve, Outbox()):
            await until(lambda: len(waits) > 8)

    on_a_real_clock(check())
    assert waits[:8] == [1, 2, 4, 8, 16, 32, 60, 60]


def test_another_box_of_the_same_name_is_told_of(waits: list[float], caplog: pytest.LogCaptureFixture) -> None:
    async def serve(reader: Reader, writer: Writer) -> None:
        await read_packet(reader)
        writer.write(TAKEN_OVER)
        await acknowledge(reader, writer)

    async def check() -> None:
        async with bridge_to(serve, Outbox()):
            await until(lambda: bool(waits))

    on_a_real_clock(check())
    assert waits[0] == 60
    assert "another box has the name parlour; set name under [bridge]" in caplog.text


def test_of_a_flood_of_commands_a_few_are_heard() -> None:
    heard: list[str] = []
    over = asyncio.Event()

    async def obey(word: str) -> None:
        heard.append(word)

    async def serve(reader: Reader, writer: Writer) -> None:
        answering = asyncio.ensure_future(acknowledge(reader, writer))
        for _ in range(100):
            writer.write(publish(SET, b"start"))
            await writer.drain()
            await asyncio.sleep(0.001)
        over.set()
        await answering

    async def check() -> None:
        async with bridge_to(serve, Outbox(), obey):
            await over.wait()
            await until(lambda: bool(heard))

    on_a_real_clock(check())
    assert 1 <= len(heard) <= 7


def test_an_event_waits_until_the_broker_has_it(waits: list[float]) -> None:
    connections: list[list[tuple[str, bytes]]] = []
    outbox = Outbox()
    outbox.add({"event": 1})

    async def serve(reader: Reader, writer: Writer) -> None:
        connections.append([])
        if len(connections) == 1:
            kind, body = 0, b""
            while kind >> 4 != 3 or b"/event" not in body:
                kind, body = await read_packet(reader)
                if kind >> 4 == 8:
                    writer.write(bytes((0x90, 4)) + body[:2] + b"\0\0")
                elif kind >> 4 == 3 and b"/event" not in body:
                    size = int.from_bytes(body[:2])
                    writer.write(bytes((0x40, 2)) + body[2 + size : 4 + size])
            return  # the broker has heard it, and nobody knows
        await acknowledge(reader, writer, connections[-1])

    async def check() -> None:
        async with bridge_to(serve, outbox):
            await until(lambda: not outbox.events)

    on_a_real_clock(check())
    assert ("shutbox/parlour/event", b'{"event": 1}') in connections[1]


def test_a_slow_broker_gets_the_last_events_in_order_and_the_state() -> None:
    heard: list[tuple[str, bytes]] = []
    outbox = Outbox()

    async def serve(reader: Reader, writer: Writer) -> None:
        while True:
            kind, body = await read_packet(reader)
            await asyncio.sleep(0.002)  # an event comes every 0.1 ms
            size = int.from_bytes(body[:2])
            if kind >> 4 == 8:
                writer.write(bytes((0x90, 4)) + body[:2] + b"\0\0")
            elif kind >> 4 == 3:
                heard.append((body[2 : 2 + size].decode(), body[5 + size :]))
                writer.write(bytes((0x40, 2)) + body[2 + size : 4 + size])

    async def check() -> None:
        async with bridge_to(serve, outbox):
            for number in range(400):
                outbox.add({"event": number})
                outbox.tell({"phase": number}, available=True)
                await asyncio.sleep(0.0001)
                assert len(outbox.events) <= MOST_WAITING
            await until(lambda: not outbox.events)

    on_a_real_clock(check())
    events = [json.loads(payload)["event"] for topic, payload in heard if topic == "shutbox/parlour/event"]
    states = [json.loads(payload)["phase"] for topic, payload in heard if topic == "shutbox/parlour/state"]
    assert events == sorted(set(events))
    assert events[-MOST_WAITING:] == list(range(400 - MOST_WAITING, 400))
    assert states[-1] == 399


def test_a_stop_beside_a_broker_that_says_nothing_is_a_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "_PARTING_S", 0.1)
    told = asyncio.Event()

    async def serve(reader: Reader, writer: Writer) -> None:
        while True:
            kind, body = await read_packet(reader)
            if kind >> 4 == 8:
                writer.write(bytes((0x90, 4)) + body[:2] + b"\0\0")
                told.set()

    async def check() -> None:
        async with bridge_to(serve, Outbox()) as task:
            await told.wait()
            await asyncio.sleep(0.05)
            task.cancel()
            done, _ = await asyncio.wait([task], timeout=3)
            assert task in done
            assert task.cancelled()

    on_a_real_clock(check())


class LostDaemon:
    """A client whose daemon goes while it is asked, once."""

    def __init__(self) -> None:
        self.asked = 0

    async def history(self, game_id: int, _offset: int) -> dict[str, Any]:
        self.asked += 1
        if self.asked == 2:
            raise DaemonGone("gone")
        row = {"table": "throws", "game": game_id, "event": 4, "player": "Ann", "dice": [5, 3]}
        return {"rows": [row] if self.asked > 2 else []}


async def test_what_happened_while_the_daemon_went_is_told_once_it_is_back(tmp_path: Any) -> None:
    outbox, client = Outbox(), LostDaemon()
    table: Any = Table(Home(tmp_path, tmp_path), outbox, [])
    now = example_state()
    await table._hear(client, now)
    later = replace(now, event=now.event + 1)
    with pytest.raises(DaemonGone):
        await table._hear(client, later)
    await table._hear(client, later)
    assert [event["event_type"] for event in outbox.events] == ["throw"]


@pytest.mark.parametrize(
    ("host", "tls", "password_file", "is_so"),
    [
        ("broker", False, "p", True),
        ("broker", True, "p", False),
        ("localhost", False, "p", False),
        ("b", False, "", False),
    ],
)
def test_a_password_without_tls_is_warned_of(host: str, tls: bool, password_file: str, is_so: bool) -> None:
    assert is_overheard(Bridge(host=host, tls=tls, password_file=password_file)) is is_so
