"""Simulated turns side by side, and playouts: boards valued by turns played by the heuristic if odds take too long.

The work of a playout is bounded: it never evaluates boards that the turns do not reach. Choosing among moves by
the results of such turns is better than the heuristic that plays them (G. Tesauro and G. Galperin, On-line Policy
Improvement using Monte-Carlo Search, 1996); the worse half of the moves is dropped after every round of turns (Z.
Karnin, T. Koren and O. Somekh, Almost Optimal Exploration in Multi-Armed Bandits, 2013).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from controller.odds.aim import Aim
from controller.odds.choices import Demands
from controller.odds.columns import Indices
from controller.odds.crowd import TurnBatch, Turns
from controller.odds.model import Model
from controller.odds.progress import silent
from controller.odds.strengths import ByHeuristic
from controller.rules.board import Board
from controller.rules.ruleset import Move, Ruleset

# The turns of a round, shared by the remaining moves: in the last round each of two moves gets half of them, which
# gives the mean score to about a point where turns differ by twenty.
_TURNS = 800


@dataclass(frozen=True)
class Playouts:
    """Turns by the heuristic from boards that follow one board. The same seed gives the same values.

    Raises `TooManyBoards` if the boards cannot even be numbered.
    """

    model: Model
    seed: int

    @classmethod
    def of(cls, rules: Ruleset, board: Board, seed: int) -> "Playouts":
        """Return playouts from `board`, or from boards that follow it."""
        return cls(Model.of(rules, board), seed)

    def values(self, moves: Sequence[Move], aim: Aim) -> list[float]:
        """Return the approximate value of each of these moves for an aim; moves dropped early are less accurate."""
        board, chance = self.model.board, np.random.default_rng(self.seed)
        states = np.array([self.model.index(board.without(move)) for move in moves], np.intp)
        sums, played, left = np.zeros(len(moves)), np.zeros(len(moves)), np.arange(len(moves))
        while True:
            count = max(1, _TURNS // len(left))
            ended = self._play(states[left], count, chance)
            sums[left] += np.bincount(ended.group, aim.ends(self.model, ended.state) * ended.count, len(left))
            played[left] += count
            if len(left) <= 2:
                found: list[float] = (sums / played).tolist()
                return found
            costs = (-sums if aim.greatest else sums)[left] / played[left]
            left = np.sort(left[np.argsort(costs, kind="stable")[: (len(left) + 1) // 2]])

    def scores(self) -> list[tuple[float, float]]:
        """Return the scores of turns from the board, ascending, and their shares, which add up to 1."""
        ended = self._play(np.array([self.model.size - 1]), _TURNS, np.random.default_rng(self.seed))
        scores, place = np.unique(self.model.scores_at(ended.state), return_inverse=True)
        shares = np.bincount(place.ravel(), ended.count) / ended.count.sum()
        return list(zip(scores.tolist(), shares.tolist(), strict=True))

    def _play(self, states: Indices, count: int, chance: "np.random.Generator") -> Turns:
        batch = TurnBatch(self.model, Demands.of(self.model), ByHeuristic(self.model), chance)
        return batch.play(Turns.at(states, count), silent)
