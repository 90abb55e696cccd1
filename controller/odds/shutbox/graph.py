"""All boards of a game with all moves between them: how turns end for many players with different goals.

graph = Graph.of(model, kinds)          # kinds: per board, which of a few kinds of end it is
chances = graph.ends(worth, tell)       # worth: (kinds, players) -> (kinds, players)

Values are calculated upwards by the number of standing tiles, for all players at once; then chances are calculated
downwards along each player's first best move (in the order of the rules; of equal numbers of dice the greatest).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.odds.best import is_better
from controller.odds.shutbox.model import Floats, Indices, Model
from controller.odds.shutbox.moves import Choices, Demands, choices_of, first_of_each
from controller.odds.work import MOST_BOARDS_BY_SEAT, Progress, TooManyBoards, silent

# The number of choices that are stored at once: some hundred megabytes.
_AT_ONCE = 1 << 25

Tell = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class _Level:
    """The boards `low` to `high` (places in the order of levels) with equally many standing tiles.

    cells: demand * boards + board wherever there is a move, those with the most moves first.
    moves: moves[n] are the nodes to which the n-th moves lead, for the first cells, which have that many moves.
    allowed: (numbers of dice, boards).
    """

    low: int
    high: int
    cells: Indices
    moves: list[NDArray[np.int32]]
    allowed: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _Plan:
    """The choices of players on a level: the node to which each cell leads, and the row of `dice`: (..., players)."""

    nodes: NDArray[np.int32]
    dice: NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Graph:
    """The boards of a model. A node is a board before its throw, at `stops` + its place.

    stops: if moves can end the turn, the number of additional nodes, below the others: one for each board at which a
        turn stopped; else 0.
    Its size is that of all moves of the game: a gigabyte for half a million boards.
    """

    demands: Demands
    levels: list[_Level]
    kinds: Indices
    stops: int

    @classmethod
    def of(cls, model: Model, kinds: Indices, progress: Progress = silent) -> "Graph":
        """Return the graph of a model; `kinds` (0 and up), shape (size,), by the number of the board.

        progress: called with the fraction done, 0..1. Raises `TooManyBoards`.
        """
        if model.size > MOST_BOARDS_BY_SEAT:
            raise TooManyBoards(model.size, MOST_BOARDS_BY_SEAT)
        demands = Demands.of(model)
        order = np.argsort(model.columns.levels(), kind="stable")
        stops = model.size if demands.ends_turn.any() else 0
        levels = list[_Level]()
        for level in _levels(model, demands, order, stops):
            levels.append(level)
            progress(level.high / model.size)
        return cls(demands, levels, kinds[order], stops)

    def ends(self, worth: Floats, tell: Tell) -> Floats:
        """Return the chance of each kind of end for players who maximise `worth`: both (kinds, players).

        tell: called with the number of players done since the last call; a fraction for players evaluated together.
        """
        step = max(1, _AT_ONCE // sum(len(level.cells) + level.high - level.low for level in self.levels))
        parts = list[Floats]()
        for low in range(0, worth.shape[1], step):
            some = worth[:, low : low + step]
            ends, plans = some[self.kinds], list[_Plan]()
            values = np.concatenate([ends, ends]) if self.stops else ends.copy()
            for level in self.levels:
                plans.append(self._plan(level, values, ends[level.low : level.high]))
                tell(some.shape[1] * (level.high - level.low) / len(self.kinds))
            parts.append(self._chances(plans, some.shape))
        return np.concatenate(parts, axis=1)

    def _plan(self, level: _Level, values: Floats, ends: Floats) -> _Plan:
        """Return the best choices of players on a level, and enter their values in `values`."""
        best, nodes = _first_best(level.moves, values)
        least = np.tile(ends, (len(self.demands), 1))
        least[level.cells] = best
        means = (self.demands.chances @ least.reshape(len(self.demands), -1)).reshape(-1, *ends.shape)
        means[~level.allowed] = -np.inf
        mean, dice = means[-1].copy(), np.full(ends.shape, len(means) - 1, np.int8)
        for fewer in range(len(means) - 2, -1, -1):
            better = is_better(means[fewer], mean)
            np.copyto(mean, means[fewer], where=better)
            dice[better] = fewer
        values[self.stops + level.low : self.stops + level.high] = mean
        return _Plan(nodes, dice)

    def _chances(self, plans: list[_Plan], shape: tuple[int, ...]) -> Floats:
        kinds, players = shape
        mass = np.zeros((self.stops + len(self.kinds), players))
        mass[-1] = 1
        for level, plan in zip(reversed(self.levels), reversed(plans), strict=True):
            here = mass[self.stops + level.low : self.stops + level.high]
            flow = np.multiply(self.demands.chances.T[:, plan.dice], here, order="C")
            cells = flow.reshape(-1, players)
            below = self.stops + level.low
            mass[:below] += _sums(plan.nodes, cells[level.cells], below)
            cells[level.cells] = 0
            here[:] = flow.sum(axis=0)
        if self.stops:
            mass = mass[: self.stops] + mass[self.stops :]
        return _sums(np.broadcast_to(self.kinds[:, None], mass.shape), mass, kinds)


def _levels(model: Model, demands: Demands, order: Indices, stops: int) -> Iterator[_Level]:
    """Yield the levels from the shut box upwards."""
    levels = model.columns.levels()[order]
    place = np.empty(model.size, np.intp)
    place[order] = np.arange(model.size)
    bounds = [*first_of_each(levels).tolist(), model.size]
    for low, high in pairwise(bounds):
        states = order[low:high]
        choices = choices_of(model, demands, states)
        nodes = place[choices.target] + np.where(demands.ends_turn[choices.cell % len(demands)], 0, stops)
        cells, moves = _by_rank(choices, nodes.astype(np.int32))
        row, demand = np.divmod(cells, len(demands))
        yield _Level(low, high, demand * len(states) + row, moves, model.dice_allowed[:, states])


def _by_rank(choices: Choices, nodes: NDArray[np.int32]) -> tuple[Indices, list[NDArray[np.int32]]]:
    """Return the cells, those with the most moves first, and their first nodes, their second nodes, and so on."""
    starts = first_of_each(choices.cell)
    counts = np.diff(starts, append=len(choices))
    order = np.argsort(-counts, kind="stable")
    starts, counts = starts[order], counts[order]
    many = [np.searchsorted(-counts, -rank, side="left") for rank in range(counts.max(initial=0))]
    return choices.cell[starts], [nodes[starts[:cells] + rank] for rank, cells in enumerate(many)]


def _first_best(moves: list[NDArray[np.int32]], values: Floats) -> tuple[Floats, NDArray[np.int32]]:
    """Return the greatest value of each cell, and the first node that has it: both (cells, players)."""
    if not moves:
        return np.empty((0, values.shape[1])), np.empty((0, values.shape[1]), np.int32)
    best = values.take(moves[0], axis=0)
    nodes = np.repeat(moves[0][:, None], values.shape[1], axis=1)
    for targets in moves[1:]:
        found = values.take(targets, axis=0)
        cells = slice(len(targets))
        better = is_better(found, best[cells])
        np.copyto(best[cells], found, where=better)
        np.copyto(nodes[cells], targets[:, None], where=better)
    return best, nodes


def _sums(places: NDArray[np.integer[Any]], mass: Floats, size: int) -> Floats:
    """Add up `mass` by `places` (0..size-1) for each player: (n, players) both -> (size, players)."""
    players = mass.shape[1]
    flat = places.astype(np.intp) * players + np.arange(players)
    sums = np.bincount(flat.ravel(), mass.ravel(), size * players)
    return np.asarray(sums, np.float64).reshape(size, players)
