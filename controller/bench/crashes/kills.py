"""`shutbox bench crashes --kills`: daemons killed amid whatever they do; is each command done just once, and how soon
is the next daemon ready?
"""

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from controller.bench.campaign import Results, count_kinds, show_progress
from controller.bench.crashes.killed_box import KilledBox, Outcome, Trial
from controller.bench.crashes.report import CrashReport, percentile
from controller.bench.live import open_live_box

_KILLS_A_GAME = 20
_READY_S = 3.0  # 99 of 100 starts are ready by then


def try_kills(kills: int, seed: int, rigs: int) -> tuple[CrashReport, Results[Outcome]]:
    """Kill so many daemons, on `rigs` boxes side by side."""
    trials = [
        Trial(seed + number, min(_KILLS_A_GAME, kills - number * _KILLS_A_GAME))
        for number in range(math.ceil(kills / _KILLS_A_GAME))
    ]
    # A trial waits for processes far more than it computes, so one event loop makes them and no pool.
    results = Results[Outcome]()
    with results.take_time():
        asyncio.run(_run(trials, rigs, results.outcomes))
    return report_kills(results.outcomes, results.seconds), results


async def _run(trials: Sequence[Trial], rigs: int, outcomes: list[Outcome]) -> None:
    waiting = iter(trials)
    with show_progress("games", len(trials)) as advance:

        def add(outcome: Outcome) -> None:
            outcomes.append(outcome)
            advance("games, one with problems" if outcome.problems else "")

        async with asyncio.TaskGroup() as group:
            for _ in range(min(rigs, len(trials))):
                group.create_task(_run_one_by_one(waiting, add))


async def _run_one_by_one(waiting: Iterator[Trial], add: Callable[[Outcome], None]) -> None:
    for trial in waiting:
        async with open_live_box(KilledBox, trial.seed) as box:
            add(await box.attempt(trial))


def report_kills(outcomes: Sequence[Outcome], seconds: float) -> CrashReport:
    """What came of all kills."""
    counts = sum((each.counts for each in outcomes), Counter[str]())
    ready_s = [one_s for each in outcomes for one_s in each.ready_s]
    median_s, late_s, worst_s = (percentile(ready_s, share) for share in (50, 99, 100))
    problems = [f"{each.trial.again}: {problem}" for each in outcomes for problem in each.problems]
    if late_s > _READY_S:
        problems.append(f"99 of 100 starts took up to {late_s:.2f} s (limit {_READY_S:.0f} s)")
    ready = {"ready_median_s": round(median_s, 3), "ready_p99_s": round(late_s, 3), "ready_worst_s": round(worst_s, 3)}
    return CrashReport(
        "kills",
        {"kills": len(ready_s), "games": len(outcomes), "counts": dict(counts), **ready, "seconds": round(seconds, 1)},
        [
            f"{len(ready_s)} kills in {len(outcomes)} games: {count_kinds(counts)}.",
            f"Ready again after {median_s:.2f} s (median), {late_s:.2f} s (99 of 100), {worst_s:.2f} s (worst).",
        ],
        problems,
    )
