"""The bridge's connection to an MQTT broker: opened again for ever, and nobody at the table waits for it."""

import asyncio
import json
import logging
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.cli.bridge.entities import OFFLINE, ONLINE, Topics
from controller.cli.bridge.outbox import Outbox
from controller.settings import Bridge
from controller.web.security.rates import Bucket, Rate

# The broker says "offline" for this box at the latest so long after its last word: 1.5 times this, by MQTT 5, 3.1.2.10.
KEEPALIVE_S = 15
MOST_BYTES = 4096  # of a message to this box
# Of all messages together so many are heard at once, and one more each second.
_HEARD = Rate(at_once=5, per_s=1)
_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 60.0  # between tries, each twice the one before
_LASTING_S = 30.0  # after which a connection that ends was a good one
_PATIENCE_S = 10.0
_TAKEN_OVER = 142  # MQTT 5, 3.14.2.1: "Session taken over"
_AGAIN_S = 0.1  # until a task that has overheard its end is ended again
_PARTING_S = 1.0  # for each of the last words, when this program is stopped

_log = logging.getLogger(__name__)

Obey = Callable[[str], Awaitable[None]]


class Broker:
    """Tells a broker what is in the outbox, and hears commands from it.

    obey: does what a command says that the settings allow. discovery: the message for Home Assistant.
    Lifetime: until it is cancelled. Concurrency: one event loop.
    """

    def __init__(self, settings: Bridge, topics: Topics, discovery: dict[str, Any], outbox: Outbox, obey: Obey) -> None:
        self._settings = settings
        self._topics = topics
        self._discovery = discovery
        self._outbox = outbox
        self._obey = obey

    async def run(self) -> None:
        """Stay connected. Raises nothing but what `tls_of` and `password_of` do, at once."""
        password, tls, wait_s = password_of(self._settings), tls_of(self._settings), _FIRST_WAIT_S
        now_s = asyncio.get_running_loop().time
        while True:
            began_s, client = now_s(), self._client(password, tls)
            try:
                async with client:
                    _log.info("connected broker=%s", self._settings.host)
                    _check_stopped()
                    await self._talk(client)
            except (aiomqtt.MqttError, OSError, ValueError) as error:
                _check_stopped(error)
                wait_s = _FIRST_WAIT_S if now_s() - began_s > _LASTING_S else wait_s
                why = client.reason or error
                if client.was_taken_over:
                    why, wait_s = (
                        f"another box has the name {self._topics.id}; set name under [bridge]",
                        _LONGEST_WAIT_S,
                    )
                _log.warning("no broker broker=%s error=%s again_in_s=%g", self._settings.host, why, wait_s)
            finally:
                client.close()
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    def _client(self, password: str | None, tls: ssl.SSLContext | None) -> "_Client":
        properties = Properties(PacketTypes.CONNECT)
        properties.MaximumPacketSize = MOST_BYTES
        return _Client(
            self._settings.host,
            self._settings.port,
            username=self._settings.user or None,
            password=password,
            identifier=f"shutbox_{self._topics.id}",
            protocol=aiomqtt.ProtocolVersion.V5,
            properties=properties,
            will=aiomqtt.Will(self._topics.available, OFFLINE, qos=1, retain=True),
            keepalive=KEEPALIVE_S,
            timeout=_PATIENCE_S,
            tls_context=tls,
            max_queued_incoming_messages=20,
            max_queued_outgoing_messages=20,
            logger=_quiet(),
        )

    async def _talk(self, client: "_Client") -> None:
        """Tell what there is until the connection ends; then `MqttError` is raised."""
        # Hearing is what notices an end: a question that is never answered waits for long. A group of tasks would lose
        # a stop that comes together with an error.
        both = [asyncio.ensure_future(each) for each in (self._listen(client), self._tell(client))]
        try:
            done, _ = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                each.result()
        except asyncio.CancelledError:
            client.timeout = _PARTING_S
            await client.publish(self._topics.available, OFFLINE, qos=1, retain=True)
            raise
        finally:
            while pending := [each for each in both if not each.done()]:
                for each in pending:
                    each.cancel()
                await asyncio.wait(pending, timeout=_AGAIN_S)

    async def _introduce(self, client: aiomqtt.Client) -> None:
        await client.publish(self._topics.config, json.dumps(self._discovery), qos=1, retain=True)

    async def _tell(self, client: aiomqtt.Client) -> None:
        if self._settings.allow:
            await client.subscribe(self._topics.command, qos=1)
        if self._settings.discovery:
            await client.subscribe(self._topics.birth, qos=0)
            await self._introduce(client)
        self._outbox.again()
        told: tuple[Any, bool | None] = (None, None)
        while True:
            if not self._outbox.events:
                await self._outbox.news()
            if self._outbox.dropped:
                _log.warning("events lost to a slow broker lost=%d", self._outbox.dropped)
                self._outbox.dropped = 0
            state, available = self._outbox.state, self._outbox.available
            if state is not None and state != told[0]:
                await client.publish(self._topics.state, json.dumps(state), qos=1, retain=True)
            if available != told[1]:
                await client.publish(self._topics.available, ONLINE if available else OFFLINE, qos=1, retain=True)
            told = (state, available)
            if self._outbox.events:
                event = self._outbox.events[0]
                await client.publish(self._topics.event, json.dumps(event), qos=1)
                self._outbox.taken(event)

    async def _listen(self, client: aiomqtt.Client) -> None:
        now_s = asyncio.get_running_loop().time
        heard = Bucket(_HEARD, now_s())
        async for message in client.messages:
            if heard.wait_s(now_s()):
                continue
            heard.take(1)
            topic, payload = str(message.topic), message.payload
            if topic == self._topics.birth and self._settings.discovery and payload == ONLINE.encode():
                await self._introduce(client)
            elif topic == self._topics.command and not message.retain:  # one that was kept is of another evening
                word = bytes(payload or b"").decode(errors="replace")
                if word in self._settings.allow:
                    await self._obey(word)
                else:
                    _log.warning("a command that is not allowed command=%.40r", word)


