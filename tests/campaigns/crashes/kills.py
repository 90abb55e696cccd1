"""`crashes --kills`: daemons are killed amid play; is each command done once, and the next one ready?"""

import asyncio
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.campaigns.campaign import Results, count_kinds, show_progress
from tests.campaigns.crashes.played_box import Evening, PlayedBox
from tests.campaigns.crashes.report import CrashReport, percentile
from tests.campaigns.live.box import NotReady, open_live_box

_KILLS_A_GAME = 20
# So long at most after it was ready, a daemon is killed; amid a race, which sets its tiles first, later.
_LIVES_S = {False: 1.5, True: 4.0}
_READY_S = 3.0  # 99 of 100 starts are ready by then


@dataclass(frozen=True, slots=True)
class Trial:
    """A game amid which the daemon is killed so many times, drawn from `seed`: a race where that is odd."""

    seed: int
    kills: int

    @property
    def again(self) -> str:
        """The command that makes it again; what a kill interrupts is the machine's to say."""
        return f"python -m tests.campaigns crashes --kills {self.kills} --seed {self.seed}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one game, and how long each start after a kill took until it was ready."""

    trial: Trial
    evening: Evening
    ready_s: Sequence[float]


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
            advance("games, one with problems" if outcome.evening.problems else "")

        async with asyncio.TaskGroup() as group:
            for _ in range(min(rigs, len(trials))):
                group.create_task(_run_one_by_one(waiting, add))


async def _run_one_by_one(waiting: Iterator[Trial], add: Callable[[Outcome], None]) -> None:
    for trial in waiting:
        add(await attempt_kills(trial))


async def attempt_kills(trial: Trial) -> Outcome:
    """Play on a box of its own while the daemon is killed again and again. A box that does not start is a problem."""
    try:
        async with open_live_box(PlayedBox, trial.seed) as box:
            return await _play_and_kill(box, trial)
    except NotReady as error:
        return Outcome(trial, Evening(problems=[str(error)]), ())


async def _play_and_kill(box: PlayedBox, trial: Trial) -> Outcome:
    chance, ready_s = random.Random(f"{trial.seed}/kills"), list[float]()
    races = trial.seed % 2 > 0

    # From its second daemon on: no race would ever begin in lives that are shorter than its count.
    box.home.settings.write_text("[pace]\ncount_s = 0.1\n")

    async def kill() -> None:
        for _ in range(trial.kills):
            await asyncio.sleep(chance.uniform(0.0, _LIVES_S[races]))
            await box.stop()
            began_s = time.monotonic()
            await box.start()
            ready_s.append(time.monotonic() - began_s)

    return Outcome(trial, await box.play(trial.seed, kill, races=races), ready_s)


def report_kills(outcomes: Sequence[Outcome], seconds: float) -> CrashReport:
    """What came of all kills."""
    counts = sum((each.evening.counts for each in outcomes), Counter[str]())
    ready_s = [one_s for each in outcomes for one_s in each.ready_s]
    median_s, late_s, worst_s = (percentile(ready_s, share) for share in (50, 99, 100))
    problems = [f"{each.trial.again}: {problem}" for each in outcomes for problem in each.evening.problems]
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
