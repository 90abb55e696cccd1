"""`python -m tests.pi.play SOCKET EVENTS`: play a game at a daemon with typed dice, until it has so many events.

What is known of the game then, when people are at turn, comes as one line of JSON. With 0 events nothing is played.
"""

import asyncio
import json
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from controller.game.core.commands import StartGame
from controller.game.core.players import Player
from controller.game.shutbox.commands import Choose, TakeThrow
from controller.game.table.snapshot import Snapshot
from controller.web.client import Client, Refused


async def play(place: Path, holds: Callable[[Snapshot], bool]) -> Snapshot:
    """Play a game of two until a snapshot is as wanted, always with the first of the moves."""
    dice = random.Random(1)
    async with Client(place) as client:
        if not (await client.state()).game_id:
            await client.send(StartGame((Player("Ann"), Player("Ben"))))
        async with client.snapshots() as snapshots:
            async for snapshot in snapshots:
                if holds(snapshot):
                    return snapshot
                with suppress(Refused):  # the box may have begun to move meanwhile
                    if snapshot.can("choose"):
                        await client.send(Choose(snapshot.moves[0]))
                    elif snapshot.can("dice"):
                        thrown = (dice.randint(1, 6) for _ in range(max(snapshot.dice_allowed)))
                        await client.send(TakeThrow(tuple(thrown)))
    raise AssertionError("the daemon ended")


def known_of(snapshot: Snapshot) -> dict[str, Any]:
    """Return what must outlive a daemon."""
    return {
        **{name: getattr(snapshot, name) for name in ("game_id", "event", "board", "turn", "scores")},
        "fault": snapshot.fault and str(snapshot.fault),
        "phase": snapshot.phase,
        "tiles": {tile.name: tile.seen for tile in snapshot.tiles},
    }


def main(place: Path, events: int) -> None:
    """Play and tell."""

    def holds(snapshot: Snapshot) -> bool:
        if snapshot.phase in ("ended", "halted"):
            return True
        return snapshot.event >= events and snapshot.phase in ("awaiting_throw", "choosing")

    print(json.dumps(known_of(asyncio.run(play(place, holds)))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
