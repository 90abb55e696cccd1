"""Plays at a daemon with typed dice: `python -m tests.pi.play SOCKET to EVENTS`, or `... SOCKET games NUMBER`.

The first plays a game of two levels until it has so many events (with 0 nothing is played); what is known of the game
then, when people are at turn, comes as one line of JSON. The second plays short games, one after another.
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
from controller.game.shutbox.commands import AcceptLoss, Choose, TakeThrow
from controller.game.table.snapshot import Snapshot
from controller.web.client import Client, Refused

PLAYERS = (Player("Ann"), Player("Ben"))
LONG = StartGame(PLAYERS)
# A throw of 7 ends it: here the second, which comes after the game's fifth event.
SHORT, _MOVED = StartGame(PLAYERS[:1], "unlucky-7"), 5

Throw = Callable[[Snapshot], tuple[int, ...]]


async def play(place: Path, throw: Throw, holds: Callable[[Snapshot], bool], game: StartGame = LONG) -> Snapshot:
    """Play a game until a snapshot is as wanted, always with the first of the moves.

    throw: what the dice show. game: what is begun if none is on.
    """
    async with Client(place) as client:
        if (await client.state()).phase in ("idle", "ended"):
            await client.send(game)
        async with client.snapshots() as snapshots:
            async for snapshot in snapshots:
                if holds(snapshot):
                    return snapshot
                with suppress(Refused):  # the box may have begun to move meanwhile
                    if snapshot.can("choose"):
                        await client.send(Choose(snapshot.moves[0]))
                    elif snapshot.can("dice"):
                        await client.send(TakeThrow(throw(snapshot)))
                    elif snapshot.can("accept"):
                        await client.send(AcceptLoss())
    raise AssertionError("the daemon ended")


def known_of(snapshot: Snapshot) -> dict[str, Any]:
    """Return what must outlive a daemon."""
    return {
        **{name: getattr(snapshot, name) for name in ("game_id", "event", "board", "turn", "scores")},
        "fault": snapshot.fault and str(snapshot.fault),
        "phase": snapshot.phase,
        "tiles": {tile.name: tile.seen for tile in snapshot.tiles},
    }


def main(place: Path, how: str, number: int) -> None:
    """Play and tell."""
    chance = random.Random(1)

    def by_chance(snapshot: Snapshot) -> tuple[int, ...]:
        return tuple(chance.randint(1, 6) for _ in range(max(snapshot.dice_allowed)))

    def move_and_lose(snapshot: Snapshot) -> tuple[int, ...]:
        return (1, 2) if snapshot.event < _MOVED else (3, 4)

    def rests(snapshot: Snapshot) -> bool:
        if snapshot.phase in ("ended", "halted"):
            return True
        return snapshot.event >= number and snapshot.phase in ("awaiting_throw", "choosing")

    if how == "to":
        print(json.dumps(known_of(asyncio.run(play(place, by_chance, rests)))))
    for _ in range(number if how == "games" else 0):
        end = asyncio.run(play(place, move_and_lose, lambda each: each.phase in ("ended", "halted"), SHORT))
        assert end.phase == "ended", end.fault


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
