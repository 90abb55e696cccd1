"""Campaign `clients`: four clients at one daemon that comes and goes: is each command done just once?"""

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from tests.campaigns.campaign import Campaign, count_kinds, print_report, repeating
from tests.campaigns.clients.busy_table import BusyTable, Outcome
from tests.campaigns.limits import MetalReport
from tests.campaigns.pool import silence

_IN_PLACE = 4  # tables: see `Campaign.in_place`


def bench_clients(runs: int, seed: int, *, as_json: bool) -> Exit:
    """Let clients interleave at `runs` tables and report what was done, refused and lost; NO if anything was wrong.

    The first is drawn from `seed`, each further one from the next number.
    """
    results = Campaign("tables", range(seed, seed + runs), play_busy_table, in_place=_IN_PLACE, begin=silence).run()
    report = report_clients(results.outcomes, "runs", "tables", partial(repeating, "clients"))
    return print_report(report, results, as_json=as_json)


def play_busy_table(seed: int) -> Outcome:
    """Let the clients of this seed at their table, on a jumping loop."""

    async def play(folder: Path) -> Outcome:
        return await BusyTable(seed, folder).run()

    with tempfile.TemporaryDirectory() as folder:
        return run_jumping(play(Path(folder)))


def report_clients(outcomes: Sequence[Outcome], trials: str, told: str, repeat: Callable[[int], str]) -> MetalReport:
    """What clients did in all trials. trials: their key; told: what they are called; repeat: the command of a seed."""
    counts = sum((each.counts for each in outcomes), Counter[str]())
    done = sum((each.done for each in outcomes), Counter[str]())
    refused = sum((each.refused for each in outcomes), Counter[str]())
    return MetalReport(
        {trials: len(outcomes), "counts": dict(counts), "done": dict(done), "refused": dict(refused)},
        [
            f"{len(outcomes)} {told}: {count_kinds(counts)}.",
            f"Commands done: {count_kinds(done)}.",
            f"Commands refused: {count_kinds(refused)}.",
        ],
        [each.load for each in outcomes],
        [f"{repeat(each.seed)}: {problem}" for each in outcomes for problem in each.problems],
    )
