"""Simulated turns side by side, and playouts: boards valued by turns played by the heuristic if odds take too long.

The work of a playout is bounded: it never evaluates boards that the turns do not reach. Choosing among moves by
the results of such turns is better than the heuristic that plays them (G. Tesauro and G. Galperin, On-line Policy
Improvement using Monte-Carlo Search, 1996); the worse half of the moves is dropped after every round of turns (Z.
Karnin, T. Koren and O. Somekh, Almost Optimal Exploration in Multi-Armed Bandits, 2013).
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from controller.odds.shutbox.aim import Aim
from controller.odds.shutbox.choosers import ByHeuristic, Chooser
from controller.odds.shutbox.model import Floats, Indices, Model
from controller.odds.shutbox.moves import Choices, Demands, choices_of, first_of_each
from controller.odds.work import Progress, silent
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Move, Ruleset

# The number of boards whose moves are listed at once: for The 300 about a hundred megabytes.
_AT_ONCE = 1 << 12


@dataclass(frozen=True, slots=True)
class Turns:
    """Turns at boards, shape (n,) each: their group (0 and up), the number of their board, and how many they are."""

    group: Indices
    state: Indices
    count: Indices

    @classmethod
    def at(cls, states: Indices, count: int) -> "Turns":
        """Return `count` turns at each of these boards, each board as a group of its own."""
        return cls(np.arange(len(states)), states, np.full(len(states), count, np.int64))

    def only(self, chosen: Indices | slice) -> "Turns":
        return Turns(self.group[chosen], self.state[chosen], self.count[chosen])


@dataclass
class TurnBatch:
    """Turns that are played side by side, from the boards with the most standing tiles down. To be played once.

    Turns at the same board are alike, so only their number is kept: how often they throw each outcome is one draw from
    the multinomial distribution. This is exactly the distribution of turns played one by one, not an approximation, and
    ten million turns evaluate moves only once for each board that occurs.

    throws: the number of throws so far, of all groups.
    """

    model: Model
    demands: Demands
    chooser: Chooser
    # A string: NumPy loads `random` on first use, which an idle daemon never needs.
    chance: "np.random.Generator"
    throws: int = 0
    _waiting: defaultdict[int, list[Turns]] = field(default_factory=lambda: defaultdict(list))
    _ended: list[Turns] = field(default_factory=list)

    def play(self, turns: Turns, progress: Progress) -> Turns:
        """Play turns to their end; return the boards at which they stopped, perhaps with repetitions."""
        self._wait(turns)
        most = max(self._waiting)
        for level in range(most, -1, -1):
            for at in self._merged(self._waiting.pop(level, [])):
                self._step(at)
            progress((most + 1 - level) / (most + 1))
        return _joined(self._ended)

    def _step(self, at: Turns) -> None:
        """Make one throw and one move of these turns, which hold each board of a group once."""
        if at.state[0] == 0 and not self.model.idle:
            self._ended.append(at)
            return
        self.throws += int(at.count.sum())
        by_dice = self.chance.multinomial(at.count, self.chooser.dice(at.state))
        thrown = np.zeros((len(at.state), len(self.demands)), np.int64)  # the number of turns with each demand
        for turns, chances in zip(by_dice.T, self.demands.chances, strict=True):
            thrown += self.chance.multinomial(turns, chances)
        choices = choices_of(self.model, self.demands, at.state, wanted=thrown > 0)
        if len(choices):
            self._move(at, *self.chooser.moves(choices), thrown)
        self._end(Turns(at.group, at.state, thrown.sum(axis=1)))

    def _move(self, at: Turns, choices: Choices, weights: Floats, thrown: Indices) -> None:
        """Move the turns that can move, and remove them from `thrown`."""
        cells, starts = thrown.reshape(-1), first_of_each(choices.cell)
        counts = _shared_out(cells[choices.cell[starts]], weights, starts, self.chance)
        cells[choices.cell[starts]] = 0
        row, demand = np.divmod(choices.cell, len(self.demands))
        moved, ends = Turns(at.group[row], choices.target, counts), self.demands.ends_turn[demand]
        self._end(moved.only(np.flatnonzero(ends)))
        self._wait(moved.only(np.flatnonzero(~ends)))

    def _wait(self, turns: Turns) -> None:
        levels = self.model.columns.digits(turns.state).sum(axis=0)
        for level in np.unique(levels).tolist():
            self._waiting[level].append(turns.only(np.flatnonzero((levels == level) & (turns.count > 0))))

    def _end(self, turns: Turns) -> None:
        self._ended.append(turns.only(np.flatnonzero(turns.count)))

    def _merged(self, parts: list[Turns]) -> Iterator[Turns]:
        """Yield the turns with each board of each group once, ascending, in parts of limited size."""
        if not parts:
            return
        turns = _joined(parts)
        # The shut box comes first and alone: it needs no throw.
        keys, place = np.unique(turns.state * (turns.group.max(initial=0) + 1) + turns.group, return_inverse=True)
        state, group = np.divmod(keys, turns.group.max(initial=0) + 1)
        count = np.zeros(len(keys), np.int64)
        np.add.at(count, place, turns.count)
        for low in range(0, len(keys), _AT_ONCE):
            yield Turns(group, state, count).only(np.s_[low : low + _AT_ONCE])


def _joined(parts: list[Turns]) -> Turns:
    return Turns(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("group", "state", "count")))


def _shared_out(turns: Indices, weights: Floats, starts: Indices, chance: "np.random.Generator") -> Indices:
    """Distribute the turns of each run of `weights` at random in proportion to them: shape (weights,).

    A multinomial draw as binomial draws: each takes its part of what the earlier ones have left.
    """
    shares, lengths = np.zeros(len(weights), np.int64), np.diff(starts, append=len(weights))
    left, weight = turns.copy(), np.add.reduceat(weights, starts)
    for rank in range(lengths.max()):
        runs = np.flatnonzero((lengths > rank) & (left > 0))
        places = starts[runs] + rank
        # The remaining weight may be a mere rounding error, on either side of 0.
        some = weight[runs] > 0
        part = np.where(some, np.minimum(weights[places] / np.where(some, weight[runs], 1.0), 1.0), 0.0)
        part[lengths[runs] == rank + 1] = 1.0
        shares[places] = chance.binomial(left[runs], part)
        left[runs] -= shares[places]
        weight[runs] -= weights[places]
    return shares


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
