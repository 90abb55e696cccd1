"""The connection of a match to the broker: opened again for ever. What cannot be said now is said again later."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from controller.cli.bridge.connection import CarefulClient, run_both, stay_connected
from controller.cli.together.messages import Message, decode, encode
from controller.settings import Bridge

_LONGEST_WAIT_S = 8.0  # between tries: people sit at both boxes
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
        await stay_connected(self._settings, self._sender, self._talk, longest_wait_s=_LONGEST_WAIT_S)

    async def _talk(self, client: CarefulClient) -> None:
        await client.subscribe(f"{self._topic}/+/+", qos=0)
        while not self._saying.empty():
            self._saying.get_nowait()
        self.is_connected = True
        self._tell()
        try:
            await run_both(self._publish(client), self._listen(client))
        finally:
            self.is_connected = False
            self._tell()

    async def _publish(self, client: CarefulClient) -> None:
        while True:
            payload, retain = await self._saying.get()
            await client.publish(self._own, payload, qos=0, retain=retain)

    async def _listen(self, client: CarefulClient) -> None:
        async for received in client.messages:
            if received.topic.value == self._own:
                continue  # of this box, perhaps from before it was killed
            message = decode(received.payload)
            if message is None:
                _log.warning("what came is no message of a match topic=%.80s", received.topic)
                continue
            self.heard.append((message, bool(received.retain)))
            self._tell()
