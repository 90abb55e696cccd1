"""An engine at a seat of the table: a client of the daemon like any other, which asks the engine what to do.

The daemon knows nothing of it. An engine that fails costs its seat alone: that is given back, for people to play on.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

from controller.errors import BadPlayers, EngineError, RecordError
from controller.game.core.players import is_name
from controller.game.shutbox.commands import AcceptLoss, Choose, RollDice
from controller.game.shutbox.state import Game
from controller.game.stn.record import Record, read_record
from controller.game.table.snapshot import Snapshot
from controller.opponents.engines.minds import Mind, Seating, open_minds
from controller.rules.errors import RulesError
from controller.runtime.home import Home
from controller.runtime.threads import run_in_background
from controller.web.client import Client, DaemonGone, Refused
from controller.web.network import find_socket

_LOOK_EVERY_S = 2.0  # for a daemon, while none is there
_ENGINE = "engine:"  # before the command of an engine, where players are named
# Of the engine, and of what it is asked about: each costs the seat alone.
_FAILED = (EngineError, RecordError, RulesError, ValueError)
_SEED = 1  # an engine at a table plays by its own chance


class EngineSeat:
    """Plays for the player `name` by the engine that `command` starts, until that fails or nobody asks any more.

    say: tells whoever has called the engine, in a line. Lifetime: one daemon after the other. Concurrency: one loop.
    """

    def __init__(
        self, name: str, command: str, home: Home, say: Callable[[str], None], log: Path | None = None
    ) -> None:
        """log: into which all goes that is said between box and engine."""
        self._name = name
        self._command = command
        self._home = home
        self._say = say
        self._log = log
        self._sits = False
        self._mind: Mind
        self._done: tuple[int, int, bool] | None = None

    async def run(self) -> None:
        """Play, and wait for a daemon where none runs. Returns once the engine has lost its seat."""
        try:
            with ExitStack() as stack:
                # It has some time to say its name, and the loop does not wait for it.
                opening = open_minds([self._command], self._home.odds, log=self._log)
                (self._mind,) = await asyncio.to_thread(stack.enter_context, opening)
                while True:
                    with suppress(DaemonGone):
                        async with Client(find_socket(self._home)) as client:
                            await self._play(client)
                    await asyncio.sleep(_LOOK_EVERY_S)
        except _FAILED as error:
            name = self._name
            self._say(f"The engine of {name} has lost its seat: {error}. Whoever is at the table plays on for {name}.")

    async def _play(self, client: Client) -> None:
        """Play at one daemon until it ends. Raises `EngineError`, after the seat was given back."""
        try:
            async with client.snapshots() as snapshots:
                async for snapshot in snapshots:
                    await self._hear(client, snapshot)
        except _FAILED:
            with suppress(Refused, DaemonGone):
                await client.leave()
            raise
        finally:
            self._sits = False

    async def _hear(self, client: Client, snapshot: Snapshot) -> None:
        if self._name in snapshot.players and snapshot.is_game_on:
            if not self._sits:
                with suppress(Refused):
                    await client.sit([self._name])
                    self._sits = True
            if self._sits and snapshot.turn == self._name and snapshot.race is None and self._is_due(snapshot):
                await self._act(client, snapshot)

    def _is_due(self, snapshot: Snapshot) -> bool:
        """True at a moment that has not been answered yet; dice that were not read are thrown once more."""
        now = (snapshot.game_id, snapshot.event, bool(snapshot.notice) and not snapshot.reading)
        is_new, self._done = now != self._done, now
        return is_new

    async def _act(self, client: Client, snapshot: Snapshot) -> None:
        command = await self._next(client, snapshot)
        if command is not None:
            with suppress(Refused):  # something has happened meanwhile: the next snapshot tells
                await client.send(replace(command, game_id=snapshot.game_id, event=snapshot.event))

    async def _next(self, client: Client, snapshot: Snapshot) -> Choose | AcceptLoss | RollDice | None:
        if snapshot.can("choose"):
            record = await self._record(client, snapshot)
            return None if record is None else Choose(await asyncio.to_thread(self._choose, record))
        if snapshot.can("accept"):
            return AcceptLoss()
        if snapshot.phase != "awaiting_throw" or not snapshot.can("roll") or not snapshot.dice_allowed:
            return None
        count = min(snapshot.dice_allowed)
        if len(snapshot.dice_allowed) > 1:
            record = await self._record(client, snapshot)
            if record is None:
                return None
            count = await asyncio.to_thread(self._choose_dice, record)
        if not snapshot.simulated:
            # Somebody throws for it, as for the house.
            dice = "one die" if count == 1 else f"{count} dice"
            self._say(f"{self._name} throws {dice}: throw for it.")
            return None
        return RollDice(count)

    async def _record(self, client: Client, snapshot: Snapshot) -> Record | None:
        """Return the game as it stands; None if it has gone on meanwhile."""
        record = read_record(await client.record(snapshot.game_id))
        return record if str(record.game.board) == snapshot.board else None

    def _choose(self, record: Record) -> tuple[str, ...]:
        return self._mind.choose(self._told(record))

    def _choose_dice(self, record: Record) -> int:
        return self._mind.choose_dice(self._told(record))

    def _told(self, record: Record) -> Game:
        """Tell the engine the whole game: it may have been started amid it, and choices may have been taken back."""
        game, mind = record.game, self._mind
        if not isinstance(game, Game):
            raise EngineError("it is asked about a race")
        names = tuple(player.name for player in game.players)
        mind.begin(Seating(game.rules, names, names.index(self._name), _SEED))
        for seat, token in record.tokens:
            mind.tell(seat, token)
        return replace(game, phase=game.resting)


def split_engines(words: Iterable[str]) -> tuple[list[str], dict[str, str]]:
    """Return the players, and the commands of the engines among them by the name of the player.

    `engine:./mine` plays as `mine`, `Bob=engine:./mine` as Bob. Raises `BadPlayers` for a command without a name.
    """
    names, engines = [], {}
    for word in words:
        before, is_engine, command = word.partition(_ENGINE)
        name = before.strip().removesuffix("=").strip()
        if not is_engine or (before.strip() and not before.strip().endswith("=")):
            names.append(word)
            continue
        last = (command.split() or [""])[-1]
        names.append(name or Path(last).stem)
        engines[names[-1]] = command
    if any(not is_name(name) for name in engines):
        raise BadPlayers(f"engine:{next(iter(engines.values()))}: say NAME=engine:PROGRAM, for a player of that name")
    return names, engines


@asynccontextmanager
async def engines_beside(engines: Mapping[str, str], home: Home, say: Callable[[str], None]) -> AsyncIterator[None]:
    """Let these engines play for the players of these names, for as long as the block lasts."""
    async with run_in_background(*(EngineSeat(name, command, home, say).run() for name, command in engines.items())):
        yield
