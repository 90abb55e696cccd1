"""Campaign `faults`: whole games amid faults, hands and answers; none may hang or be scored wrong."""

import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from tests.campaigns.builds import AS_DRAWN, Build
from tests.campaigns.campaign import Campaign, count_kinds, print_report, repeating
from tests.campaigns.games.chaos_game import ChaosGame, Outcome
from tests.campaigns.limits import MetalReport
from tests.campaigns.pool import silence

_IN_PLACE = 4  # games: see `Campaign.in_place`


def bench_faults(runs: int, seed: int, build: Build = AS_DRAWN, *, as_json: bool) -> Exit:
    """Play `runs` games and report how they ended and what went wrong; NO if anything did.

    The first is drawn from `seed`, each further one from the next number, so that one that went wrong can be asked for.
    """
    play = partial(play_chaos_game, build=build)
    results = Campaign("games", range(seed, seed + runs), play, in_place=_IN_PLACE, begin=silence).run()
    return print_report(_report(results.outcomes, build), results, as_json=as_json)


def play_chaos_game(seed: int, build: Build = AS_DRAWN) -> Outcome:
    """Play the game that is drawn from this seed on a jumping loop; anything but an end with a name is a problem."""
    with tempfile.TemporaryDirectory() as folder:
        return run_jumping(ChaosGame(seed, Path(folder), build).run())


def _report(outcomes: Sequence[Outcome], build: Build) -> MetalReport:
    ends = Counter(each.end for each in outcomes)
    broken = Counter(name.partition(":")[0] for each in outcomes for name in each.faults)
    halts = Counter(code for each in outcomes for code in each.halts)
    return MetalReport(
        {"runs": len(outcomes), "ends": dict(ends), "faults": dict(broken), "halts": dict(halts)},
        [
            f"{len(outcomes)} games: {count_kinds(ends)}.",
            f"Broken: {count_kinds(broken)}.",
            f"Halted by: {count_kinds(halts)}.",
        ],
        [each.load for each in outcomes],
        [f"{repeating('faults', each.seed, build=build)}: {problem}" for each in outcomes for problem in each.problems],
    )
