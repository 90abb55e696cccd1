"""Legal moves over many boards against trying every set of showing tiles."""

from itertools import chain, combinations, product

from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.throw import Throw
from tools.benchmarks.measure import compare


def _all_sets(board: Board, total: int) -> list[tuple[object, ...]]:
    showing = list(board.showing)
    sets = chain.from_iterable(combinations(showing, size) for size in range(1, len(showing) + 1))
    return [chosen for chosen in sets if sum(tile.value for tile in chosen) == total]


def _boards(rules: Ruleset) -> list[Board]:
    """A third of a percent of the 3^9 boards, evenly spread."""
    every = product(range(3), repeat=9)
    return [Board(rules.layout, shut) for index, shut in enumerate(every) if index % 300 == 0]


def main() -> None:
    """Print the comparison."""
    rules = rules_of("two-level")
    boards = _boards(rules)
    throws = [Throw((low, total - low)) for total in range(2, 13) for low in [max(1, total - 6)]]

    def ours() -> None:
        for board in boards:
            for throw in throws:
                rules.legal_moves(board, throw)

    def baseline() -> None:
        for board in boards:
            for throw in throws:
                _all_sets(board, throw.total)

    compare(f"legal moves, {len(boards)} boards x 11 throws (every set)", ours, baseline)
