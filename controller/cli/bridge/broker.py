"""What the bridge tells a broker, and hears from it; nobody at the table waits for it."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiomqtt

from controller.cli.bridge.connection import CarefulClient, Hearing, run_both, stay_connected
from controller.cli.bridge.entities import OFFLINE, ONLINE, Topics
from controller.cli.bridge.outbox import Outbox
from controller.settings import Bridge

_PARTING_S = 1.0  # for the last words, when this program is stopped

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
        will = aiomqtt.Will(self._topics.available, OFFLINE, qos=1, retain=True)
        await stay_connected(self._settings, self._topics.id, self._talk, will=will)

    async def _talk(self, client: CarefulClient) -> None:
        """Tell what there is until the connection ends; then `MqttError` is raised."""
        try:
            # Hearing is what notices an end: a question that is never answered waits for long.
            await run_both(self._listen(client), self._tell(client))
        except asyncio.CancelledError:
            client.timeout = _PARTING_S
            await client.publish(self._topics.available, OFFLINE, qos=1, retain=True)
            raise

    async def _introduce(self, client: CarefulClient) -> None:
        await client.publish(self._topics.config, json.dumps(self._discovery), qos=1, retain=True)

    async def _tell(self, client: CarefulClient) -> None:
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

    async def _listen(self, client: CarefulClient) -> None:
        hearing = Hearing()
        async for message in client.messages:
            if not hearing.admits():
                continue
            topic, payload = str(message.topic), message.payload
            if topic == self._topics.birth and self._settings.discovery and payload == ONLINE.encode():
                await self._introduce(client)
            elif topic == self._topics.command and not message.retain:  # one that was kept is of another evening
                word = bytes(payload or b"").decode(errors="replace")
                if word in self._settings.allow:
                    await self._obey(word)
                else:
                    _log.warning("a command that is not allowed command=%.40r", word)
