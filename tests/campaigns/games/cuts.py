"""Campaign `cuts`: the power goes amid games, tiles are moved meanwhile: are people asked about all?"""

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from tests.campaigns.campaign import Campaign, count_kinds, print_report, repeating
from tests.campaigns.games.cut_game import CutGame, Outcome
from tests.campaigns.limits import MetalReport
from tests.campaigns.pool import silence

_IN_PLACE = 4  # games: see `Campaign.in_place`


def bench_cuts(runs: int, seed: int, *, as_json: bool) -> Exit:
    """Cut the power of `runs` games and report what was told and what came of the answers; NO if anything was wrong.

    The first is drawn from `seed`, each further one from the next number.
    """
    results = Campaign("cuts", range(seed, seed + runs), play_cut_game, in_place=_IN_PLACE, begin=silence).run()
    return print_report(_report(results.outcomes), results, as_json=as_json)


def play_cut_game(seed: int) -> Outcome:
    """Play the game that is drawn from this seed on a jumping loop."""

    async def play(folder: Path) -> Outcome:
        return await CutGame(seed, folder).run()

    with tempfile.TemporaryDirectory() as folder:
        return run_jumping(play(Path(folder)))


def _report(outcomes: Sequence[Outcome]) -> MetalReport:
    phases = Counter(each.phase for each in outcomes)
    moved = Counter(str(each.moved) for each in outcomes)
    answers = Counter(each.answer for each in outcomes)
    differing, told = sum(each.differing for each in outcomes), sum(each.told for each in outcomes)
    return MetalReport(
        {
            "runs": len(outcomes),
            "phases": dict(phases),
            "moved": dict(sorted(moved.items())),
            "differing": differing,
            "told": told,
            "answers": dict(answers),
        },
        [
            f"{len(outcomes)} power cuts: {count_kinds(phases)}.",
            f"Tiles moved meanwhile: {count_kinds(moved)}.",
            f"Tiles that people had to be asked about: {differing}; told: {told}.",
            f"Answers: {count_kinds(answers)}.",
        ],
        [each.load for each in outcomes],
        [f"{repeating('cuts', each.seed)}: {problem}" for each in outcomes for problem in each.problems],
    )
