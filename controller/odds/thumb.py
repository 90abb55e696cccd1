"""The heuristic (a rule of thumb) as arithmetic that serves a single move and an array of moves."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from controller.odds.columns import Indices
from controller.rules.ruleset import Move

Counts = TypeVar("Counts", int, Indices)

# More than the value of any tile (marks are worth up to 99): the number of tiles matters before their values.
_A_TILE = 1000


def heuristic_cost(tiles: Counts, highest: Counts) -> Counts:
    """Return the cost of moves with this number of tiles and highest value of a tile; the least cost is best.

    Few tiles are best, and of equally few the highest, because small tiles are easy to shut later. Playouts use this
    heuristic when the odds cannot be calculated in time, and house players when they cannot be calculated at all.
    """
    return _A_TILE * tiles - highest


def heuristic_move(moves: Sequence[Move]) -> Move:
    """Return the least costly of these moves, of equal ones the first."""
    return min(moves, key=lambda move: heuristic_cost(len(move), max(tile.value for tile in move)))


def heuristic_dice(allowed: Iterable[int]) -> int:
    """Return the number of dice to throw, of those allowed: the least."""
    return min(allowed)
