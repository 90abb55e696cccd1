"""What waits to be told: the state of the moment, and the events since then, as many as there is room for."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from typing import Any

MOST_WAITING = 200


@dataclass
class Outbox:
    """Holds what a broker has not got yet. Of states the last one is kept; of events the last ones, and a count.

    available: the daemon is there. events: those that the broker has not acknowledged, oldest first. dropped: the
    events that were lost to a broker too slow for them.
    Concurrency: one event loop.
    """

    state: dict[str, Any] | None = None
    available: bool = False
    dropped: int = 0
    events: deque[dict[str, Any]] = field(default_factory=deque)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, state: dict[str, Any], *, available: bool) -> None:
        """Replace the state that is to be told."""
        self.state, self.available = state, available
        self._news.set()

    def leave(self) -> None:
        """The daemon is gone."""
        self.available = False
        self._news.set()

    def add(self, event: dict[str, Any]) -> None:
        """Add an event; the oldest one is dropped where there are too many."""
        if len(self.events) >= MOST_WAITING:
            self.events.popleft()
            self.dropped += 1
        self.events.append(event)
        self._news.set()

    async def news(self) -> None:
        """Wait until something has changed since the last call."""
        await self._news.wait()
        self._news.clear()

    def taken(self, event: dict[str, Any]) -> None:
        """The broker has this event, the oldest one, unless it was dropped meanwhile."""
        if self.events and self.events[0] is event:
            self.events.popleft()

    def again(self) -> None:
        """Have everything told once more, to somebody new."""
        self._news.set()
