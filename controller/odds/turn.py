"""The throws of a game as arrays for the solver: the sums they ask for, their chances, the cost of the last."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from controller.odds.columns import Indices
from controller.odds.model import Model, Outcome, throws_of
from controller.odds.move_table import moves_from
from controller.rules import Board, Ruleset, Throw

Floats = NDArray[np.float64]

# Boards whose moves are listed at once: some hundreds of megabytes at the most.
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Turn:
    """The throws that leave the turn open, and what the others cost.

    sums: from the least to the greatest key sum that a throw asks for. chances: (numbers of dice, outcomes).
    rows: the key sums that meet each outcome as places in `sums`, (most sums of one, outcomes), repeated to fill;
    None where the outcomes are the sums themselves. fixed: what the throws that end the turn add to the cost,
    (numbers of dice, size, k); None where none does.
    """

    sums: range
    chances: Floats
    rows: Indices | None
    fixed: Floats | None

    @classmethod
    def of(cls, model: Model, cost: Floats) -> "Turn":
        """The turn of a model whose boards cost `cost`, (size, k), at the end."""
        open_ = {each.sums for group in model.outcomes.values() for each in group if _goes_on(each)}
        asked = frozenset().union(*open_)
        sums = range(min(asked), max(asked) + 1)
        single = all(len(each) == 1 for each in open_)
        order = [frozenset({sum_}) for sum_ in sums] if single else sorted(open_, key=sorted)
        rows = None if single else _rows(order, sums[0])
        return cls(sums, _chances(model, order), rows, _fixed(model, cost))


def most_tiles(model: Model) -> int | None:
    """The most tiles of one move; None where the keys alone keep every move that short."""
    limit = model.rules.most_tiles
    keys = sorted(key for column in model.columns for key in column.keys)
    longest = sum(total <= model.most_sum for total in accumulate(keys))
    return None if limit is None or limit >= longest else limit


def mean_after(
    rules: Ruleset,
    board: Board,
    dice: int,
    *,
    value: Callable[[Board], Floats],
    end: Callable[[Board], Floats],
    greatest: bool,
) -> Floats:
    """The expected value of a throw of `dice` dice at one board, its legal moves asked of the rules.

    value: what a board is worth before a throw; end: as the end of a turn; both of one shape, the result's too.
    """
    chances: defaultdict[tuple[frozenset[int], bool], float] = defaultdict(float)
    throws: dict[tuple[frozenset[int], bool], Throw] = {}
    for throw, probability in throws_of(rules, dice):
        asked = rules.meets(throw), rules.ends_turn(throw)
        chances[asked] += probability
        throws[asked] = throw
    best, mean = np.max if greatest else np.min, 0.0 * end(board)
    for asked, throw in throws.items():
        worth = end if rules.ends_turn(throw) else value
        after = [worth(board.without(move)) for move in rules.legal_moves(board, throw)]
        mean = mean + chances[asked] * (best(after, axis=0) if after else end(board))
    return mean


def _goes_on(outcome: Outcome) -> bool:
    return bool(outcome.sums) and not outcome.ends_turn


def _rows(order: list[frozenset[int]], least: int) -> Indices:
    most = max(map(len, order))
    filled = [sorted(sums) + [min(sums)] * (most - len(sums)) for sums in order]
    return np.array(filled, np.intp).T - least


def _chances(model: Model, order: list[frozenset[int]]) -> Floats:
    chances = np.zeros((len(model.dice), len(order)))
    for row, dice in enumerate(model.dice):
        for outcome in filter(_goes_on, model.outcomes[dice]):
            chances[row, order.index(outcome.sums)] += outcome.probability
    return chances


def _fixed(model: Model, cost: Floats) -> Floats | None:
    closed = [[each for each in model.outcomes[dice] if not _goes_on(each)] for dice in model.dice]
    if not any(closed):
        return None
    fixed = np.zeros((len(model.dice), *cost.shape))
    for row, group in zip(fixed, closed, strict=True):
        for outcome in group:
            row += outcome.probability * (_stopping(model, cost, outcome.sums) if outcome.sums else cost)
    return fixed


def _stopping(model: Model, cost: Floats, sums: frozenset[int]) -> Floats:
    """The least cost of the boards after one move that makes one of `sums`; of the board itself without one."""
    least = cost.copy()
    for low in range(0, model.size, _CHUNK):
        states = np.arange(low, min(low + _CHUNK, model.size))
        moves = moves_from(model.columns, states, most_sum=max(sums), most_tiles=model.rules.most_tiles)
        moves = moves.only(np.isin(moves.key_sum, sorted(sums)))
        least[states[moves.row]] = np.inf
        np.minimum.at(least, states[moves.row], cost[moves.target])
    return least
