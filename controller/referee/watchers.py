"""Who is sent every snapshot, each at the pace at which he looks."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from controller.game import Snapshot

_MOST_UNSEEN = 64  # snapshots kept for a watcher that is slow to look; then it loses the oldest


class Watchers:
    """The queues of all who watch.

    Lifetime: that of the referee. Concurrency: one event loop.
    """

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[Snapshot]] = set()

    def __len__(self) -> int:
        return len(self._queues)

    @asynccontextmanager
    async def watch(self, present: Snapshot) -> AsyncIterator[asyncio.Queue[Snapshot]]:
        """A queue of snapshots for as long as the block lasts, beginning with the present one."""
        queue: asyncio.Queue[Snapshot] = asyncio.Queue(_MOST_UNSEEN)
        queue.put_nowait(present)
        self._queues.add(queue)
        try:
            yield queue
        finally:
            self._queues.discard(queue)

    def send(self, snapshot: Snapshot) -> None:
        """Have everybody see this; a slow reader loses the oldest."""
        for queue in self._queues:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(snapshot)
