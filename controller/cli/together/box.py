"""The box of this side: its journal is read, and its daemon is asked to do what was done at the other box."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace

from controller.cli.together.sequence import Action, Reader, command_of
from controller.errors import UnknownSeat
from controller.game.core.commands import ClientCommand, StartGame
from controller.game.core.events import GameStarted
from controller.journal.store import Journal
from controller.runtime.home import Home
from controller.web.client import Client, DaemonGone, Refused
from controller.web.network import find_socket

_LOOK_EVERY_S = 0.5  # for a daemon that is gone


class Box:
    """Reads the match from the journal of a home, and has its daemon begin and mirror it.

    reader: what the journal has. is_there: the daemon runs. tell: called when there may be something new.
    Lifetime: `watch` until it is cancelled. Concurrency: one event loop.
    """

    def __init__(self, home: Home, match: str, tell: Callable[[], None]) -> None:
        self._home = home
        self._match = match
        self._tell = tell
        self._game_id = 0
        self._client: Client | None = None  # that sits here for the other box
        self._looked = 0  # the last game that is known to be of no match of this name
        self.reader = Reader()
        self.is_there = False

    async def watch(self) -> None:
        """Call `tell` whenever something happens at the daemon, one after the other."""
        while True:
            try:
                async with Client(find_socket(self._home)) as client, client.snapshots() as snapshots:
                    self.is_there = True
                    async for _ in snapshots:
                        self._tell()
            except DaemonGone:
                pass
            self.is_there = False
            await self.close()
            self._tell()
            await asyncio.sleep(_LOOK_EVERY_S)

    async def read(self) -> None:
        """Read what is new in the journal. Raises `JournalError` where it cannot be read."""
        await asyncio.to_thread(self._read)

    def _read(self) -> None:
        if not self._home.journal.exists():
            return
        with Journal(self._home.journal, read_only=True) as journal:
            ids = journal.game_ids()
            if self._game_id not in ids:
                self._game_id, self.reader = self._find(journal, ids), Reader()
            if not self._game_id:
                return
            entries = journal.entries(self._game_id)
        if len(entries) < self.reader.events:
            self.reader = Reader()  # an older state has been restored
        for entry in entries[self.reader.events :]:
            self.reader.read(entry.event)

    def _find(self, journal: Journal, ids: list[int]) -> int:
        """Return the last game of this match; 0 if there is none yet."""
        for game_id in reversed(ids):
            if game_id <= self._looked:
                break
            first = next(iter(journal.entries(game_id)), None)
            event = first.event if first is not None else None
            if isinstance(event, GameStarted) and any(player.remote == self._match for player in event.players):
                return game_id
        self._looked = max(ids, default=0)
        return 0

    async def begin(self, start: StartGame) -> None:
        """Begin the match; once begun it is not begun again. Raises `Refused` or `DaemonGone`."""
        await self._send(replace(start, key=f"together:{self._match}:start"))

    async def mirror(self, at: int, action: Action) -> None:
        """Do what was done at the other box: once, and only if nothing has happened here since the journal was read.

        Raises `Refused` or `DaemonGone`.
        """
        command = replace(
            command_of(action),
            key=f"together:{self._match}:{at}",
            game_id=self._game_id,
            event=self.reader.events,
        )
        await self._send(command)

    async def close(self) -> None:
        """Close the connection to the daemon."""
        client, self._client = self._client, None
        if client is not None:
            await client.__aexit__(None, None, None)

    async def _send(self, command: ClientCommand) -> None:
        for is_again in (False, True):
            if self._client is None:
                self._client = await self._sit()
            try:
                await self._client.send(command)  # type: ignore[arg-type]  # of those that JSON knows
            except DaemonGone:
                await self.close()
                raise
            except Refused as error:
                # A daemon that was started again knows no token.
                if is_again or error.reason != UnknownSeat.code:
                    raise
                await self.close()
            else:
                return

    async def _sit(self) -> Client:
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(Client(find_socket(self._home)))
            await client.sit((), "remote")
            stack.pop_all()  # whoever has no seat would be somebody else to the daemon
        return client
