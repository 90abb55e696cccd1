"""The throws of a game as arrays for the solver: the sums they demand, their chances, the cost of the last throw."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from controller.odds.shutbox.model import Floats, Indices, Model, Outcome, throws_of
from controller.odds.shutbox.moves import moves_from
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset
from controller.rules.throw import Throw

# The number of boards whose moves are listed at once: at most some hundreds of megabytes.
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Turn:
    """The throws after which the turn continues, and the cost of the others.

    sums: from the least to the greatest key sum that a throw demands.
    chances: (numbers of dice, outcomes).
    rows: the key sums that meet each outcome as places in `sums`, (most sums of one, outcomes), repeated to fill; None
        if the outcomes are the sums themselves.
    fixed: the cost of the throws that end the turn, (numbers of dice, size, k); None if there are none.
    """

    sums: range
    chances: Floats
    rows: Indices | None
    fixed: Floats | None

    @classmethod
    def of(cls, model: Model, cost: Floats) -> "Turn":
        """Return the turn of a model. cost: of each board as the end of a turn, (size, k)."""
        open_ = {each.sums for group in model.outcomes.values() for each in group if _goes_on(each)}
        asked = frozenset().union(*open_)
        sums = range(min(asked), max(asked) + 1)
        single = all(len(each) == 1 for each in open_)
        order = [frozenset({sum_}) for sum_ in sums] if single else sorted(open_, key=sorted)
        rows: Indices | None = None
        if not single:
            most = max(map(len, order))
            filled = [sorted(sums_) + [min(sums_)] * (most - len(sums_)) for sums_ in order]
            rows = np.array(filled, np.intp).T - sums[0]
        return cls(sums, _chances(model, order), rows, _fixed(model, cost))


def most_tiles(model: Model) -> int | None:
    """Return the most tiles of one move; None if the keys alone keep every move that short."""
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
    """Return the expected value of a throw of `dice` dice at one board, with the legal moves of the rules.

    value: the value of a board before a throw.
    end: its value as the end of a turn; of the same shape, as is the result.
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
    """Return the least cost after one move that makes one of `sums`; of the board itself if there is no such move."""
    least = cost.copy()
    for low in range(0, model.size, _CHUNK):
        states = np.arange(low, min(low + _CHUNK, model.size))
        moves = moves_from(model.columns, states, most_sum=max(sums), most_tiles=model.rules.most_tiles)
        moves = moves.only(np.isin(moves.key_sum, sorted(sums)))
        least[states[moves.row]] = np.inf
        np.minimum.at(least, states[moves.row], cost[moves.target])
    return least
