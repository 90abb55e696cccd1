"""Campaign `guard`: daemons killed and stopped amid a reset; how soon pulses end, as a table or JSON."""

import asyncio
import math
import random
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from controller.runtime.output import Exit
from controller.runtime.terminal import answers, table
from tests.campaigns.campaign import Results, print_report, show_progress
from tests.campaigns.live.box import open_live_box
from tests.campaigns.live.guard import LIMIT_S, GuardedBox, Outcome, Trial

_KINDS = {False: "kill -9", True: "SIGSTOP"}


@dataclass(frozen=True, slots=True)
class GuardReport:
    """Every outcome of this seed, and how many seconds it took them all."""

    outcomes: Sequence[Outcome]
    seed: int
    seconds: float

    @property
    def passed(self) -> bool:
        """True if every box fell silent in time and every game was finished."""
        return all(outcome.is_good for outcome in self.outcomes)

    def of(self, *, stops: bool) -> list[Outcome]:
        """The outcomes of one kind of signal."""
        return [outcome for outcome in self.outcomes if outcome.trial.stops == stops]

    def as_json(self) -> Mapping[str, Any]:
        """The counts by kind, and every failure."""
        return {
            "seed": self.seed,
            "seconds": round(self.seconds, 1),
            "limit_s": LIMIT_S,
            "passed": self.passed,
            **{kind: _counts(self.of(stops=stops)) for stops, kind in _KINDS.items()},
            "failures": [
                {"trial": outcome.trial.seed, "signal": _KINDS[outcome.trial.stops], "problem": _problem(outcome)}
                for outcome in self.outcomes
                if not outcome.is_good
            ],
        }

    def show(self) -> None:
        """The same as a table, and a line for each failure."""
        heads = ("Signal", "Trials", "Amid pulses", "Median", "Worst", "Looked first", "Finished")
        shown = Table(*heads)
        for column in shown.columns[1:]:
            column.justify = "right"
        for stops, kind in _KINDS.items():
            some = self.of(stops=stops)
            if some:
                shown.add_row(kind, *_cells(some), style="" if all(each.is_good for each in some) else "red")
        table.print(shown)
        for outcome in self.outcomes:
            if not outcome.is_good:
                kind = _KINDS[outcome.trial.stops]
                answers.print(f"{kind} {outcome.trial.seed}: {_problem(outcome)}", markup=False)
        if self.outcomes and self.passed:
            answers.print(f"No pulse later than {LIMIT_S:.0f} s after the signal; every game was finished.")


def bench_guard(trials: int, seed: int, rigs: int, *, as_json: bool) -> Exit:
    """Make `trials` of each kind on `rigs` boxes side by side; NO if one of them was not as it must be.

    Ctrl-C ends with what there is so far and is raised again as `KeyboardInterrupt`.
    """
    # A trial waits for processes far more than it computes, so one event loop makes them and no pool.
    results = Results[Outcome]()
    with results.take_time():
        asyncio.run(_run(draw_trials(trials, seed), seed, rigs, results.outcomes))
    report = GuardReport(results.outcomes, seed, results.seconds)
    return print_report(
        report, results, as_json=as_json, summary=f"{len(results.outcomes)} trials in {results.seconds:.0f} s."
    )


def draw_trials(trials: int, seed: int) -> list[Trial]:
    """Draw `trials` of each kind, in an order by chance."""
    every = [Trial(stops, f"{seed}/{kind}/{number}") for stops, kind in _KINDS.items() for number in range(trials)]
    random.Random(seed).shuffle(every)
    return every


async def _run(trials: Sequence[Trial], seed: int, rigs: int, outcomes: list[Outcome]) -> None:
    waiting = iter(trials)
    with show_progress("trials", len(trials)) as advance:

        def add(outcome: Outcome) -> None:
            outcomes.append(outcome)
            advance("" if outcome.is_good else "trials [red]with failures")

        async with asyncio.TaskGroup() as group:
            for number in range(min(rigs, len(trials))):
                group.create_task(_run_on_one_box(waiting, seed + number, add))


async def _run_on_one_box(waiting: Iterator[Trial], seed: int, add: Callable[[Outcome], None]) -> None:
    async with open_live_box(GuardedBox, seed) as box:
        await box.measure_reset()
        for trial in waiting:
            add(await box.attempt(trial))


def _cells(some: Sequence[Outcome]) -> list[str]:
    times_s = _times_s(some) or [0.0]
    return [
        str(len(some)),
        str(sum(each.pulsing for each in some)),
        f"{statistics.median(times_s):.3f} s",
        f"{max(times_s):.3f} s",
        str(sum(each.looked_first for each in some)),
        str(sum(each.finished for each in some)),
    ]


def _times_s(some: Sequence[Outcome]) -> list[float]:
    """Seconds from the signal to silence, of the trials with something to silence whose time was measured."""
    return [each.quiet_s for each in some if each.pulsing and math.isfinite(each.quiet_s)]


def _problem(outcome: Outcome) -> str:
    if outcome.problem:
        return outcome.problem
    until = f"until {outcome.quiet_s:.3f} s after the signal" if math.isfinite(outcome.quiet_s) else "without end"
    said = {
        f"pulses {until}": outcome.quiet_s >= LIMIT_S,
        "the next start did not look first": not outcome.looked_first,
        "the game was not finished": not outcome.finished,
    }
    return ", ".join(words for words, is_so in said.items() if is_so)


def _counts(some: Sequence[Outcome]) -> dict[str, Any]:
    times_s = _times_s(some)
    return {
        "trials": len(some),
        "amid_pulses": len(times_s),
        "median_s": round(statistics.median(times_s), 4) if times_s else None,
        "worst_s": round(max(times_s), 4) if times_s else None,
        "looked_first": sum(each.looked_first for each in some),
        "finished": sum(each.finished for each in some),
    }
