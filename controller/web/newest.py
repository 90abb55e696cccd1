"""The pace of a watcher: a slow watcher gets the newest snapshot instead of every one."""

import asyncio

from controller.game.table.snapshot import Snapshot

MOST_BEHIND = 4  # snapshots that a watcher gets one by one


async def next_snapshot(queue: asyncio.Queue[Snapshot]) -> Snapshot:
    """Return the next snapshot, or the newest one if more than `MOST_BEHIND` are waiting."""
    snapshot = await queue.get()
    if queue.qsize() > MOST_BEHIND:
        while not queue.empty():
            snapshot = queue.get_nowait()
    return snapshot
