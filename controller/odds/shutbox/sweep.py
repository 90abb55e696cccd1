"""The sweep of the solver over outer boards, one by one, each with all its inner boards: see `solve`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.odds.shutbox.model import Column, Columns, Floats, Indices, Model
from controller.odds.shutbox.moves import moves_from
from controller.odds.shutbox.turn import Turn, most_tiles
from controller.odds.work import Progress


@dataclass(frozen=True, slots=True)
class Pattern:
    """The inner tiles that a move takes, wherever it fits, as slices along the digits of the columns.

    before, after: the digits before and after the move; outermost column first, as in arrays.
    """

    key_sum: int
    count: int
    before: tuple[slice, ...]
    after: tuple[slice, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """The inner boards `low` to `high` (places in the order of levels) with equally many standing tiles.

    targets: the places to which their moves within the inner columns lead.
    starts: where the targets of each of `cells` begin.
    cells: pairs of throw and board, as (sum - least sum) * boards + place.
    """

    low: int
    high: int
    targets: Indices
    starts: Indices
    cells: Indices


def order_of(inner: Columns) -> Indices:
    """Return the inner boards by rising number of standing tiles."""
    return np.argsort(inner.levels(), kind="stable")


def levels_of(inner: Columns, order: Indices, sums: range, most_tiles: int | None) -> list[Level]:
    """Return the levels from the bottom, with the moves that meet one of `sums`."""
    moves = moves_from(inner, order, most_sum=sums[-1], most_tiles=most_tiles)
    moves = moves.only(np.flatnonzero(moves.key_sum >= sums[0]))
    keys = moves.row * len(sums) + moves.key_sum - sums[0]
    # Short integers are sorted much faster.
    moves = moves.only(np.argsort(keys.astype(np.min_scalar_type(inner.size * len(sums))), kind="stable"))
    place = np.empty(inner.size, np.intp)
    place[order] = np.arange(inner.size)
    targets, cells = place[moves.target], (moves.key_sum - sums[0]) * inner.size + moves.row
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    bounds = np.searchsorted(inner.levels()[order], np.arange(sum(inner.bases) - len(inner) + 2))
    firsts = np.searchsorted(moves.row, bounds)
    cuts = zip(bounds.tolist(), firsts.tolist(), np.searchsorted(starts, firsts).tolist(), strict=True)
    return [
        Level(low, high, targets[first:last], starts[begin:end] - first, cells[starts[begin:end]])
        for (low, first, begin), (high, last, end) in pairwise(cuts)
    ]


def patterns_of(inner: Columns, most_sum: int, most_tiles: int | None) -> list[Pattern]:
    """Return every way in which a move can take inner tiles with a key sum of at most `most_sum`."""
    found = [Pattern(0, 0, (), ())]
    for column in inner:
        parts = [Pattern(0, 0, (slice(None),), (slice(None),)), *_takes(column)]
        found = [
            Pattern(
                done.key_sum + part.key_sum, done.count + part.count, part.before + done.before, part.after + done.after
            )
            for done in found
            for part in parts
            if done.key_sum + part.key_sum <= most_sum
        ]
    return [each for each in found if each.count and (most_tiles is None or each.count <= most_tiles)]


def _takes(column: Column) -> Iterator[Pattern]:
    """Yield the patterns of one column, equal ones together where their digits are evenly spaced."""
    for count in range(1, column.reach + 1):
        digits: dict[int, list[int]] = {}
        for digit in range(count, column.height + 1):
            digits.setdefault(column.key_sum(digit, count), []).append(digit)
        for key_sum, same in digits.items():
            for run in _even_runs(same):
                yield Pattern(key_sum, count, (_slice(run),), (_slice([digit - count for digit in run]),))


def _even_runs(digits: Sequence[int]) -> Iterator[list[int]]:
    """Split rising numbers into runs of equal steps."""
    run: list[int] = []
    for digit in digits:
        if len(run) > 1 and digit - run[-1] != run[1] - run[0]:
            yield run
            run = []
        run.append(digit)
    yield run


def _slice(run: Sequence[int]) -> slice:
    return slice(run[0], run[-1] + 1, run[1] - run[0] if len(run) > 1 else 1)


def sweep(model: Model, cost: Floats, inner: int, progress: Progress) -> Floats:
    """Return the least cost of every board before its throw, (size, k). cost: of the end of a turn, (size, k)."""
    within, without = model.columns.split(inner)
    turn, limit = Turn.of(model, cost), most_tiles(model)
    values = np.empty_like(cost)
    table = values.reshape(without.size, within.size, -1)
    mixed = _Mixed.of(table, within, without, turn.sums, limit)
    boards = _Inner.of(model, turn, cost.reshape(table.shape), within, limit)
    for outer in range(without.size):
        table[outer] = boards.values(outer, mixed.least(outer))
        progress((outer + 1) / without.size)
    return values


@dataclass(frozen=True, slots=True)
class _Mixed:
    """The moves that take outer tiles, with or without inner ones.

    layers: (counts of outer tiles, 0..greatest sum, inner boards, k), the least value after a move of at most that many
        outer tiles of that key sum.
    found: (0..greatest sum, inner boards, k), the same over all moves with outer tiles.
    joins: views of `found`, each with the view of `layers` from which one inner pattern leads there.
    moves: per outer board its moves as (row of `layers`, outer board after the move).
    """

    table: Floats
    layers: Floats
    found: Floats
    joins: list[tuple[Floats, Floats]]
    moves: list[list[tuple[Floats, Floats]]]

    @classmethod
    def of(cls, table: Floats, inner: Columns, outer: Columns, sums: range, limit: int | None) -> "_Mixed":
        layers = np.full((limit or 1, sums[-1] + 1, *table.shape[1:]), np.inf)
        found = np.empty(layers.shape[1:])
        joins = list(_joins(layers, found, inner, sums, limit)) if len(outer) else []
        moves = moves_from(outer, np.arange(outer.size), most_sum=sums[-1], most_tiles=limit).by_row_and_sum()
        entries = [
            (layers[count, key_sum], table[target])
            for count, key_sum, target in zip(
                (moves.count - 1 if limit else 0 * moves.count).tolist(),
                moves.key_sum.tolist(),
                moves.target.tolist(),
                strict=True,
            )
        ]
        cuts = np.searchsorted(moves.row, np.arange(outer.size + 1)).tolist()
        return cls(table, layers, found, joins, [entries[low:high] for low, high in pairwise(cuts)])

    def least(self, outer: int) -> Floats | None:
        """Return `found` for one outer board, or None if it has no moves. The next call overwrites it."""
        if not self.moves[outer]:
            return None
        self.layers.fill(np.inf)
        for row, after in self.moves[outer]:
            np.minimum(row, after, out=row)
        if len(self.layers) > 1:
            np.minimum.accumulate(self.layers, axis=0, out=self.layers)
        np.copyto(self.found, self.layers[-1])
        for target, source in self.joins:
            np.minimum(target, source, out=target)
        return self.found


def _joins(
    layers: Floats, found: Floats, inner: Columns, sums: range, limit: int | None
) -> Iterable[tuple[Floats, Floats]]:
    """Yield, for every inner pattern, the part of `found` that it reaches and the part of `layers` it comes from."""
    digits = (*reversed(inner.bases), layers.shape[-1])
    from_, to = layers.reshape(*layers.shape[:2], *digits), found.reshape(len(found), *digits)
    for pattern in patterns_of(inner, sums[-1] - 1, limit and limit - 1):
        layer = limit - pattern.count - 1 if limit else 0
        least = max(sums[0], pattern.key_sum)
        into: tuple[Any, ...] = (slice(least, None), *pattern.before)
        rows = slice(least - pattern.key_sum, len(found) - pattern.key_sum)
        out_of: tuple[Any, ...] = (layer, rows, *pattern.after)
        yield to[into], from_[out_of]


@dataclass(frozen=True, slots=True)
class _Inner:
    """The inner boards of one outer board, in the order of levels.

    least: (sums, inner boards, k), the least value after each throw.
    cost: (outer, inner, k).
    fixed: (numbers of dice, outer, inner, k).
    allowed: (numbers of dice, outer, inner).
    """

    turn: Turn
    order: NDArray[np.intp]
    levels: list[Level]
    least: Floats
    cost: Floats
    fixed: Floats | None
    allowed: NDArray[np.bool_]

    @classmethod
    def of(cls, model: Model, turn: Turn, cost: Floats, inner: Columns, limit: int | None) -> "_Inner":
        order = order_of(inner)
        levels = levels_of(inner, order, turn.sums, limit)
        fixed = None if turn.fixed is None else turn.fixed.reshape(-1, *cost.shape)
        allowed = model.dice_allowed.reshape(-1, *cost.shape[:2])
        return cls(turn, order, levels, np.empty((len(turn.sums), *cost.shape[1:])), cost, fixed, allowed)

    def values(self, outer: int, mixed: Floats | None) -> Floats:
        """Return the values of the inner boards, (inner boards, k), in their own order."""
        # Begin with the moves that take outer tiles.
        if mixed is None:
            self.least.fill(np.inf)
        else:
            # mode: without one that cannot fail, NumPy makes a copy.
            np.take(mixed[self.turn.sums[0] :], self.order, axis=1, out=self.least, mode="clip")
        cost = self.cost[outer].take(self.order, axis=0)
        fixed = None if self.fixed is None else self.fixed[:, outer].take(self.order, axis=1)
        # Where a number of dice may be thrown, (numbers of dice, inner boards); None if all dice must be thrown.
        allowed = self.allowed[:, outer]
        ways = allowed.take(self.order, axis=1) if allowed[:-1].any() else None
        values = np.empty_like(cost)
        for level in self.levels:
            self._move(level, values)
            values[level.low : level.high] = self._best(slice(level.low, level.high), cost, fixed, ways)
        result: Floats = np.empty_like(values)
        result[self.order] = values
        return result

    def _move(self, level: Level, values: Floats) -> None:
        """Enter the moves of a level within the inner columns."""
        if not len(level.cells):
            return
        after = values.take(level.targets, axis=0)
        if len(level.starts) < len(after):
            after = np.minimum.reduceat(after, level.starts)
        cells = self.least.reshape(-1, values.shape[-1])
        cells[level.cells] = np.minimum(cells.take(level.cells, axis=0), after)

    def _best(self, part: slice, cost: Floats, fixed: Floats | None, ways: NDArray[np.bool_] | None) -> Floats:
        """Return the values of the boards of one level, once all their moves are entered."""
        least, end = self.least[:, part], cost[part]
        if self.turn.rows is not None:
            least = least[self.turn.rows].min(axis=0)
        np.copyto(least, end, where=np.isinf(least))
        chances = self.turn.chances[-1:] if ways is None else self.turn.chances
        # Expected values, (numbers of dice or 1, boards, k).
        means: Floats = (chances @ least.reshape(len(least), -1)).reshape(-1, *end.shape)
        if fixed is not None:
            means += fixed[-len(means) :, part]
        if ways is not None:
            means[~ways[:, part]] = np.inf
        best: Floats = means.min(axis=0) if len(means) > 1 else means[0]
        return best
