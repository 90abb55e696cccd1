"""Campaign `kicks`: servos are let go and cut off amid a pulse, and kick; does every tile come back?"""

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from controller.box.simulated import open_simulated_world
from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from firmware.errors import MotionFault, TileRestless
from firmware.messages import SensorReport, TileCommand
from firmware.tiles.bank import TileBank
from hardware.box import load_box
from hardware.sim.servo import Tolerances
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.campaigns.builds import AS_DRAWN, Build
from tests.campaigns.campaign import Campaign, print_report
from tests.campaigns.pool import silence
from tests.support.true_box import stress_of

# Longer than that a tile is not seen where it does not belong, once the others have arrived: these bring their rods to
# rest (0.4 s), all is looked at (0.4 s), and two tiles of a column are driven one after the other, in two tries (1.2
# s).
LIMIT_S = 2.0
_RELEASES_PER_BOX = 100
_EVERY_DIGITAL = 4  # one box in so many has digital servos: where a runt sends them, they stay
_CUT_WITHIN_S = 0.5  # of the beginning of a move: that long the first servos are driven
_IN_PLACE = 2  # boxes: see `Campaign.in_place`


@dataclass(frozen=True, slots=True)
class Trial:
    """One box, drawn from `seed` with all that happens to it: moves until so many tiles were let go, and cuts."""

    seed: int
    releases: int
    cuts: int
    build: Build = AS_DRAWN

    @property
    def digital(self) -> bool:
        """True if its servos hold without pulses."""
        return self.seed % _EVERY_DIGITAL == 0


@dataclass(slots=True)
class Outcome:
    """The counts of one box.

    `kicks`: servos that got a runt. `healed`: tiles that left their place and were driven there again, each in
    `longest_s` at most after it was kicked and the others had arrived. `restless`: tiles with digital servos that were
    given up as ones that do not stay.
    """

    trial: Trial
    releases: int = 0
    cuts: int = 0
    kicks: int = 0
    healed: int = 0
    restless: int = 0
    longest_s: float = 0.0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class KicksReport:
    """The outcomes of all boxes. It has passed if there are no problems."""

    outcomes: Sequence[Outcome]

    @property
    def passed(self) -> bool:
        """True if every tile was healed, in time, and nobody was asked."""
        return not any(each.problems for each in self.outcomes)

    def as_json(self) -> Mapping[str, Any]:
        """The sums, the longest healing in seconds, and the problems."""
        names = ("releases", "cuts", "kicks", "healed", "restless")
        sums = {name: sum(getattr(each, name) for each in self.outcomes) for name in names}
        longest_s = max((each.longest_s for each in self.outcomes), default=0.0)
        return {**sums, "longest_s": longest_s, "problems": self._problems()}

    def show(self) -> None:
        """The same in words, and the command that repeats each failure."""
        found = self.as_json()
        answers.print(f"{found['releases']} tiles let go, {found['cuts']} cuts of /OE amid a move.")
        answers.print(f"{found['kicks']} kicks; {found['healed']} tiles left their place and were driven there again.")
        answers.print(f"Longest healing: {found['longest_s']:.3f} s (limit {LIMIT_S}).")
        answers.print(f"Digital servos given up as restless: {found['restless']}.")
        for problem in found["problems"]:
            answers.print(problem, markup=False)
        answers.print(f"{len(found['problems'])} problems.")

    def _problems(self) -> list[str]:
        return [f"{problem}; again: {_command(each.trial)}" for each in self.outcomes for problem in each.problems]


def bench_kicks(releases: int, cuts: int, seed: int, build: Build = AS_DRAWN, *, as_json: bool) -> Exit:
    """Let go of so many tiles, and cut /OE so often amid a move; NO if one was not healed, or somebody was asked."""
    results = Campaign(
        "boxes", _trials(releases, cuts, seed, build), try_kicks, in_place=_IN_PLACE, begin=silence
    ).run()
    return print_report(KicksReport(results.outcomes), results, as_json=as_json)


def try_kicks(trial: Trial) -> Outcome:
    """Make one trial on a jumping loop."""
    return run_jumping(_Kicks(trial).run())


