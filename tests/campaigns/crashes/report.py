"""What each mode of the campaign reports: facts in figures, the same in words, and what went wrong."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller.runtime.terminal import answers


@dataclass(frozen=True, slots=True)
class CrashReport:
    """The report of one mode (`kills`, `cuts`, ...). It has passed if there are no `problems`.

    `facts` are what it counted and measured, and `lines` the same in words.
    """

    mode: str
    facts: Mapping[str, Any]
    lines: Sequence[str]
    problems: Sequence[str]

    @property
    def passed(self) -> bool:
        """True if nothing went wrong."""
        return not self.problems

    def as_json(self) -> Mapping[str, Any]:
        """The mode, the facts, then the problems."""
        return {"mode": self.mode, "passed": self.passed, **self.facts, "problems": list(self.problems)}

    def show(self) -> None:
        """The same, a line each."""
        for line in (*self.lines, *self.problems, f"{len(self.problems)} problems."):
            answers.print(line, markup=False)


def percentile(values: Iterable[float], share: float) -> float:
    """The least of the values that `share` of 100 do not exceed; 0 of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)] if ordered else 0.0
