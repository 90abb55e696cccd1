"""Campaign `hang`: buses that hang amid a reset, with a guard and without; as a table or JSON."""

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

from rich.table import Table

from controller.runtime.output import Exit
from controller.runtime.terminal import answers, table
from hardware.box import LONGEST_DRIVE_S
from tests.campaigns.campaign import Results, print_report, show_progress
from tests.campaigns.errors import BadTrial
from tests.campaigns.live.box import open_live_box
from tests.campaigns.live.hang import KINDS, LOCKED, HungBox, Outcome, Trial

# Mock-box and this process are wood, wires and instruments, which wait for no processor: daemon, guard and load have
# what they leave. With the same claim for all, the wait of a cut for the mock-box counted as part of the drive.
_NICENESS = 10
_AS_PRODUCT = ("nice", "-n", str(_NICENESS))

_EVERY = (*product(KINDS, (True, False)), (LOCKED, True))


@dataclass(frozen=True, slots=True)
class HangReport:
    """Every outcome, and how many seconds it took them all."""

    outcomes: Sequence[Outcome]
    seconds: float

    @property
    def passed(self) -> bool:
        """True if no servo was driven for too long and every game went on."""
        return all(outcome.is_good for outcome in self.outcomes)

    def as_json(self) -> Mapping[str, Any]:
        """The counts by kind, and every failure."""
        return {
            "seconds": round(self.seconds, 1),
            "limit_s": LONGEST_DRIVE_S,
            "passed": self.passed,
            "kinds": [
                {"hang": kind, "guard": guarded, **_counts(some)} for (kind, guarded), some in self._by_kind() if some
            ],
            "failures": [
                {"trial": each.trial.seed, "hang": each.trial.kind, "guard": each.trial.guarded, "problem": _tell(each)}
                for each in self.outcomes
                if not each.is_good
            ],
        }

    def show(self) -> None:
        """The same as a table, and a line for each failure."""
        shown = Table("Hang", "Guard", "Trials", "Tiles", "Jammed", "Longest drive", "Named", "Falsely", "Went on")
        for column in shown.columns[2:]:
            column.justify = "right"
        for (kind, guarded), some in self._by_kind():
            if some:
                style = "" if all(each.is_good for each in some) else "red"
                shown.add_row(
                    kind, "own process" if guarded else "none", *map(str, _counts(some).values()), style=style
                )
        table.print(shown)
        for each in self.outcomes:
            if not each.is_good:
                again = f"python -m tests.campaigns hang --only {each.trial.seed}"
                answers.print(f"{each.trial.kind}, guard {each.trial.guarded}: {_tell(each)}; {again}", markup=False)
        if self.outcomes and self.passed:
            answers.print(f"No servo was driven longer than {LONGEST_DRIVE_S} s; every game went on to its end.")

    def _by_kind(self) -> Iterator[tuple[tuple[str, bool], list[Outcome]]]:
        for kind, guarded in _EVERY:
            yield (
                (kind, guarded),
                [each for each in self.outcomes if (each.trial.kind, each.trial.guarded) == (kind, guarded)],
            )


def bench_hang(trials: int, seed: int, rigs: int, load: int, only: str | None, *, as_json: bool) -> Exit:
    """Make `trials` of each kind on `rigs` boxes side by side, or `only` one; NO if one was not as it must be.

    load: so many processes that compute without end beside them.
    Ctrl-C ends with what there is so far and is raised again as `KeyboardInterrupt`.
    """
    drawn = draw_trials(trials, seed) if only is None else [trial_of(only)]
    # A trial waits for processes far more than it computes, so one event loop makes them and no pool.
    results = Results[Outcome]()
    _go_first()
    with results.take_time():
        asyncio.run(_run(drawn, seed, rigs, load, results.outcomes))
    report = HangReport(results.outcomes, results.seconds)
    return print_report(
        report, results, as_json=as_json, summary=f"{len(results.outcomes)} trials in {results.seconds:.0f} s."
    )


def draw_trials(trials: int, seed: int) -> list[Trial]:
    """Draw `trials` of each kind, in an order by chance."""
    names = [f"{seed}/{place}/{number}" for place in range(len(_EVERY)) for number in range(trials)]
    random.Random(seed).shuffle(names)
    return [trial_of(name) for name in names]


def trial_of(name: str) -> Trial:
    """The trial of that name: its seed, the number of its kind, its own number. Raises `BadTrial` for another one."""
    parts = name.split("/")
    are_numbers = all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts)
    if len(parts) != 3 or not are_numbers or int(parts[1]) >= len(_EVERY):
        raise BadTrial(f"a trial is named SEED/KIND/NUMBER, KIND 0 to {len(_EVERY) - 1}, not {name!r}")
    return Trial(*_EVERY[int(parts[1])], name)


def _go_first() -> None:
    """Give this process, and the mock-boxes that it starts, the processor before daemon, guard and load.

    Without the right to it they all have the same claim, less the niceness of `_AS_PRODUCT`.
    """
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -_NICENESS)


@contextmanager
def _burden(load: int) -> Iterator[None]:
    """Let so many processes compute beside daemon and guard while the block lasts."""
    with ExitStack() as stack:
        for _ in range(load):
            busy = stack.enter_context(subprocess.Popen([*_AS_PRODUCT, sys.executable, "-c", "while True: pass"]))
            stack.callback(busy.kill)
        yield


async def _run(trials: Sequence[Trial], seed: int, rigs: int, load: int, outcomes: list[Outcome]) -> None:
    with show_progress("trials", len(trials)) as advance:
        async with AsyncExitStack() as stack:
            working: list[tuple[HungBox, Iterator[Trial]]] = []
            for guarded in (True, False):
                its = [trial for trial in trials if trial.guarded == guarded]
                waiting = iter(its)
                for number in range(min(len(its), max(1, rigs // 2))):
                    opening = open_live_box(HungBox, seed + number, guarded=guarded, before=_AS_PRODUCT)
                    working.append((await stack.enter_async_context(opening), waiting))
            # What a start takes under a load is no part of a trial.
            stack.enter_context(_burden(load))

            async def make(box: HungBox, waiting: Iterator[Trial]) -> None:
                for trial in waiting:
                    outcomes.append(await box.attempt(trial))
                    advance("" if outcomes[-1].is_good else "trials [red]with failures")

            async with asyncio.TaskGroup() as group:
                for box, waiting in working:
                    group.create_task(make(box, waiting))


def _counts(some: Sequence[Outcome]) -> dict[str, Any]:
    return {
        "trials": len(some),
        "tiles": sum(each.tiles for each in some),
        "jammed": sum(each.jammed for each in some),
        "longest_s": round(max(each.unmoved_s for each in some), 3),
        "named": sum(each.named for each in some),
        "falsely": sum(each.falsely for each in some),
        "went_on": sum(each.went_on for each in some),
    }


def _tell(outcome: Outcome) -> str:
    if outcome.problem:
        return outcome.problem
    said = {
        f"driven for {outcome.unmoved_s:.3f} s": outcome.unmoved_s > LONGEST_DRIVE_S,
        "the bus was not named": not outcome.named,
        "the bus was named while nobody held it": bool(outcome.falsely),
        "the game did not go on": not outcome.went_on,
    }
    return ", ".join(words for words, is_so in said.items() if is_so)