def _trials(releases: int, cuts: int, seed: int, build: Build) -> list[Trial]:
    """Boxes of a hundred releases; the cuts are spread over them."""
    boxes = max(1, -(-releases // _RELEASES_PER_BOX))
    sizes = [min(_RELEASES_PER_BOX, releases - _RELEASES_PER_BOX * number) for number in range(boxes)]
    shares = [cuts * (number + 1) // boxes - cuts * number // boxes for number in range(boxes)]
    return [
        Trial(seed + number, size, share, build) for number, (size, share) in enumerate(zip(sizes, shares, strict=True))
    ]


def _command(trial: Trial) -> str:
    words = f"--releases {trial.releases} --cuts {trial.cuts} --seed {trial.seed}{trial.build.words}"
    return f"python -m tests.campaigns kicks {words}"


class _Kicks:
    """One box, and the moves that it makes."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._chance = random.Random(trial.seed)
        self._box = trial.build.box(load_box("two-level-9"))
        self._outcome = Outcome(trial)

    async def run(self) -> Outcome:
        """Make the moves with cuts first, then those without."""
        tolerances = self._trial.build.tolerances(Tolerances(digital=1.0 if self._trial.digital else 0.0))
        async with open_simulated_world(self._box, seed=self._trial.seed, tolerances=tolerances) as (table, world):
            bank = table.firmware.bank
            while self._outcome.cuts < self._trial.cuts:
                await self._move(bank, world, cut_s=self._chance.uniform(0.0, _CUT_WITHIN_S))
            while self._outcome.releases < self._trial.releases:
                await self._move(bank, world)
            self._outcome.kicks = len(stress_of(world).kicks)
        return self._outcome

    async def _move(self, bank: TileBank, world: World, cut_s: float | None = None) -> None:
        """Send every tile to where a board that is drawn has it, and look where they all are."""
        wanted = self._draw_board()
        commands = [TileCommand(tile, position) for tile, position in wanted.items()]
        if cut_s is not None:
            await self._cut(bank, world, commands, cut_s)
        await self._execute(bank, world, commands)
        for tile, position in wanted.items():
            if world.position(tile) is not position:
                self._complain(world, f"{tile} ends {world.position(tile)} instead of {position}")

    def _draw_board(self) -> dict[TileId, Position]:
        """A board that the stack rule allows: in each column as many tiles lie, from the front, as is drawn."""
        wanted = {}
        for column in range(1, self._box.columns + 1):
            lying = self._chance.randint(0, self._box.rows)
            for number, tile in enumerate(self._box.in_column(column)):
                wanted[tile] = Position.SHUT if number < lying else Position.OPEN
        return wanted

    async def _cut(self, bank: TileBank, world: World, commands: Sequence[TileCommand], cut_s: float) -> None:
        """Begin the move, cut every pulse at once as a guard does, and call the move off."""
        moving = asyncio.ensure_future(bank.execute(commands))
        await asyncio.wait([moving], timeout=cut_s)
        world.hold_output_enable("high")
        moving.cancel()
        await asyncio.wait([moving])
        world.lift("oe:high")
        self._outcome.cuts += 1

    async def _execute(self, bank: TileBank, world: World, commands: Sequence[TileCommand]) -> None:
        try:
            self._note(world, await bank.execute(commands))
        except MotionFault as fault:
            self._note(world, fault.arrived)
            self._outcome.restless += isinstance(fault, TileRestless)
            if not self._trial.digital or not isinstance(fault, TileRestless):
                self._complain(world, str(fault))
            # As when somebody confirms.
            await self._execute(bank, world, commands)

    def _note(self, world: World, reports: Sequence[SensorReport]) -> None:
        moved = [report for report in reports if report.took_s is not None]
        self._outcome.releases += len(moved) + sum(report.healed for report in moved)
        others_s = max((report.at_s for report in moved if not report.healed), default=0.0)
        for report in moved:
            if report.healed:
                self._outcome.healed += report.healed
                self._note_healing(world, report, others_s)

    def _note_healing(self, world: World, report: SensorReport, others_s: float) -> None:
        """From kick to kick, and from the last to its place: nothing of that took longer than the longest of these.

        A tile that is kicked may take another one of its column along.
        """
        column = self._box.in_column(report.tile.column(self._box.columns))
        kicks_s = [at_s for tile, at_s in stress_of(world).kicks if tile in column and at_s < report.at_s]
        times_s = [*(max(at_s, others_s) for at_s in kicks_s[-report.healed :]), report.at_s]
        longest_s = max(after - before for before, after in pairwise(times_s))
        self._outcome.longest_s = max(self._outcome.longest_s, longest_s)
        if longest_s > LIMIT_S:
            self._complain(world, f"{report.tile} is healed after {longest_s:.2f} s")

    def _complain(self, world: World, problem: str) -> None:
        self._outcome.problems.append(f"at {world.now():.2f} s: {problem}")
