"""The connection of a match to the broker: opened again for ever. What cannot be said now is said again later."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.cli.bridge.broker import password_of, tls_of
from controller.cli.together.messages import MOST_BYTES, Message, decode, encode
from controller.settings import Bridge

_KEEPALIVE_S = 5
_PATIENCE_S = 5.0
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 8.0  # between tries, each twice the one before
_MOST_WAITING = 50

_log = logging.getLogger(__name__)


class Link:
    """Says messages to everybody at the topic of a match, and hears those of others.

    heard: what has come, oldest first; too many push the oldest out. tell: called when something has come, or when the
    connection has come or gone. Lifetime: until it is cancelled. Concurrency: one event loop.
    """

    def __init__(self, settings: Bridge, topic: str, own: str, sender: str, tell: Callable[[], None]) -> None:
        """topic: of the match. own: the last words of the topic at which this box speaks."""
        self._settings = settings
        self._topic = topic
        self._own = f"{topic}/{own}"
        self._sender = sender
        self._tell = tell
        self._saying: asyncio.Queue[tuple[bytes, bool]] = asyncio.Queue(_MOST_WAITING)
        self.heard: deque[tuple[Message, bool]] = deque(maxlen=_MOST_WAITING)
        self.is_connected = False

    def say(self, message: Message, *, retain: bool = False) -> None:
        """Say a message now, or not at all. retain: have the broker keep it, for who comes later."""
        if self.is_connected and not self._saying.full():
            self._saying.put_nowait((encode(message), retain))

    async def run(self) -> None:
        """Stay connected. Raises nothing but what `tls_of` and `password_of` do, at once."""
        password, tls, wait_s = password_of(self._settings), tls_of(self._settings), _FIRST_WAIT_S
        properties = Properties(PacketTypes.CONNECT)
        properties.MaximumPacketSize = MOST_BYTES + 512  # with its topic
        quiet = logging.getLogger("controller.cli.together.mqtt")
        quiet.setLevel(logging.ERROR)
        while True:
            try:
                async with aiomqtt.Client(
                    self._settings.host,
                    self._settings.port,
                    username=self._settings.user or None,
                    password=password,
                    identifier=f"shutbox_{self._sender}",
                    protocol=aiomqtt.ProtocolVersion.V5,
                    properties=properties,
                    keepalive=_KEEPALIVE_S,
                    timeout=_PATIENCE_S,
                    tls_context=tls,
                    max_queued_incoming_messages=_MOST_WAITING,
                    max_queued_outgoing_messages=_MOST_WAITING,
                    logger=quiet,
                ) as client:
                    wait_s = _FIRST_WAIT_S
                    await self._talk(client)
            except (aiomqtt.MqttError, OSError, ValueError) as error:
                _log.info("no broker broker=%s error=%s again_in_s=%g", self._settings.host, error, wait_s)
            finally:
                self.is_connected = False
                self._tell()
            await asyncio.sleep(wait_s)
            wait_s = min(2 * wait_s, _LONGEST_WAIT_S)

    async def _talk(self, client: aiomqtt.Client) -> None:
        await client.subscribe(f"{self._topic}/+/+", qos=0)
        while not self._saying.empty():
            self._saying.get_nowait()
        self.is_connected = True
        self._tell()
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._publish(client))
                tasks.create_task(self._listen(client))
        except ExceptionGroup as several:
            raise several.exceptions[0] from several

    async def _publish(self, client: aiomqtt.Client) -> None:
        while True:
            payload, retain = await self._saying.get()
            await client.publish(self._own, payload, qos=0, retain=retain)

    async def _listen(self, client: aiomqtt.Client) -> None:
        async for received in client.messages:
            if received.topic.value == self._own:
                continue  # of this box, perhaps from before it was killed
            message = decode(received.payload)
            if message is None:
                _log.warning("what came is no message of a match topic=%.80s", received.topic)
                continue
            self.heard.append((message, bool(received.retain)))
            self._tell()
