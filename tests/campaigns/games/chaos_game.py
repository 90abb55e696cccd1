"""A trial of `faults`: a game amid breakage, its journal compared with rules and metal on the way."""

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from controller.box.compatibility import default_box_for
from controller.box.simulated import open_simulated_world
from controller.errors import ShutboxError
from controller.game.core.commands import Abandon, Park
from controller.game.core.sight import SnapshotContext
from controller.game.table.snapshot import Snapshot, snapshot_of
from controller.journal.replay import replay_checked
from controller.journal.store import Journal
from controller.referee.referee import Referee, run_referee
from controller.rules.errors import RulesError
from controller.rules.shutbox.ruleset import rules_of
from controller.runtime.threads import run_in_background
from controller.settings import Pace
from hardware.sim.world import World
from tests.campaigns.builds import Build
from tests.campaigns.games.auditing_journal import AuditingJournal
from tests.campaigns.games.people import People, draw_game
from tests.campaigns.games.typed_dice import with_typed_dice
from tests.campaigns.limits import Load, measure_load, violations
from tests.campaigns.troubles import meddle

_HANGS_S = 3 * 3600.0  # at the box; no game takes so long, whatever breaks
_TROUBLE_S = 6.0  # seconds at the box from one trouble to the next, on average
# The dice are told; the calibration was read, and the header's lines were claimed, at the start; and nobody changes a
# servo for one of another kind.
_NOT_AMID_A_GAME = ("camera", "calibration", "busy", "header", "holds")
_PATIENCE = 12  # faults in a row that people answer before they give the game up or leave it


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game: how it ended (finished, given up, halted with a code, parked), the faults that were made as the command
    line takes them, the codes of those that halted it, the worst for the metal, and what went wrong in words.
    """

    seed: int
    end: str
    faults: tuple[str, ...]
    halts: tuple[str, ...]
    load: Load
    problems: tuple[str, ...]


class ChaosGame:
    """A game, the box it is played on, what breaks there, and the people around it.

    Everything is drawn from one seed on a jumping loop, so a game that went wrong can be played again.
    """

    def __init__(self, seed: int, folder: Path, build: Build) -> None:
        self._seed = seed
        self._folder = folder
        self._chance = random.Random(seed)
        self._start = draw_game(self._chance)
        rules = rules_of(self._start.game, self._start.options, self._start.marks)
        self._box, self._tolerances = build.box(default_box_for(rules)), build.tolerances()
        self._problems: list[str] = []
        self._broken: list[str] = []

    async def run(self) -> Outcome:
        """Play it to an end with a name; whatever else comes of it is a problem."""
        opening = open_simulated_world(self._box, seed=self._seed, tolerances=self._tolerances)
        async with opening as (table, world):
            people = People(self._chance, world)
            with AuditingJournal(self._folder / "journal.sqlite3", world, self._problems) as journal:
                async with run_referee(with_typed_dice(table, world), journal, Pace(house_thinks_s=0.2)) as referee:
                    end = await self._play(referee, people, world)
                self._replay(journal, referee)
            shorted = any(fault.startswith("oe:") for fault in world.faults)
            self._problems += violations(world, shorted=shorted)
            load = measure_load(world)
        return Outcome(self._seed, end, tuple(self._broken), tuple(people.halts), load, tuple(self._problems))

    async def _play(self, referee: Referee, people: People, world: World) -> str:
        """Play to an end with a name."""
        async with run_in_background(meddle(world, self._chance, self._broken, _TROUBLE_S, _NOT_AMID_A_GAME)):
            try:
                async with asyncio.timeout(_HANGS_S):
                    await referee.ask(self._start)
                    async with referee.watch() as snapshots:
                        return await self._answer_all(referee, people, snapshots)
            except TimeoutError:
                self._problems.append(f"hangs in {referee.snapshot.phase}: {referee.snapshot.say}")
                return "hangs"
            except Exception as error:  # whatever it is, it is what the campaign looks for
                self._problems.append(f"{type(error).__name__}: {error}")
                return "failed"

    async def _answer_all(self, referee: Referee, people: People, snapshots: asyncio.Queue[Snapshot]) -> str:
        while True:
            snapshot = await snapshots.get()
            if snapshot.number != referee.snapshot.number:
                continue
            if snapshot.phase == "ended":
                return "finished" if snapshot.winners or snapshot.scores else "given up"
            await asyncio.sleep(self._chance.uniform(0.0, 2.0))
            if snapshot.number != referee.snapshot.number:
                continue
            command = people.act(snapshot)
            if command is None:
                continue
            if people.in_a_row > _PATIENCE:
                return await self._leave(referee, snapshot)
            # What is refused by then is asked anew at the next snapshot.
            with suppress(ShutboxError, RulesError):
                await referee.ask(command)

    async def _leave(self, referee: Referee, snapshot: Snapshot) -> str:
        """People lose patience: they give the game up, pause it, or go."""
        match self._chance.randrange(3):
            case 0:
                await referee.ask(Abandon())
                return "given up"
            case 1:
                await referee.ask(Park())
                return "parked"
        return f"halted {snapshot.fault.code}" if snapshot.fault else snapshot.phase

    def _replay(self, journal: Journal, referee: Referee) -> None:
        """Check that after a restart the same game would go on: the journal leads to it."""
        game = replay_checked(journal.entries(1))
        if game is None:
            self._problems.append("nothing is in the journal")
        elif snapshot_of(game, SnapshotContext(0, 0, "")).phase != referee.snapshot.phase:
            self._problems.append(f"the journal leads to {game.phase}, the box shows {referee.snapshot.phase}")
