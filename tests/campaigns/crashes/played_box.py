"""A box on which clients play while something befalls its daemon; then journal, answers and wood are compared."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field

from controller.box.compatibility import default_box_for
from controller.box.table import targets
from controller.game.core.commands import GoOn, StartGame
from controller.game.core.engine import AnyGame
from controller.game.table.snapshot import Snapshot
from controller.journal.replay import replay_checked
from controller.journal.store import Journal
from controller.rules.fleet.cards import CARDS
from controller.rules.fleet.ruleset import fleet_rules_of
from controller.rules.shutbox.ruleset import rules_of
from tests.campaigns.clients.bookkeeper import Bookkeeper, Sitter, count_outcomes
from tests.campaigns.clients.table_client import PLAYERS, SITTERS, TableClient
from tests.campaigns.crashes.first_look import is_at_rest
from tests.campaigns.live.box import PATIENCE_S, LiveBox
from tests.campaigns.races.client import RaceClient

_RACERS = tuple(Sitter(player.name, "terminal") for player in PLAYERS)
_GAMES = ("two-level", "pub")  # those that one box shows
_FOR_HELP = ("halted", "differing")  # what no box may come to that only is killed
_ENDLESS = {"first": "chosen", "match": "tournament", "match_limit": 500}


@dataclass(slots=True)
class Evening:
    """What came of one game: counts of events, of commands (done, refused) and of repeated ones, how long each command
    waited for its answer, and what went wrong in words.
    """

    counts: Counter[str] = field(default_factory=Counter)
    waited_s: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class PlayedBox(LiveBox):
    """A box with clients around it. Lifetime and concurrency: as any live box.

    port: of this computer, at which the clients ask, as from the network; None: at the daemon's socket.
    """

    port: int | None = None

    async def play(self, seed: int, meanwhile: Callable[[], Awaitable[None]], *, races: bool = False) -> Evening:
        """Play a match without end, or race, for as long as `meanwhile` lasts, and compare.

        Whatever else comes of it is a problem.
        """
        evening = Evening()
        try:
            await self._play(random.Random(f"{seed}/crashes"), meanwhile, evening, races=races)
        except Exception as error:  # whatever it is, it is what the campaign looks for
            evening.problems.append(f"{type(error).__name__}: {error}")
        return evening

    async def _play(
        self, chance: random.Random, meanwhile: Callable[[], Awaitable[None]], evening: Evening, *, races: bool
    ) -> None:
        start = (
            StartGame(PLAYERS, chance.choice(list(CARDS)))
            if races
            else StartGame(PLAYERS, chance.choice(_GAMES), _ENDLESS)
        )
        sitters = _RACERS if races else SITTERS
        books, is_over = (
            Bookkeeper(frozenset(each.name for each in sitters if each.name is not None), waited_s=evening.waited_s),
            asyncio.Event(),
        )
        clients = [self._make_client(start, each, books, random.Random(chance.random())) for each in sitters]
        for client in clients:
            await client.sit_down()
        await clients[0].ask(start)
        async with asyncio.TaskGroup() as group:
            for client in clients:
                group.create_task(client.run(is_over.is_set))
            await meanwhile()
            is_over.set()
        last = await self._come_to_rest(clients[0])
        await self.stop()
        while self._count_events(last.game_id) != last.event:
            # A command whose answer nobody awaited was carried out after that, and its move perhaps not.
            await self.start()
            last = await self._come_to_rest(clients[0])
            await self.stop()
        for client in clients:
            await client.close()
        if last.phase in _FOR_HELP:
            evening.problems.append(f"the box waits for help: {last.say}")
        evening.problems += self._compare(books, evening.counts)
        evening.counts["repeated"] = sum(client.repeated for client in clients)

    def _make_client(self, start: StartGame, sitter: Sitter, books: Bookkeeper, chance: random.Random) -> TableClient:
        if start.game in CARDS:
            rules = fleet_rules_of(start.game, start.options)
            return RaceClient(self.home.socket, sitter, books, chance, rules, self.port)
        return TableClient(self.home.socket, sitter, books, chance, self.port)

    async def _come_to_rest(self, client: TableClient) -> Snapshot:
        """Wait until no tile is on its way any more; `client`, who has a seat, ends a pause, amid which some may be."""
        said = "nothing"
        try:
            async with asyncio.timeout(PATIENCE_S), self.connect() as watcher, watcher.snapshots() as snapshots:
                async for snapshot in snapshots:
                    said = f"{snapshot.phase}: {snapshot.say}"
                    if snapshot.phase == "parked":
                        await client.ask(GoOn())
                    elif is_at_rest(snapshot):
                        return snapshot
        except TimeoutError as error:
            raise RuntimeError(f"tiles do not come to rest; last seen: {said}") from error
        raise RuntimeError("the daemon ended before its tiles were at rest")

    def _count_events(self, game_id: int) -> int:
        with Journal(self.home.journal, read_only=True) as journal:
            return journal.count_events(game_id)

    def _compare(self, books: Bookkeeper, counts: Counter[str]) -> Iterator[str]:
        """Hold the journal against the answers, and the wood against the journal."""
        with Journal(self.home.journal) as journal:
            game_ids = journal.game_ids()
            if len(game_ids) != 1:
                yield f"{len(game_ids)} games, and one was started"
                return
            entries = journal.entries(game_ids[0])
        game = replay_checked(entries)
        yield from books.differences(self.home.journal, entries)
        if game is not None:
            yield from self._compare_wood(game)
        done, refused = count_outcomes(books.sent)
        counts.update(events=len(entries), done=done.total(), refused=refused.total())

    def _compare_wood(self, game: AnyGame) -> Iterator[str]:
        seen: Mapping[str, str] = self.ask("look")["tiles"]
        wanted = targets(game.board, default_box_for(rules_of("two-level")))
        for tile, position in wanted.items():
            if seen[str(tile)] != str(position):
                yield f"{tile} is {seen[str(tile)]}, and the game has it {position}"
