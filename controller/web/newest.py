"""The pace of a watcher: one who does not keep it gets the newest snapshot in place of all of them."""

import asyncio

from controller.game import Snapshot

MOST_BEHIND = 4  # snapshots that a watcher gets one by one


async def newest(queue: asyncio.Queue[Snapshot]) -> Snapshot:
    """The next snapshot; the newest one where so many wait that their watcher does not keep pace."""
    snapshot = await queue.get()
    if queue.qsize() > MOST_BEHIND:
        while not queue.empty():
            snapshot = queue.get_nowait()
    return snapshot
