"""A trial of `bench clients`: four clients at the socket of a daemon that is stopped, cut off and started again."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from controller.bench.clients.bookkeeper import Bookkeeper, Sitter, count_outcomes
from controller.bench.clients.table_client import HELD, PLAYERS, SITTERS, TableClient
from controller.bench.games import AuditingJournal, with_typed_dice
from controller.bench.limits import Load, measure_load, violations
from controller.box import default_box_for, open_table_on
from controller.game import StartGame
from controller.journal import replay_checked
from controller.process import run_in_background
from controller.referee import run_referee
from controller.rules import rules_of
from controller.settings import Pace
from controller.web import listen, make_app, serve
from hardware.sim import World

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
    """The table, its daemons, one after the other, and its clients, all drawn from one seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self._chance = random.Random(f"{seed}/clients")
        self._start = StartGame(PLAYERS, self._chance.choice(_GAMES), {"first": "chosen"})
        self._box = default_box_for(rules_of(self._start.game, self._start.options, self._start.marks))
        self._outcome = Outcome(seed)
        self._world = World(self._box, asyncio.get_running_loop().time, seed)
        self._path, self._socket = folder / "journal.sqlite3", folder / "shutbox.sock"
        self._journal = AuditingJournal(self._path, self._world, self._outcome.problems)
        self._books = Bookkeeper(HELD)
        self._clients = [self._make_client(sitter) for sitter in SITTERS]
        self._running: list[asyncio.Task[None]] = []
        self._is_over = False

    async def run(self) -> Outcome:
        """Play, and compare; whatever else comes of it is a problem."""
        with self._journal:
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    await self._play()
                self._compare()
            except Exception as error:  # whatever it is, it is what the campaign looks for
                self._outcome.problems.append(f"{type(error).__name__}: {error}")
        self._outcome.problems += violations(self._world, shorted=False)
        self._outcome.load = measure_load(self._world)
        return self._outcome

    def _make_client(self, sitter: Sitter) -> TableClient:
        return TableClient(self._socket, sitter, self._books, random.Random(self._chance.random()))

    async def _play(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            runs = self._chance.randint(*_RUNS)
            for run in range(runs):
                async with self._daemon():
                    self._let_hear(True)
                    if not run:
                        await self._begin(tasks)
                    await asyncio.sleep(self._chance.uniform(*_RUN_S))
                    if run == runs - 1:
                        await self._come_to_an_end()
                    self._end_daemon()
                await asyncio.sleep(_COMES_TO_REST_S)

    @asynccontextmanager
    async def _daemon(self) -> AsyncIterator[None]:
        """What a daemon does for the table and its clients, on a socket of the kernel."""
        with listen(self._socket) as socket:
            async with (
                open_table_on(self._world, self._box) as table,
                run_referee(with_typed_dice(table, self._world), self._journal, Pace()) as referee,
                run_in_background(serve(make_app(referee), socket)),
            ):
                yield

    async def _begin(self, tasks: asyncio.TaskGroup) -> None:
        """Let all sit down and one start the game; then each goes its own way."""
        for client in self._clients:
            await client.sit_down()
        await self._clients[0].ask(self._start)
        self._running = [tasks.create_task(client.run(lambda: self._is_over)) for client in self._clients]

    async def _come_to_an_end(self) -> None:
        """Let every client find out how its last command ended."""
        self._is_over = True
        await asyncio.wait(self._running)

    def _end_daemon(self) -> None:
        """See it stopped, which lets answers go out, or cut off."""
        cut = self._chance.random() < _CUT
        self._outcome.counts["cuts" if cut else "stops"] += 1
        self._let_hear(not cut)

    def _let_hear(self, answers: bool) -> None:
        for client in self._clients:
            client.hears = answers

    def _compare(self) -> None:
        """Hold the journal against what the clients know."""
        game_ids = self._journal.game_ids()
        if len(game_ids) != 1:
            self._outcome.problems.append(f"{len(game_ids)} games, and one was started")
            return
        entries = self._journal.entries(game_ids[0])
        replay_checked(entries)
        self._outcome.problems += self._books.differences(self._path, entries)
        self._outcome.done, self._outcome.refused = count_outcomes(self._books.sent)
        self._outcome.counts["events"] = len(entries)
        for client in self._clients:
            self._outcome.counts["repeated"] += client.repeated
            self._outcome.counts["lost answers"] += client.lost
