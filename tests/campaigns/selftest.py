"""Campaign `selftest`: every fault at every part, from several boards: is it named, and nothing else?"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from controller.box.checks import examine
from controller.box.faults import apply_faults
from controller.box.simulated import open_simulated_world
from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from firmware.errors import DeviceMissing
from firmware.selftest.findings import SelftestReport
from hardware.box import Box
from hardware.sim.faults import FAULTS
from hardware.sim.servo import CAREFUL, Tolerances
from hardware.sim.world import World
from hardware.tiles import Position, TileId
from tests.campaigns.builds import AS_DRAWN, Build
from tests.campaigns.campaign import Campaign, print_report
from tests.campaigns.limits import Load, MetalReport, measure_load, violations
from tests.campaigns.pool import silence

# Which columns lie at the start: none, all, every second one.
BOARDS: Mapping[str, int] = {"standing": 0, "lying": 1, "every second column": 2}
_IN_PLACE = 8  # self-tests: see `Campaign.in_place`
# A self-test of a sound box takes no longer at the box: with 18 tiles on slotted rods, which come to rest after each
# move, 82 to 99 s, on rigid ones 55 to 64 s.
_BOX_S = 110.0


@dataclass(frozen=True, slots=True)
class Trial:
    """One self-test: the box, the fault as the command line takes it (empty: none), which tiles lie at the start."""

    box: Box
    fault: str
    board: str
    seed: int
    tolerances: Tolerances = CAREFUL

    @property
    def name(self) -> str:
        """The trial in words."""
        return f"{self.fault or 'no fault'}, {self.board}"

    @property
    def expected(self) -> tuple[tuple[str, str], ...]:
        """The codes and parts that the self-test should name."""
        if not self.fault:
            return ()
        name, _, part = self.fault.partition(":")
        return (FAULTS[name].finding(part),)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One judged self-test: the kind of its fault (or "none"), the seconds it took at the box, the worst for the metal,
    and what went wrong in words.
    """

    kind: str
    box_s: float
    load: Load
    problems: tuple[str, ...]


def bench_selftest(box: Box, every: int, seed: int, build: Build = AS_DRAWN, *, as_json: bool) -> Exit:
    """Test the box with each fault, or one in `every`, and report where anything else was named; NO if it was."""
    trials = list(_trials(build.box(box), seed, build.tolerances()))[::every]
    results = Campaign("self-tests", trials, try_selftest, in_place=_IN_PLACE, begin=silence).run()
    return print_report(_report(results.outcomes), results, as_json=as_json)


def try_selftest(trial: Trial) -> Outcome:
    """Make one self-test on a jumping loop, and judge it."""
    return run_jumping(_try_selftest(trial))


def _trials(box: Box, seed: int, tolerances: Tolerances) -> Iterator[Trial]:
    for board in BOARDS:
        yield Trial(box, "", board, seed, tolerances)
        for kind in FAULTS.values():
            for part in kind.parts(box):
                # No die goes under a tile that lies.
                if kind.name == "die" and _lies(TileId.parse(part), box, board):
                    continue
                yield Trial(box, f"{kind.name}:{part}", board, seed, tolerances)


async def _try_selftest(trial: Trial) -> Outcome:
    try:
        prepare = partial(_prepare, trial)
        opening = open_simulated_world(trial.box, seed=trial.seed, prepare=prepare, tolerances=trial.tolerances)
        async with opening as (table, world):
            report = await examine(table, lambda _line, _done: None)
            problems = tuple(violations(world, shorted=trial.fault == "oe:low"))
            return _judge(trial, report, world.now(), measure_load(world), problems)
    except DeviceMissing as fault:
        # Nothing of a box that does not open can be tested, and nothing was moved.
        return _judge(trial, SelftestReport((fault.fault,), tuple(map(str, trial.box.tile_ids))), 0.0, Load(), ())


def _prepare(trial: Trial, world: World) -> None:
    """Lay the tiles of the board, then break the box."""
    for tile in trial.box.tile_ids:
        if _lies(tile, trial.box, trial.board):
            world.hand_moves(tile, Position.SHUT)
    if trial.fault:
        apply_faults(world, [trial.fault])


def _lies(tile: TileId, box: Box, board: str) -> bool:
    every = BOARDS[board]
    return every > 0 and tile.column(box.columns) % every == 0


def _judge(trial: Trial, report: SelftestReport, box_s: float, load: Load, problems: Sequence[str]) -> Outcome:
    kind = trial.fault.partition(":")[0] or "none"
    found = (*_misjudgements(trial, report, box_s), *problems)
    return Outcome(kind, box_s, load, tuple(f"{trial.name}: {problem}" for problem in found))


def _misjudgements(trial: Trial, report: SelftestReport, box_s: float) -> Iterator[str]:
    found = tuple((fault.code, fault.part) for fault in report.findings)
    if found != trial.expected:
        yield f"expected {_join_findings(trial.expected)}, found {_join_findings(found)}"
    if report.passed is bool(trial.fault):
        yield f"passed is {report.passed}"
    if not trial.fault and box_s > _BOX_S:
        yield f"{box_s:.0f} s at the box"


def _join_findings(findings: Sequence[tuple[str, str]]) -> str:
    return ", ".join(" ".join(finding) for finding in findings) or "nothing"


def _report(outcomes: Sequence[Outcome]) -> MetalReport:
    kinds = Counter(each.kind for each in outcomes)
    sound_s = max((each.box_s for each in outcomes if each.kind == "none"), default=0.0)
    return MetalReport(
        {"trials": len(outcomes), "kinds": dict(kinds), "sound_box_s": round(sound_s, 1)},
        [
            f"{len(outcomes)} self-tests with {len(kinds)} kinds of faults.",
            f"A sound box took {sound_s:.0f} s at most.",
        ],
        [each.load for each in outcomes],
        [problem for each in outcomes for problem in each.problems],
    )
