"""`shutbox bench faults`: whole games while things break, hands meddle and people answer; none may be scored wrong."""

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from controller.broken_game import BrokenGame, Ran
from controller.clock import run_jumping
from controller.metal_limits import tell_limits
from controller.output import Exit, answers, counted, print_json
from controller.processes import mapping, silence

_IN_PLACE = 4


def bench_faults(runs: int, seed: int, *, as_json: bool) -> Exit:
    """Play so many games and tell how they ended and what went wrong."""
    seeds = range(seed * 1_000_000, seed * 1_000_000 + runs)
    with mapping(in_place=runs <= _IN_PLACE, begin=silence) as each:
        done = each(play_broken, seeds)
        found = [next_ for _, next_ in zip(counted(seeds, "games"), done, strict=True)]
    return _tell(found, as_json=as_json)


def play_broken(seed: int) -> Ran:
    """One game drawn from this seed; anything but an end with a name is a problem."""
    with tempfile.TemporaryDirectory() as folder:
        return run_jumping(BrokenGame(seed, Path(folder)).run())


def _tell(found: Sequence[Ran], *, as_json: bool) -> Exit:
    ends = Counter(each.end for each in found)
    broken = Counter(name.partition(":")[0] for each in found for name in each.faults)
    halts = Counter(code for each in found for code in each.halts)
    problems = [f"seed {each.seed}: {problem}" for each in found for problem in each.problems]
    longest_s, most = max(each.longest_s for each in found), max(each.most for each in found)
    if as_json:
        told = {"runs": len(found), "ends": dict(ends), "faults": dict(broken), "halts": dict(halts)}
        print_json({**told, "longest_unmoved_s": longest_s, "most_of_budget": most, "problems": problems})
    else:
        answers.print(f"{len(found)} games: {_counts(ends)}.")
        answers.print(f"Broken: {_counts(broken)}.")
        answers.print(f"Halted by: {_counts(halts)}.")
        tell_limits(longest_s, most, problems)
    return Exit.NO if problems else Exit.DONE


def _counts(counter: Mapping[str, int]) -> str:
    ordered = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count}" for name, count in ordered) or "none"
