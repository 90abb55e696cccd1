"""Runs `shutbox bench guard` and tells what came of it, as a table or as one JSON object."""

import asyncio
import math
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from controller.bench_guard import LIMIT_S, Outcome, Trial, rigged
from controller.output import Exit, answers, print_json, say, table, words

_KINDS = {False: "kill -9", True: "SIGSTOP"}


def bench_guard(trials: int, seed: int, rigs: int, *, as_json: bool) -> Exit:
    """Run `trials` of each kind on `rigs` boxes side by side; NO if one of them was not as it must be.

    Ctrl-C ends with what there is so far and is raised again as `KeyboardInterrupt`.
    """
    began_s = time.perf_counter()
    outcomes: list[Outcome] = []
    interrupted = False
    try:
        asyncio.run(_run(trials_of(trials, seed), seed, rigs, outcomes))
    except KeyboardInterrupt:
        interrupted = True
    seconds = time.perf_counter() - began_s
    print_json(_as_json(outcomes, seed, seconds)) if as_json else _print(outcomes)
    say(f"{len(outcomes)} trials in {seconds:.0f} s.")
    if interrupted:
        raise KeyboardInterrupt
    return Exit.DONE if all(outcome.is_good for outcome in outcomes) else Exit.NO


def trials_of(trials: int, seed: int) -> list[Trial]:
    """So many of each kind, in an order by chance."""
    every = [Trial(stops, f"{seed}/{kind}/{number}") for stops, kind in _KINDS.items() for number in range(trials)]
    random.Random(seed).shuffle(every)
    return every


async def _run(trials: Sequence[Trial], seed: int, rigs: int, outcomes: list[Outcome]) -> None:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    waiting = iter(trials)
    with Progress(*columns, console=words, transient=True, disable=not words.is_terminal) as progress:
        bar = progress.add_task("trials", total=len(trials))

        def done(outcome: Outcome) -> None:
            outcomes.append(outcome)
            progress.update(bar, advance=1)
            if not outcome.is_good:
                progress.update(bar, description="trials [red]with failures")

        async with asyncio.TaskGroup() as group:
            for number in range(min(rigs, len(trials))):
                group.create_task(_on_one_box(waiting, seed + number, done))


async def _on_one_box(waiting: Iterator[Trial], seed: int, done: Callable[[Outcome], None]) -> None:
    async with rigged(seed) as rig:
        await rig.learn()
        for trial in waiting:
            done(await rig.attempt(trial))


def _of(outcomes: Sequence[Outcome], *, stops: bool) -> list[Outcome]:
    return [outcome for outcome in outcomes if outcome.trial.stops == stops]


def _print(outcomes: Sequence[Outcome]) -> None:
    heads = ("Signal", "Trials", "Amid pulses", "Median", "Worst", "Looked first", "Finished")
    shown = Table(*heads)
    for column in shown.columns[1:]:
        column.justify = "right"
    for stops, kind in _KINDS.items():
        some = _of(outcomes, stops=stops)
        if some:
            shown.add_row(kind, *_cells(some), style="" if all(each.is_good for each in some) else "red")
    table.print(shown)
    for outcome in outcomes:
        if not outcome.is_good:
            answers.print(f"{_KINDS[outcome.trial.stops]} {outcome.trial.seed}: {_wrong(outcome)}", markup=False)
    if outcomes and all(outcome.is_good for outcome in outcomes):
        answers.print(f"No pulse later than {LIMIT_S:.0f} s after the signal; every game was finished.")


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
    """From the signal to silence, where there was something to silence and it was measured."""
    return [each.quiet_s for each in some if each.pulsing and math.isfinite(each.quiet_s)]


def _wrong(outcome: Outcome) -> str:
    if outcome.problem:
        return outcome.problem
    until = f"until {outcome.quiet_s:.3f} s after the signal" if math.isfinite(outcome.quiet_s) else "without end"
    said = {
        f"pulses {until}": outcome.quiet_s >= LIMIT_S,
        "the next start did not look first": not outcome.looked_first,
        "the game was not finished": not outcome.finished,
    }
    return ", ".join(words for words, is_so in said.items() if is_so)


def _as_json(outcomes: Sequence[Outcome], seed: int, seconds: float) -> dict[str, Any]:
    return {
        "seed": seed,
        "seconds": round(seconds, 1),
        "limit_s": LIMIT_S,
        "passed": all(outcome.is_good for outcome in outcomes),
        **{kind: _tally(_of(outcomes, stops=stops)) for stops, kind in _KINDS.items()},
        "failures": [
            {"trial": outcome.trial.seed, "signal": _KINDS[outcome.trial.stops], "problem": _wrong(outcome)}
            for outcome in outcomes
            if not outcome.is_good
        ],
    }


def _tally(some: Sequence[Outcome]) -> dict[str, Any]:
    times_s = _times_s(some)
    return {
        "trials": len(some),
        "amid_pulses": len(times_s),
        "median_s": round(statistics.median(times_s), 4) if times_s else None,
        "worst_s": round(max(times_s), 4) if times_s else None,
        "looked_first": sum(each.looked_first for each in some),
        "finished": sum(each.finished for each in some),
    }
