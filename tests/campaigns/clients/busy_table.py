"""A trial of `clients`: four clients at the socket of a daemon that is stopped, cut off and started again."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from controller.box.compatibility import default_box_for
from controller.box.simulated import open_table_on
from controller.game.core.commands import StartGame
from controller.game.table.engines import any_rules_of
from controller.journal.replay import replay_checked
from controller.journal.store import Entry
from controller.referee.referee import run_referee
from controller.runtime.threads import run_in_background
from controller.settings import Pace
from controller.web.app import make_app
from controller.web.server import listen, serve_terminal
from hardware.sim.world import World
from tests.campaigns.clients.bookkeeper import Bookkeeper, Sitter, count_outcomes
from tests.campaigns.clients.table_client import PLAYERS, SITTERS, TableClient
from tests.campaigns.games.auditing_journal import AuditingJournal
from tests.campaigns.games.typed_dice import with_typed_dice
from tests.campaigns.limits import Load, measure_load, violations

_GAMES = ("two-level", "pub", "traditional", "digital")
_RUNS = (2, 4)  # of the daemon
_RUN_S = (1.0, 12.0)
_CUT = 0.5  # of its ends come at once, and every answer that is due is lost
_COMES_TO_REST_S = 1.0  # a tile that was on its way
_PATIENCE_S = 120.0  # by then every client knows how everything ended


@dataclass(slots=True)
class Outcome:
    """What came of it at one table: commands that were done by kind, refused by status, and what went wrong in words.

    counts: of events, repeated commands, lost answers, stops and cuts.
    """

    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    load: Load = field(default_factory=Load)
    problems: list[str] = field(default_factory=list)


class BusyTable:
    """The table, its daemons, one after the other, and its clients, all drawn from one seed.

    A campaign of another game has its own start, clients and end.
    """

    runs, run_s, patience_s = _RUNS, _RUN_S, _PATIENCE_S

    def __init__(self, seed: int, folder: Path) -> None:
        self._chance = random.Random(f"{seed}/clients")
        self.start = self.choose_start(self._chance)
        self._box = default_box_for(any_rules_of(self.start.game, self.start.options, self.start.marks))
        self.outcome = Outcome(seed)
        self._world = World(self._box, asyncio.get_running_loop().time, seed)
        self._path, self._socket = folder / "journal.sqlite3", folder / "shutbox.sock"
        self._journal = AuditingJournal(self._path, self._world, self.outcome.problems)
        sitters = self.sitters(self.start)
        self._books = Bookkeeper(frozenset(sitter.name for sitter in sitters if sitter.name is not None))
        self.clients = [
            self.make_client(self._socket, sitter, self._books, random.Random(self._chance.random()))
            for sitter in sitters
        ]
        self._running: list[asyncio.Task[None]] = []
        self._is_over = False

    async def run(self) -> Outcome:
        """Play, and compare; whatever else comes of it is a problem."""
        with self._journal:
            try:
                async with asyncio.timeout(self.patience_s):
                    await self._play()
                self._compare()
            except Exception as error:  # whatever it is, it is what the campaign looks for
                self.outcome.problems.append(f"{type(error).__name__}: {error}")
        self.outcome.problems += violations(self._world, shorted=False)
        self.outcome.load = measure_load(self._world)
        return self.outcome

    def choose_start(self, chance: random.Random) -> StartGame:
        """The game that is played."""
        return StartGame(PLAYERS, chance.choice(_GAMES), {"first": "chosen"})

    def sitters(self, _start: StartGame) -> Sequence[Sitter]:
        """Who sits at the table; the first one starts the game."""
        return SITTERS

    def make_client(self, socket: Path, sitter: Sitter, books: Bookkeeper, chance: random.Random) -> TableClient:
        """One of the clients."""
        return TableClient(socket, sitter, books, chance)

    def is_over(self) -> bool:
        """True once the clients have had their time."""
        return self._is_over

    def differences(self, entries: Sequence[Entry]) -> Iterator[str]:
        """What the journal has otherwise than it must be, whatever the clients know."""
        replay_checked(entries)
        yield from ()

    async def _play(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            runs = self._chance.randint(*self.runs)
            for run in range(runs):
                async with self._daemon():
                    self._let_hear(True)
                    if not run:
                        await self._begin(tasks)
                    await asyncio.sleep(self._chance.uniform(*self.run_s))
                    if run == runs - 1:
                        self._is_over = True
                        await asyncio.wait(self._running)
                        for client in self.clients:
                            await client.close()
                    self._end_daemon()
                await asyncio.sleep(_COMES_TO_REST_S)

    @asynccontextmanager
    async def _daemon(self) -> AsyncIterator[None]:
        """What a daemon does for the table and its clients, on a socket of the kernel."""
        with listen(self._socket) as socket:
            async with (
                open_table_on(self._world, self._box) as table,
                run_referee(with_typed_dice(table, self._world), self._journal, Pace()) as referee,
                run_in_background(serve_terminal(make_app(referee), socket)),
            ):
                yield

    async def _begin(self, tasks: asyncio.TaskGroup) -> None:
        """Let all sit down and one start the game; then each goes its own way."""
        for client in self.clients:
            await client.sit_down()
        await self.clients[0].ask(self.start)
        self._running = [tasks.create_task(client.run(self.is_over)) for client in self.clients]

    def _end_daemon(self) -> None:
        """See it stopped, which lets answers go out, or cut off."""
        cut = self._chance.random() < _CUT
        self.outcome.counts["cuts" if cut else "stops"] += 1
        self._let_hear(not cut)

    def _let_hear(self, answers: bool) -> None:
        for client in self.clients:
            client.hears = answers

    def _compare(self) -> None:
        """Hold the journal against what the clients know."""
        game_ids = self._journal.game_ids()
        if len(game_ids) != 1:
            self.outcome.problems.append(f"{len(game_ids)} games, and one was started")
            return
        entries = self._journal.entries(game_ids[0])
        self.outcome.problems += self.differences(entries)
        self.outcome.problems += self._books.differences(self._path, entries)
        self.outcome.done, self.outcome.refused = count_outcomes(self._books.sent)
        self.outcome.counts["events"] = len(entries)
        for client in self.clients:
            self.outcome.counts["repeated"] += client.repeated
            self.outcome.counts["lost answers"] += client.lost
