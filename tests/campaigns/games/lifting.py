"""Campaign `lifting`: all faults of a game are lifted at a random moment; then it must come to an end."""

import asyncio
import random
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from controller.box.compatibility import default_box_for
from controller.box.simulated import open_table_on
from controller.errors import ShutboxError
from controller.game.table.snapshot import Snapshot
from controller.journal.store import Journal
from controller.referee.panel import serve_panel
from controller.referee.referee import Referee, run_referee
from controller.rules.errors import RulesError
from controller.rules.shutbox.ruleset import rules_of
from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from controller.runtime.threads import run_in_background
from controller.settings import Pace
from hardware.sim.world import World
from tests.campaigns.campaign import Campaign, count_kinds, print_report, repeating
from tests.campaigns.games.auditing_journal import AuditingJournal
from tests.campaigns.games.people import People, draw_game
from tests.campaigns.games.typed_dice import with_typed_dice
from tests.campaigns.limits import Load, MetalReport, measure_load, violations
from tests.campaigns.pool import silence
from tests.campaigns.troubles import meddle

# A lone game takes 40 s at most without faults, with people who answer at once: three times that, after whatever broke.
_MOST_S = 120.0
_AMID_S = 30.0  # so long at most a game is played amid faults; most are over soon after
_TROUBLE_S = 1.5  # seconds at the box from one trouble to the next, on average: several faults hold at once
# The calibration was read, and the header's lines were claimed, at the start; nobody changes a servo for another kind.
_NOT_AMID_A_GAME = ("calibration", "busy", "header", "holds")
_SLOWEST_S = 2.0  # people take so long at most for an answer amid faults
_LOOK_AGAIN_S = 5.0  # people who have tipped tiles, and see nothing come of it, choose anew after so long
_IN_PLACE = 4  # games: see `Campaign.in_place`
_PACE = Pace(house_thinks_s=0.2)
# What the daemon does about the moment of lifting: it runs on; it is started again amid the faults, which are lifted
# then; or they are lifted while it is away.
_COURSES = ("ran on", "restarted amid faults", "was away")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game: what the daemon did when all was lifted, the seconds at the box from then to its end (None: it had
    ended before), the codes of the faults that people were asked about then, the faults that were made, the worst for
    the metal, and what went wrong in words.
    """

    seed: int
    course: str
    after_s: float | None
    asked: tuple[str, ...]
    faults: tuple[str, ...]
    load: Load
    problems: tuple[str, ...]


def bench_lifting(runs: int, seed: int, *, as_json: bool) -> Exit:
    """Play `runs` games and report how they went on once all was lifted; NO if one needed a second answer, or too long.

    The first is drawn from `seed`, each further one from the next number.
    """
    results = Campaign("games", range(seed, seed + runs), play_lifted_game, in_place=_IN_PLACE, begin=silence).run()
    return print_report(_report(results.outcomes), results, as_json=as_json)


def play_lifted_game(seed: int) -> Outcome:
    """Play the game that is drawn from this seed on a jumping loop."""
    with tempfile.TemporaryDirectory() as folder:
        return run_jumping(_LiftedGame(seed, Path(folder)).run())


class _LiftedGame:
    """A game amid faults, all of which are lifted at a random moment.

    From then on nothing breaks and no hand is in the way. People throw and choose at once, and answer one fault.
    """

    def __init__(self, seed: int, folder: Path) -> None:
        self._seed = seed
        self._folder = folder
        self._chance = random.Random(seed)
        self._start = draw_game(self._chance)
        self._box = default_box_for(rules_of(self._start.game, self._start.options, self._start.marks))
        self._course = self._chance.choice(_COURSES)
        self._asked: list[str] = []
        self._after_s: float | None = None
        self._broken: list[str] = []
        self._problems: list[str] = []

    async def run(self) -> Outcome:
        """Play it to its end; whatever else comes of it is a problem."""
        world = World(self._box, asyncio.get_running_loop().time, self._seed)
        with AuditingJournal(self._folder / "journal.sqlite3", world, self._problems) as journal:
            try:
                await self._play(world, journal)
            except Exception as error:  # whatever it is, it is what the campaign looks for
                self._problems.append(f"{type(error).__name__}: {error}")
        self._problems += violations(world, shorted=False)
        told = (tuple(self._asked), tuple(self._broken), measure_load(world), tuple(self._problems))
        return Outcome(self._seed, self._course, self._after_s, *told)

    async def _play(self, world: World, journal: Journal) -> None:
        async with self._daemon(world, journal) as referee:
            await referee.ask(self._start)
            await self._play_amid_faults(referee, world, self._chance.uniform(0.0, _AMID_S))
            if self._course == "ran on":
                await self._play_on(referee, world)
                return
        if self._course == "was away":
            _lift_all(world)
        async with self._daemon(world, journal) as referee:
            if self._course == "restarted amid faults":
                await self._play_amid_faults(referee, world, self._chance.uniform(0.0, _TROUBLE_S))
            await self._play_on(referee, world)

    @asynccontextmanager
    async def _daemon(self, world: World, journal: Journal) -> AsyncIterator[Referee]:
        """What a daemon does for the table, from its start to its end; another one takes the game up where it was."""
        async with (
            open_table_on(world, self._box) as table,
            run_referee(with_typed_dice(table, world), journal, _PACE) as referee,
            run_in_background(serve_panel(table.firmware.panel, referee)),
        ):
            yield referee

    async def _play_amid_faults(self, referee: Referee, world: World, seconds: float) -> None:
        people = People(self._chance, world)
        async with run_in_background(meddle(world, self._chance, self._broken, _TROUBLE_S, _NOT_AMID_A_GAME)):
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds), referee.watch() as snapshots:
                    while not _is_over(referee):
                        snapshot = await snapshots.get()
                        await asyncio.sleep(self._chance.uniform(0.0, _SLOWEST_S))
                        await _act(people, snapshot, referee)

    async def _play_on(self, referee: Referee, world: World) -> None:
        """Lift all, and play to the end with one answer."""
        if _is_over(referee):
            return
        _lift_all(world)
        began_s = world.now()
        try:
            async with asyncio.timeout(_MOST_S), referee.watch() as snapshots:
                await self._answer_once(referee, People(self._chance, world), snapshots)
        except TimeoutError:
            after = f"{_MOST_S:.0f} s after all was lifted"
            self._problems.append(f"{after} still in {referee.snapshot.phase}: {referee.snapshot.say}")
        self._after_s = world.now() - began_s

    async def _answer_once(self, referee: Referee, people: People, snapshots: asyncio.Queue[Snapshot]) -> None:
        while not _is_over(referee):
            snapshot = referee.snapshot
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_AGAIN_S):
                    snapshot = await snapshots.get()
            if snapshot.number != referee.snapshot.number:
                continue
            # Tiles that hands moved while the daemon was away are a question of their own, and are told at once.
            if snapshot.phase in ("halted", "parked"):
                if self._asked:
                    asked = snapshot.fault or "a pause"
                    self._problems.append(f"after {self._asked[0]} people are asked again: {asked}")
                    return
                self._asked.append(snapshot.fault.code if snapshot.fault else "pause")
            await _act(people, snapshot, referee)


async def _act(people: People, snapshot: Snapshot, referee: Referee) -> None:
    """Do what people do about a snapshot, unless it is an old one by now."""
    if snapshot.number != referee.snapshot.number:
        return
    command = people.act(snapshot)
    if command is not None:
        # What is refused by then is asked anew at the next snapshot.
        with suppress(ShutboxError, RulesError):
            await referee.ask(command)


def _is_over(referee: Referee) -> bool:
    """True once the game has ended; a daemon that starts after its end shows no game."""
    return referee.snapshot.phase in ("ended", "idle")


def _lift_all(world: World) -> None:
    """Nothing is broken, no hand is in the way, the lid is open."""
    world.lift()
    world.open_lid()


def _report(outcomes: Sequence[Outcome]) -> MetalReport:
    asked = Counter(code for each in outcomes for code in each.asked)
    broken = Counter(name.partition(":")[0] for each in outcomes for name in each.faults)
    courses = Counter(each.course for each in outcomes if each.after_s is not None)
    lasted_s = [each.after_s for each in outcomes if each.after_s is not None]
    longest_s = max(lasted_s, default=0.0)
    return MetalReport(
        {
            "runs": len(outcomes),
            "lifted": len(lasted_s),
            "courses": dict(courses),
            "longest_s": round(longest_s, 1),
            "faults": dict(broken),
            "asked": dict(asked),
        },
        [
            f"{len(outcomes)} games, {len(lasted_s)} of them still on when all was lifted.",
            f"The daemon then: {count_kinds(courses)}.",
            f"Broken before: {count_kinds(broken)}.",
            f"Asked after: {count_kinds(asked)}.",
            f"Longest from then to the end: {longest_s:.1f} s at the box (limit {_MOST_S:.0f}).",
        ],
        [each.load for each in outcomes],
        [f"{repeating('lifting', each.seed)}: {problem}" for each in outcomes for problem in each.problems],
    )
