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

# The broker says "offline" for this box at the latest so long after its last word: 1.5 times this, by MQTT 5, 3.1.2.10.
KEEPALIVE_S = 15
_MOST_BYTES = 4096  # of a message to this box, asked for by MQTT 5
_FIRST_WAIT_S, _LONGEST_WAIT_S = 1.0, 60.0  # between tries, each twice the one before
_PATIENCE_S = 10.0

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
        while True:
            try:
                async with self._client(password, tls) as client:
                    _log.info("connected broker=%s", self._settings.host)
                    wait_s = _FIRST_WAIT_S
                    await self._talk(client)
            except (aiomqtt.MqttError, OSError, ValueError) as error:
                _log.warning("no broker broker=%s error=%s again_in_s=%g", self._settings.host, error, wait_s)
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    def _client(self, password: str | None, tls: ssl.SSLContext | None) -> aiomqtt.Client:
        properties = Properties(PacketTypes.CONNECT)
        properties.MaximumPacketSize = _MOST_BYTES
        return aiomqtt.Client(
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

    async def _talk(self, client: aiomqtt.Client) -> None:
        """Tell what there is until the connection ends; then `MqttError` is raised."""
        if self._settings.allow:
            await client.subscribe(self._topics.command, qos=1)
        if self._settings.discovery:
            await client.subscribe(self._topics.birth, qos=0)
            await self._introduce(client)
        self._outbox.again()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._tell(client))
                tasks.create_task(self._listen(client))
        except ExceptionGroup as several:
            raise several.exceptions[0] from several
        except asyncio.CancelledError:
            await client.publish(self._topics.available, OFFLINE, qos=1, retain=True)
            raise

    async def _introduce(self, client: aiomqtt.Client) -> None:
        await client.publish(self._topics.config, json.dumps(self._discovery), qos=1, retain=True)

    async def _tell(self, client: aiomqtt.Client) -> None:
        told: tuple[Any, bool | None] = (None, None)
        while True:
            events = await self._outbox.news()
            if self._outbox.dropped:
                _log.warning("events lost to a slow broker lost=%d", self._outbox.dropped)
                self._outbox.dropped = 0
            state, available = self._outbox.state, self._outbox.available
            if state is not None and state != told[0]:
                await client.publish(self._topics.state, json.dumps(state), qos=1, retain=True)
            if available != told[1]:
                await client.publish(self._topics.available, ONLINE if available else OFFLINE, qos=1, retain=True)
            told = (state, available)
            for event in events:
                await client.publish(self._topics.event, json.dumps(event), qos=1)

    async def _listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            topic, payload = str(message.topic), message.payload
            if topic == self._topics.birth and self._settings.discovery and payload == ONLINE.encode():
                await self._introduce(client)
            elif topic == self._topics.command and not message.retain:  # one that was kept is of another evening
                word = bytes(payload or b"").decode(errors="replace")
                if word in self._settings.allow:
                    await self._obey(word)
                else:
                    _log.warning("a command that is not allowed command=%.40r", word)


def password_of(settings: Bridge) -> str | None:
    """Return the password from its file. Raises `OSError`, or `ValueError` for a file that is none."""
    if not settings.password_file:
        return None
    return Path(settings.password_file).read_text("utf-8").strip("\r\n")


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
