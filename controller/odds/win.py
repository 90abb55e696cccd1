"""The aim to win: the value of a final score is the chance to win with it."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from controller.odds.aim import Aim
from controller.odds.columns import Indices
from controller.odds.model import Model
from controller.rules.board import Board
from controller.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Win(Aim):
    """The greatest chance to win.

    scores, chances: a turn that ends with a score wins with the chance at the place of the last of `scores` (ascending)
        that is not above it.
    at_once: the chance after a shut, if that wins at once; None: it counts by its score.
    lost: the chance after a first throw that loses the round; None: it counts by its score.
    """

    kind: Literal["score", "shut", "at-most"] = "at-most"
    scores: tuple[float, ...] = (0,)
    chances: tuple[float, ...] = (1.0,)
    at_once: float | None = None
    lost: float | None = None

    def __str__(self) -> str:
        return f"win:{self.scores}:{self.chances}:{self.at_once}:{self.lost}"

    def end(self, rules: Ruleset, board: Board) -> float:
        if self.at_once is not None and board.is_shut:
            return self.at_once
        if self.lost is not None and board == rules.start():
            return self.lost
        return self.chances[bisect_right(self.scores, rules.score(board)) - 1]

    def ends(self, model: Model, states: Indices | None = None) -> NDArray[Any]:
        ends = np.array(self.chances)[np.searchsorted(self.scores, model.scores_at(states), side="right") - 1]
        if self.at_once is not None and not model.idle:
            ends[0 if states is None else states == 0] = self.at_once
        if self.lost is not None and model.board == model.rules.start():
            ends[-1 if states is None else states == model.size - 1] = self.lost
        return ends
