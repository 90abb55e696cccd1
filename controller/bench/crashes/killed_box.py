"""An evening of `bench crashes --kills`: clients play at a daemon that is killed again and again, on a box of its own."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from controller.bench.clients import HELD, PLAYERS, SITTERS, Bookkeeper, TableClient, count_outcomes
from controller.bench.live import PATIENCE_S, LiveBox
from controller.box import default_box_for, targets
from controller.game import Game, GoOn, StartGame
from controller.journal import Journal, replay_checked
from controller.rules import rules_of

_GAMES = ("two-level", "pub")  # those that one box shows
_LONG = {"first": "chosen", "match": "tournament"}  # a game that is not over before the last kill
_ON_THEIR_WAY = ("moving", "turn_done")  # tiles, in these phases
_LIVES_S = 1.5  # so long at most after it was ready, a daemon is killed


@dataclass(frozen=True, slots=True)
class Trial:
    """A game amid which the daemon is killed so many times, drawn from `seed`."""

    seed: int
    kills: int

    @property
    def again(self) -> str:
        """The command that makes it again; what the kill interrupts is the machine's to say."""
        return f"shutbox bench crashes --kills {self.kills} --seed {self.seed}"


@dataclass(slots=True)
class Outcome:
    """What came of one evening: how long each start took until it was ready, counts of events, commands (done, refused)
    and repeated ones, and what went wrong in words.
    """

    trial: Trial
    ready_s: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


class KilledBox(LiveBox):
    """A box whose daemon is killed while clients speak to it. Lifetime and concurrency: as any live box."""

    async def attempt(self, trial: Trial) -> Outcome:
        """Play one evening and compare journal, answers and wood. Whatever else comes of it is a problem."""
        outcome = Outcome(trial)
        try:
            await self._play(outcome)
        except Exception as error:  # whatever it is, it is what the campaign looks for
            outcome.problems.append(f"{type(error).__name__}: {error}")
        return outcome

    async def _play(self, outcome: Outcome) -> None:
        chance = random.Random(f"{outcome.trial.seed}/kills")
        books, is_over = Bookkeeper(HELD), asyncio.Event()
        clients = [TableClient(self._home.socket, sitter, books, random.Random(chance.random())) for sitter in SITTERS]
        for client in clients:
            await client.sit_down()
        await clients[0].ask(StartGame(PLAYERS, chance.choice(_GAMES), _LONG))
        async with asyncio.TaskGroup() as group:
            for client in clients:
                group.create_task(client.run(is_over.is_set))
            for _ in range(outcome.trial.kills):
                await asyncio.sleep(chance.uniform(0.0, _LIVES_S))
                await self._kill(outcome)
            is_over.set()
        await self._come_to_rest(TableClient(self._home.socket, SITTERS[-1], books, chance))
        await self.stop()
        outcome.problems += self._compare(books, outcome)
        done, refused = count_outcomes(books.sent)
        outcome.counts += Counter(done=done.total(), refused=refused.total())
        outcome.counts["repeated"] = sum(client.repeated for client in clients)

    async def _kill(self, outcome: Outcome) -> None:
        """Kill the daemon, and start another one."""
        await self.stop()
        began_s = time.monotonic()
        await self.start()
        outcome.ready_s.append(time.monotonic() - began_s)

    async def _come_to_rest(self, client: TableClient) -> None:
        """Wait until no tile is on its way any more; `client` ends a pause, amid which some may be."""
        async with asyncio.timeout(PATIENCE_S), self.connect() as watcher, watcher.snapshots() as snapshots:
            async for snapshot in snapshots:
                if snapshot.phase == "parked":
                    await client.ask(GoOn())
                elif snapshot.phase not in _ON_THEIR_WAY and snapshot.messages[0].key != "game.comparing":
                    return

    def _compare(self, books: Bookkeeper, outcome: Outcome) -> Iterator[str]:
        """Hold the journal against the answers, and the wood against the journal."""
        with Journal(self._home.journal) as journal:
            game_ids = journal.game_ids()
            if len(game_ids) != 1:
                yield f"{len(game_ids)} games, and one was started"
                return
            entries = journal.entries(game_ids[0])
        outcome.counts["events"] = len(entries)
        game = replay_checked(entries)
        yield from books.differences(self._home.journal, entries)
        if game is not None:
            yield from self._compare_wood(game)

    def _compare_wood(self, game: Game) -> Iterator[str]:
        seen: Mapping[str, str] = self.ask("look")["tiles"]
        wanted = targets(game.board, default_box_for(rules_of("two-level")))
        for tile, position in wanted.items():
            if seen[str(tile)] != str(position):
                yield f"{tile} is {seen[str(tile)]}, and the game has it {position}"