def _check_stopped(error: BaseException | None = None) -> None:
    """Stop, if somebody has said so: `asyncio.wait_for` of Python 3.11 forgets it where what it waits for comes too."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError from error


class _Client(aiomqtt.Client):  # type: ignore[misc]
    """A client of the library that a hostile broker cannot fill, nor leave with a connection that nobody closes.

    Relies on methods of paho-mqtt 2: `_sock_recv`, by which it asks for the rest of a packet as soon as it knows how
    long that is, `loop_read`, which aiomqtt calls whenever there is something, and `_sock_close`.
    """

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        receive, read = self._client._sock_recv, self._client.loop_read

        def receive_little(most_bytes: int) -> bytes:
            if most_bytes > MOST_BYTES:
                raise ConnectionError(f"a message of {most_bytes} bytes")
            found: bytes = receive(most_bytes)
            return found

        def read_or_close() -> None:
            try:
                read()
            except Exception:
                # What cannot be read would be read again and again.
                self.close()
                raise

        self._client._sock_recv, self._client.loop_read = receive_little, read_or_close

    @property
    def reason(self) -> BaseException | None:
        """Why the connection has ended, as far as that is known."""
        return self._disconnected.exception() if self._disconnected.done() else None

    @property
    def was_taken_over(self) -> bool:
        """True if the broker gave the place of this client to another of its name (MQTT 5, 3.14.2.1)."""
        return getattr(getattr(self.reason, "rc", None), "value", None) == _TAKEN_OVER

    def close(self) -> None:
        """Close the socket, which the library leaves open after a packet that it cannot read."""
        self._client._sock_close()


def password_of(settings: Bridge) -> str | None:
    """Return the password from its file. Raises `OSError`, or `ValueError` for a file that is none."""
    if not settings.password_file:
        return None
    return Path(settings.password_file).read_text("utf-8").strip("\r\n")


def is_overheard(settings: Bridge) -> bool:
    """True if a password goes through a network as it is."""
    return bool(settings.password_file) and not settings.tls and settings.host not in ("localhost", "127.0.0.1", "::1")


def tls_of(settings: Bridge) -> ssl.SSLContext | None:
    """Return how the broker proves who it is. Raises `OSError` for a file of an authority that cannot be read."""
    if not settings.tls:
        return None
    return ssl.create_default_context(cafile=settings.ca or None)


def _quiet() -> logging.Logger:
    """Return a logger for the library, whose lines hold what is told to the broker."""
    quiet = logging.getLogger("controller.cli.bridge.mqtt")
    quiet.setLevel(logging.ERROR)
    return quiet
