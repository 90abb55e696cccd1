"""Sends a new snapshot to every watcher whenever the game, the seats or the notices change."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from controller.game.core.message import Message, Messages
from controller.game.table.snapshot import Snapshot

_MOST_UNSEEN = 64  # snapshots kept for a slow watcher, which then loses the oldest


@dataclass(frozen=True, slots=True)
class Notices:
    """The messages shown beside the game in one snapshot.

    number: of the snapshot.
    notice: what has come up since the last one.
    news: the latest event of the game.
    found: problems of the journal, shown until somebody plays on.
    """

    number: int = 0
    notice: Messages = ()
    news: Messages = ()
    found: Messages = ()


class SnapshotPublisher:
    """Keeps the notices, has `draw` make a snapshot of the game and of them, and sends it to all watchers.

    Lifetime: as the referee. Concurrency: one event loop.
    """

    def __init__(self, draw: Callable[[Notices], Snapshot], notice: Messages, found: Messages) -> None:
        self._draw = draw
        self._notices = Notices(notice=notice, found=found)
        self._meanwhile: tuple[Messages, Messages] = ((), ())
        self._queues: set[asyncio.Queue[Snapshot]] = set()
        self.snapshot: Snapshot  # from `start` on

    def start(self) -> None:
        """Make the first snapshot, once everything that `draw` looks at is there."""
        self.snapshot = self._draw(self._notices)

    @property
    def notice(self) -> Messages:
        return self._notices.notice

    @property
    def watchers(self) -> int:
        return len(self._queues)

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[asyncio.Queue[Snapshot]]:
        """Open a queue of snapshots that begins with the present one. A slow reader loses the oldest."""
        queue: asyncio.Queue[Snapshot] = asyncio.Queue(_MOST_UNSEEN)
        queue.put_nowait(self.snapshot)
        self._queues.add(queue)
        try:
            yield queue
        finally:
            self._queues.discard(queue)

    def publish(self, notice: Messages = ()) -> None:
        """Send a new snapshot with this notice in place of the last one."""
        self._notices = replace(self._notices, number=self._notices.number + 1, notice=notice)
        self._send(self._draw(self._notices))

    def refresh(self) -> None:
        """Send a new snapshot under the present notice, if anything has changed that is no event of the game."""
        drawn = self._draw(self._notices)
        if drawn != self.snapshot:
            self._notices = replace(self._notices, number=self._notices.number + 1)
            self._send(replace(drawn, number=self._notices.number))

    def note_news(self, news: Messages) -> None:
        """Show this as the latest event, from the next snapshot on."""
        self._notices = replace(self._notices, news=news)

    def note_found(self, found: Messages) -> None:
        """Add problems of the journal, from the next snapshot on."""
        self._notices = replace(self._notices, found=(*self._notices.found, *found))

    def drop_found(self) -> None:
        """Drop the problems of the journal: somebody has played on, and so has read them."""
        self._notices = replace(self._notices, found=())

    def say_meanwhile(self, message: Message) -> None:
        """Show this while a job takes its time; `end_meanwhile` restores the notice before it."""
        self._meanwhile = ((message,), self.notice)
        self.publish((message,))

    def end_meanwhile(self) -> None:
        """Restore the notice from before the job, unless another one has replaced the job's since."""
        said, before = self._meanwhile
        if self.notice == said:
            self.publish(before)

    def _send(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        for queue in self._queues:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(snapshot)
