"""Exact odds against the plain recursion, and the wall time of the boxes that are too big for it."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import product

from controller.odds.shutbox.model import Model
from controller.odds.shutbox.solver import solve
from controller.rules.shutbox.ruleset import rules_of
from tools.benchmarks.measure import compare, seconds

_Columns = tuple[tuple[int, ...], ...]  # the numbers of the standing tiles, front first
_THROWS = {
    dice: [(total, totals.count(total) / len(totals)) for total in sorted(set(totals))]
    for dice, totals in ((dice, [*map(sum, product(range(1, 7), repeat=dice))]) for dice in (1, 2))
}


def _after(columns: _Columns, total: int) -> Iterator[_Columns]:
    """The boards after every move of `total`: from each column nothing or the tile that shows."""
    if not columns:
        if not total:
            yield ()
        return
    first, rest = columns[0], columns[1:]
    for more in _after(rest, total):
        yield (first, *more)
    if first and first[0] <= total:
        for more in _after(rest, total - first[0]):
            yield (first[1:], *more)


def _recursion(columns: _Columns, one_die: Callable[[list[int]], bool]) -> float:
    """The least expected score of a board, memoised board by board."""

    @lru_cache(None)
    def value(board: _Columns) -> float:
        standing = [number for column in board for number in column]
        if not standing:
            return 0.0
        showing = sum(column[0] for column in board if column)
        counts = (1, 2) if one_die(standing) else (2,)
        return min(sum(chance * after(board, total, showing) for total, chance in _THROWS[count]) for count in counts)

    def after(board: _Columns, total: int, showing: int) -> float:
        return min(map(value, _after(board, total)), default=showing)

    return value(columns)


def _solved(game: str, **given: int) -> float:
    """The same by the solver: rules, boards and moves included."""
    model = Model.of(rules_of(game, given))
    return float(solve(model, model.scores)[-1])


def main() -> None:
    """Print the comparisons, after making sure that both find the same."""
    pub = partial(_recursion, tuple((number,) for number in range(1, 10)), lambda standing: max(standing) <= 6)
    levels = partial(
        _recursion, tuple((number, 10 - number) for number in range(1, 10)), lambda standing: sum(standing) <= 6
    )
    for game, plain, runs in (("pub", pub, 5), ("two-level", levels, 3)):
        if abs(plain() - _solved(game)) > 1e-9:
            raise AssertionError(f"the two disagree about {game}")
        compare(f"odds of every board, {game}, nine (recursion)", partial(_solved, game), plain, runs=runs)
    for name, work in (
        ("two-level, twelve, 531,441 boards", partial(_solved, "two-level", columns=12)),
        ("the-300, 16,777,216 boards", partial(_solved, "the-300")),
        ("six rows of nine, 40,353,607 boards", partial(_solved, "two-level", rows=6)),
    ):
        print(f"{'odds of ' + name:46} ours {1000 * seconds(work):9.2f} ms")
