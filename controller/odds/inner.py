"""The inner columns of the solver: their own moves by level, and their part in moves that also take outer tiles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from controller.odds.columns import Column, Columns, Indices
from controller.odds.move_table import moves_from


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
