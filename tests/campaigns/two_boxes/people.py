"""Somebody at a box: throws, chooses, takes back and corrects at random, mends what stops, and notes every answer."""

import asyncio
import random
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.game.core.commands import ClientCommand, GoOn, PutRight, TryAgain, Undo
from controller.game.shutbox.commands import AcceptLoss, Choose, CorrectThrow, TakeThrow
from controller.game.table.snapshot import Snapshot
from controller.web.client import Client, DaemonGone, Refused

_OF_TURN = (TakeThrow, Choose, CorrectThrow, AcceptLoss, Undo)


@dataclass(frozen=True, slots=True)
class Noted:
    """A command that was acknowledged: its game, the number of its first event there, and what it said."""

    game: int
    event: int
    do: str
    given: tuple[int, ...] | tuple[str, ...] = ()


@dataclass
class Person:
    """Plays for one player at one box. noted: what was acknowledged."""

    name: str
    socket: Path
    chance: random.Random
    noted: list[Noted] = field(default_factory=list)
    refused: int = 0

    async def play(self) -> None:
        """Play until cancelled, at one daemon after the other."""
        while True:
            try:
                async with Client(self.socket) as client, client.snapshots() as snapshots:
                    async for snapshot in snapshots:
                        await self._act(client, snapshot)
            except DaemonGone:
                pass
            await asyncio.sleep(0.1)

    async def _act(self, client: Client, snapshot: Snapshot) -> None:
        """Do something, and something else where that is refused: nothing new may come by itself then."""
        while (command := self._next(snapshot)) is not None and not await self._send(client, snapshot, command):
            await asyncio.sleep(0.1)
            snapshot = await client.state()

    async def _send(self, client: Client, snapshot: Snapshot, command: ClientCommand) -> bool:
        command = replace(command, game_id=snapshot.game_id, event=snapshot.event)
        try:
            after = await client.send(command)  # type: ignore[arg-type]  # of those that JSON knows
        except Refused:
            self.refused += 1
            return False
        if isinstance(command, _OF_TURN) and after.game_id == snapshot.game_id:
            given = getattr(command, "dice", getattr(command, "tiles", ()))
            self.noted.append(Noted(snapshot.game_id, snapshot.event + 1, command.do, given))
        return True

    def _next(self, snapshot: Snapshot) -> ClientCommand | None:
        if snapshot.can("put_right"):
            return PutRight()
        if snapshot.can("try_again"):
            return TryAgain()
        if snapshot.can("go_on"):
            return GoOn()
        if snapshot.turn != self.name or snapshot.phase == "ended":
            return None
        lots = self.chance.random()
        if snapshot.can("undo") and lots < 0.1 and not snapshot.can("choose"):
            return Undo()
        if snapshot.can("dice"):
            return TakeThrow(self._dice(snapshot))
        if snapshot.can("correct") and lots > 0.9 and snapshot.phase in ("choosing", "turn_lost"):
            return CorrectThrow(tuple(self.chance.randint(1, 6) for _ in snapshot.throw))
        if snapshot.can("choose") and snapshot.moves:
            return Choose(self.chance.choice(snapshot.moves))
        return AcceptLoss() if snapshot.can("accept") else None

    def _dice(self, snapshot: Snapshot) -> tuple[int, ...]:
        return tuple(self.chance.randint(1, 6) for _ in range(self.chance.choice(snapshot.dice_allowed)))
