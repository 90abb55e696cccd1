"""The bulletin: what everybody at the table is told, besides the game itself, and the newest snapshot of all of it."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace

from controller.game import Message, Messages, Snapshot
from controller.referee.watchers import Watchers


@dataclass(frozen=True, slots=True)
class Told:
    """What is said beside the game in one snapshot.

    number: of the snapshot. notice: what came up meanwhile. news: what happened last. found: what is amiss with the
    journal, which stands there until somebody goes on all the same.
    """

    number: int = 0
    notice: Messages = ()
    news: Messages = ()
    found: Messages = ()


class Bulletin:
    """Tells everybody who watches, with a snapshot that `draw` makes of the game and of what is said beside it.

    Lifetime: as the referee. Concurrency: one event loop.
    """

    def __init__(self, draw: Callable[[Told], Snapshot], notice: Messages, found: Messages) -> None:
        self._draw = draw
        self._told = Told(notice=notice, found=found)
        self._meanwhile: tuple[Messages, Messages] = ((), ())
        self._watchers = Watchers()
        self.snapshot = draw(self._told)

    @property
    def notice(self) -> Messages:
        """What came up meanwhile."""
        return self._told.notice

    @property
    def watchers(self) -> int:
        """How many are sent every snapshot."""
        return len(self._watchers)

    def watch(self) -> AbstractAsyncContextManager[asyncio.Queue[Snapshot]]:
        """A queue of snapshots, beginning with the present one. A slow reader loses the oldest."""
        return self._watchers.watch(self.snapshot)

    def publish(self, notice: Messages = ()) -> None:
        """Send everybody a new snapshot, with this notice in place of the last."""
        self._told = replace(self._told, number=self._told.number + 1, notice=notice)
        self.snapshot = self._draw(self._told)
        self._watchers.send(self.snapshot)

    def tell(self) -> None:
        """Send everybody a new snapshot under the notice that stands: what changed is no event of the game."""
        self.publish(self.notice)

    def note_news(self, news: Messages) -> None:
        """From the next snapshot on this is what happened last."""
        self._told = replace(self._told, news=news)

    def note_found(self, found: Messages) -> None:
        """More is amiss with the journal: it stands there from the next snapshot on."""
        self._told = replace(self._told, found=(*self._told.found, *found))

    def drop_found(self) -> None:
        """Somebody goes on all the same: what is amiss with the journal has been read."""
        self._told = replace(self._told, found=())

    def say_meanwhile(self, message: Message) -> None:
        """Say this as long as a job works on it; `end_meanwhile` brings back what stood there before."""
        self._meanwhile = ((message,), self.notice)
        self.publish((message,))

    def end_meanwhile(self) -> None:
        """The job is through: where nothing else was said since, what stood there before stands there again."""
        said, before = self._meanwhile
        if self.notice == said:
            self.publish(before)
