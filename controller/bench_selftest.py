"""`shutbox bench selftest`: every fault wherever it can be, from several boards: is it named, and nothing else?"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from controller.clock import run_jumping
from controller.fault_catalogue import apply_faults
from controller.metal_limits import TOLERANCE, UNMOVED_S, budget_a, tell_limits
from controller.output import Exit, answers, counted, print_json
from controller.processes import mapping, silence
from controller.selftest import examine
from controller.simulated import check_calibration, simulated_world
from firmware.findings import SelftestReport
from hardware.box import Box
from hardware.sim.faults import FAULTS
from hardware.tiles import Position

# Which columns lie at the start: none, all, every second one.
BOARDS: Mapping[str, int] = {"standing": 0, "lying": 1, "every second column": 2}
_IN_PLACE = 8
_BOX_S = 60.0  # a self-test of a sound box takes no longer at the box


@dataclass(frozen=True, slots=True)
class Trial:
    """One self-test: the box, the fault as the command line takes it (empty: none), which tiles lie at the start."""

    box: Box
    fault: str
    board: str
    seed: int

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
class Tried:
    """What came of a trial: what was wrong with it, how long it took at the box, and the worst for the metal."""

    kind: str
    problems: tuple[str, ...]
    box_s: float
    longest_s: float
    most: float


def bench_selftest(box: Box, every: int, seed: int, *, as_json: bool) -> Exit:
    """Test the box with each fault, or with one in so many, and tell where anything else was named."""
    trials = list(_trials(box, seed))[::every]
    with mapping(in_place=len(trials) <= _IN_PLACE, begin=silence) as each:
        found = [tried for _, tried in zip(counted(trials, "self-tests"), each(tried, trials), strict=True)]
    return _tell(found, as_json=as_json)


def tried(trial: Trial) -> Tried:
    """Do one self-test and judge it."""
    return run_jumping(_tried(trial))


def _trials(box: Box, seed: int) -> Iterator[Trial]:
    for board in BOARDS:
        yield Trial(box, "", board, seed)
        for kind in FAULTS.values():
            for part in kind.parts(box):
                yield Trial(box, f"{kind.name}:{part}", board, seed)


async def _tried(trial: Trial) -> Tried:
    async with simulated_world(trial.box, seed=trial.seed) as (table, world):
        every = BOARDS[trial.board]
        for tile in trial.box.tile_ids:
            if every and tile.column(trial.box.columns) % every == 0:
                world.hand_moves(tile, Position.SHUT)
        began_s = world.now()
        if trial.fault:
            apply_faults(world, [trial.fault])
        report = await examine(replace(table, checks=check_calibration(world)), lambda _line, _done: None)
        box_s, strain = world.now() - began_s, world.strain
        problems = list(_misjudged(trial, report, box_s))
        if strain.longest_s > UNMOVED_S + TOLERANCE:
            problems.append(f"a servo was driven {strain.longest_s:.3f} s without its tile moving")
        if world.driven and trial.fault != "oe:low":
            problems.append(f"{', '.join(map(str, world.driven))} still driven at the end")
        if world.breaks_stack_rule():
            problems.append("a tile lies behind one that stands")
    named = tuple(f"{trial.name}: {problem}" for problem in problems)
    kind = trial.fault.partition(":")[0] or "none"
    return Tried(kind, named, box_s, strain.longest_s, strain.most_a / budget_a(trial.box))


def _misjudged(trial: Trial, report: SelftestReport, box_s: float) -> Iterator[str]:
    found = tuple((fault.code, fault.part) for fault in report.findings)
    if found != trial.expected:
        yield f"expected {_listed(trial.expected)}, found {_listed(found)}"
    if report.passed is bool(trial.fault):
        yield f"passed is {report.passed}"
    if not trial.fault and box_s > _BOX_S:
        yield f"{box_s:.0f} s at the box"


def _listed(findings: Sequence[tuple[str, str]]) -> str:
    return ", ".join(" ".join(finding) for finding in findings) or "nothing"


def _tell(found: Sequence[Tried], *, as_json: bool) -> Exit:
    problems = [problem for each in found for problem in each.problems]
    kinds = Counter(each.kind for each in found)
    sound_s = max((each.box_s for each in found if each.kind == "none"), default=0.0)
    longest_s, most = max(each.longest_s for each in found), max(each.most for each in found)
    if as_json:
        told = {"trials": len(found), "kinds": dict(kinds), "sound_box_s": round(sound_s, 1)}
        print_json({**told, "longest_unmoved_s": longest_s, "most_of_budget": most, "problems": problems})
    else:
        answers.print(f"{len(found)} self-tests with {len(kinds)} kinds of faults.")
        answers.print(f"A sound box took {sound_s:.0f} s at most.")
        tell_limits(longest_s, most, problems)
    return Exit.NO if problems else Exit.DONE
