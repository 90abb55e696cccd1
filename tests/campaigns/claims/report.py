"""How claims were answered, kind by kind: as they must be, otherwise, and granted though they are none."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from controller.runtime.terminal import answers, table
from tests.campaigns.campaign import count_kinds
from tests.campaigns.claims.drawing import GRANTED, KINDS, Kind

_MISSED = 0.05  # the part of each kind that may be answered otherwise: asked to lay the dice anew, say
_LISTED = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """One claim: of what kind, how it was answered, the answers that are right, and whether the dice show it."""

    seed: int
    kind: Kind
    answer: str
    right: tuple[str, ...]
    is_true: bool = False

    @property
    def is_right(self) -> bool:
        """True if it was answered as it must be."""
        return self.answer in self.right

    @property
    def is_granted_wrongly(self) -> bool:
        """True if it was granted, and the six dice are not there to be seen or do not show it."""
        return self.answer == GRANTED and not self.is_right and not self.is_true


@dataclass(frozen=True, slots=True)
class ClaimsReport:
    """The answers to all claims."""

    claims: Sequence[Answer]

    @property
    def passed(self) -> bool:
        """True if none was granted wrongly, and of each kind 95 of 100 were answered as they must be."""
        return not any(each.is_granted_wrongly for each in self.claims) and not any(map(self._falls_short, KINDS))

    def as_json(self) -> Mapping[str, Any]:
        """The counts of each kind, and every claim that was not answered as it must be."""
        return {
            "kinds": {kind: self._counts(kind) for kind in KINDS},
            "passed": self.passed,
            "otherwise": [self._line(each) for each in self.claims if not each.is_right],
        }

    def show(self) -> None:
        """The same as a table, and how the first of those are laid again."""
        shown = Table("Kind", "Asked", "Right", "Otherwise", "Granted wrongly")
        for kind in KINDS:
            counts = self._counts(kind)
            otherwise = count_kinds(counts["otherwise"])
            shown.add_row(kind, str(counts["asked"]), str(counts["right"]), otherwise, str(counts["granted_wrongly"]))
        table.print(shown)
        wrong = [each for each in self.claims if not each.is_right]
        wrong.sort(key=lambda each: not each.is_granted_wrongly)
        for each in wrong[:_LISTED]:
            answers.print(self._line(each), markup=False)
        answers.print(f"{len(wrong)} of {len(self.claims)} claims were not answered as they must be.")

    def _of(self, kind: Kind) -> list[Answer]:
        return [each for each in self.claims if each.kind == kind]

    def _counts(self, kind: Kind) -> Mapping[str, Any]:
        asked = self._of(kind)
        return {
            "asked": len(asked),
            "right": sum(each.is_right for each in asked),
            "otherwise": dict(Counter(each.answer for each in asked if not each.is_right)),
            "granted_wrongly": sum(each.is_granted_wrongly for each in asked),
        }

    def _falls_short(self, kind: Kind) -> bool:
        asked = self._of(kind)
        return sum(not each.is_right for each in asked) > math.ceil(_MISSED * len(asked))

    def _line(self, each: Answer) -> str:
        wanted = " or ".join(each.right)
        again = f"python -m tests.campaigns claims --claims 1 --seed {each.seed}"
        return f"{each.kind}: {each.answer} instead of {wanted}; again: {again}"
