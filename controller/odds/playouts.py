"""Boards valued by turns that are played out from them by the rule of thumb, where the odds would take too long.

A look ahead of bounded work: it asks nothing of boards that the turns do not come to. To choose among moves by the
results of such turns does better than the rule by which they are played (G. Tesauro and G. Galperin, On-line Policy
Improvement using Monte-Carlo Search, 1996); the worse half of the moves is left aside after every round of turns (Z.
Karnin, T. Koren and O. Somekh, Almost Optimal Exploration in Multi-Armed Bandits, 2013).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from controller.odds.aim import Aim
from controller.odds.choices import Asks
from controller.odds.columns import Indices
from controller.odds.crowd import Crowd, Turns
from controller.odds.model import Model
from controller.odds.progress import silent
from controller.odds.strengths import ByThumb
from controller.odds.turn import Floats
from controller.rules import Board, Move, Ruleset

# Turns of a round, shared by the moves that are left in it: a move of two gets so many halves in the last round, of
# which the mean score is known to about a point where turns differ by twenty.
_TURNS = 800


@dataclass(frozen=True)
class Playouts:
    """Turns by the rule of thumb from boards that follow one board. The same seed gives the same values.

    Raises `TooManyBoards` where the boards cannot even be numbered.
    """

    model: Model
    seed: int

    @classmethod
    def of(cls, rules: Ruleset, board: Board, seed: int) -> "Playouts":
        """From a board, or from those that follow it."""
        return cls(Model.of(rules, board), seed)

    def values(self, moves: Sequence[Move], aim: Aim) -> list[float]:
        """About what each of these moves is worth for an aim; what soon looked worse is known less well."""
        board, chance = self.model.board, np.random.default_rng(self.seed)
        states = np.array([self.model.index(board.without(move)) for move in moves], np.intp)
        sums, played, left = np.zeros(len(moves)), np.zeros(len(moves)), np.arange(len(moves))
        while True:
            count = max(1, _TURNS // len(left))
            sums[left] += self._worths(states[left], count, aim, chance)
            played[left] += count
            if len(left) <= 2:
                found: list[float] = (sums / played).tolist()
                return found
            costs = (-sums if aim.greatest else sums)[left] / played[left]
            left = np.sort(left[np.argsort(costs, kind="stable")[: (len(left) + 1) // 2]])

    def scores(self) -> list[tuple[float, float]]:
        """The scores to which turns from the board come, ascending, and how often each: they add up to 1."""
        ended = self._play(np.array([self.model.size - 1]), _TURNS, np.random.default_rng(self.seed))
        scores, place = np.unique(self.model.scores_at(ended.state), return_inverse=True)
        shares = np.bincount(place.ravel(), ended.count) / ended.count.sum()
        return list(zip(scores.tolist(), shares.tolist(), strict=True))

    def _worths(self, states: Indices, count: int, aim: Aim, chance: "np.random.Generator") -> Floats:
        """What so many turns from each board come to, added up."""
        ended = self._play(states, count, chance)
        worths = aim.ends(self.model, ended.state) * ended.count
        return np.asarray(np.bincount(ended.group, worths, len(states)), np.float64)

    def _play(self, states: Indices, count: int, chance: "np.random.Generator") -> Turns:
        crowd = Crowd(self.model, Asks.of(self.model), ByThumb(self.model), chance)
        return crowd.play(Turns.at(states, count), silent)
