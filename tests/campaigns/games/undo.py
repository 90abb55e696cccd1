"""Campaign `undo`: any game there is; choices taken back and throws corrected wherever that can be."""

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from controller.runtime.output import Exit
from tests.campaigns.campaign import Campaign, count_kinds, print_report
from tests.campaigns.games.undone_game import Outcome, play_undone_game
from tests.campaigns.limits import MetalReport
from tests.campaigns.pool import silence

_IN_PLACE = 4  # games: see `Campaign.in_place`


def bench_undo(games: int, seed: int, *, as_json: bool) -> Exit:
    """Play so many games and report what was taken back in them; NO if one of them is another game for it.

    The first is drawn from `seed`, each further one from the next number.
    """
    results = Campaign("games", range(seed, seed + games), try_undo, in_place=_IN_PLACE, begin=silence).run()
    return print_report(_report(results.outcomes), results, as_json=as_json)


def try_undo(seed: int) -> Outcome:
    """Play the game that is drawn from this seed."""
    with tempfile.TemporaryDirectory() as folder:
        return play_undone_game(seed, Path(folder))


def _report(outcomes: Sequence[Outcome]) -> MetalReport:
    names, ends = Counter(each.game for each in outcomes), Counter(each.end for each in outcomes)
    counts = sum((each.counts for each in outcomes), Counter[str]())
    facts = {"games": len(outcomes), "ends": dict(ends), "counts": dict(counts), "names": dict(names)}
    return MetalReport(
        facts,
        [f"{len(outcomes)} games: {count_kinds(ends)}.", f"{count_kinds(counts)}.", f"{count_kinds(names)}."],
        [each.load for each in outcomes],
        [
            f"python -m tests.campaigns undo --games 1 --seed {each.seed}: {problem}"
            for each in outcomes
            for problem in each.problems
        ],
    )
