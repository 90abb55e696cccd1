"""The aims of a turn: the least score, or the greatest chance to shut the box or to end with at most N points.

NumPy is imported for type checkers only: a look back on a game names its aim and must not load it.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.shutbox.ruleset import Ruleset

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from controller.odds.shutbox.model import Indices, Model


@dataclass(frozen=True, slots=True)
class Aim:
    """The least expected score, or the greatest chance to shut the box or to end with at most `limit` points."""

    kind: Literal["score", "shut", "at-most"]
    limit: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `score`, `shut` or `at-most:12`. Raises `InvalidOption`."""
        match text:
            case "score" | "shut":
                return cls(text)
        if found := re.fullmatch(r"at-most:([0-9]{1,18})", text):
            return cls("at-most", int(found[1]))
        raise InvalidOption(
            f"no aim {text!r}; the aims are score, shut and at-most:N with N from 0, such as at-most:12"
        )

    def __str__(self) -> str:
        return f"{self.kind}:{self.limit}" if self.kind == "at-most" else self.kind

    @property
    def greatest(self) -> bool:
        """True for a chance, which the player maximises; False for a score."""
        return self.kind != "score"

    def end(self, rules: Ruleset, board: Board) -> float:
        """Return the value of `board` as the end of a turn: points, or a chance 0..1."""
        match self.kind:
            case "score":
                return float(rules.score(board))
            case "shut":
                return float(board.is_shut)
            case "at-most":
                return float(rules.score(board) <= self.limit)

    def ends(self, model: "Model", states: "Indices | None" = None) -> "NDArray[Any]":
        """Return the same for the boards `states` of a model, same shape; for every board if none are given."""
        match self.kind:
            case "score":
                return model.scores_at(states)
            case "shut":
                return model.shut_at(states)
            case "at-most":
                within: NDArray[np.bool_] = model.scores_at(states) <= self.limit
                return within

    def tidy(self, value: float) -> float:
        """Return a value without rounding errors at its limits: a chance is in 0..1, a score is not negative."""
        # Adding zero turns -0.0 into 0.0.
        return (min(max(value, 0.0), 1.0) if self.greatest else max(value, 0.0)) + 0.0
