"""Somebody who plays a game always by the first of its moves, over the socket of a daemon."""

from collections.abc import Callable
from contextlib import suppress

from controller.game.shutbox.commands import AcceptLoss, Choose, RollDice
from controller.game.table.snapshot import Snapshot
from controller.web.client import Client, Refused


async def play_first_moves(client: Client, holds: Callable[[Snapshot], bool]) -> Snapshot:
    """Play the game that is on until a snapshot is as wanted."""
    async with client.snapshots() as snapshots:
        async for snapshot in snapshots:
            if holds(snapshot):
                return snapshot
            with suppress(Refused):  # the box may have begun to read or to move meanwhile
                if snapshot.can("roll") and not snapshot.reading:
                    await client.send(RollDice())
                elif snapshot.can("choose"):
                    await client.send(Choose(snapshot.moves[0]))
                elif snapshot.can("accept"):
                    await client.send(AcceptLoss())
    raise AssertionError("the daemon ended")
