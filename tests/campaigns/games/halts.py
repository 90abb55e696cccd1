"""Campaign `halts`: every fault in every phase, and every answer to it: does each game go on?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from controller.runtime.clock import run_jumping
from controller.runtime.output import Exit
from controller.runtime.terminal import answers
from tests.campaigns.campaign import Campaign, count_kinds, print_report
from tests.campaigns.errors import BadTrial
from tests.campaigns.games.halt_walk import Halt, Way, every_halt, walk_all_answers
from tests.campaigns.pool import silence

_IN_PLACE = 4  # halts: see `Campaign.in_place`


@dataclass(frozen=True, slots=True)
class HaltsReport:
    """The report of all ways that were walked, by the number of their halt; it has passed if each of them goes on."""

    ways: Sequence[tuple[int, Way]]

    @property
    def passed(self) -> bool:
        """True if there is a way on everywhere."""
        return not self._ends

    @property
    def _ends(self) -> list[str]:
        """The ways that do not go on, each with the command that walks them again."""
        return [f"python -m tests.campaigns halts --only {number}: {way}" for number, way in self.ways if way.problem]

    @property
    def _codes(self) -> Counter[str]:
        return Counter(way.halt.partition(" ")[0] for _, way in self.ways if way.halt)

    @property
    def _given(self) -> Counter[str]:
        return Counter(way.answer for _, way in self.ways if way.halt)

    def as_json(self) -> dict[str, Any]:
        """The counts, then the ways that do not go on."""
        counts = {"ways": len(self.ways), "halts": dict(self._codes), "answers": dict(self._given)}
        return {**counts, "problems": self._ends}

    def show(self) -> None:
        """The same, a line each."""
        answers.print(f"{len(self.ways)} ways. Halted by: {count_kinds(self._codes)}.")
        answers.print(f"Answers: {count_kinds(self._given)}.")
        for end in self._ends:
            answers.print(end, markup=False)
        answers.print(f"{len(self._ends)} problems.")


def bench_halts(every: int, only: int | None, *, as_json: bool) -> Exit:
    """Walk through one in `every` of all halts, or only the one with this number, and report the ways that do not go
    on; NO if there are any. Raises `BadTrial` for a number that no halt has.
    """
    numbered = list(enumerate(every_halt()))
    if only is not None and only >= len(numbered):
        raise BadTrial(f"the halts are numbered 0 to {len(numbered) - 1}; there is none with {only}")
    trials = numbered[::every] if only is None else numbered[only : only + 1]
    halts = [halt for _, halt in trials]
    results = Campaign("halts", halts, answer_in_every_way, in_place=_IN_PLACE, begin=silence).run()
    outcomes = zip(trials, results.outcomes, strict=False)  # fewer of them after Ctrl-C
    ways = [(number, way) for (number, _), each in outcomes for way in each]
    return print_report(HaltsReport(ways), results, as_json=as_json)


def answer_in_every_way(halt: Halt) -> list[Way]:
    """Walk through a halt with each answer that it takes, on a jumping loop."""
    return run_jumping(walk_all_answers(halt))
