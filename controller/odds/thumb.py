"""The rule of thumb, as arithmetic that a single move and an array of moves share.

It is how turns are played out where the odds cannot be worked out in time, and how one is played where they cannot be
worked out at all.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from controller.odds.columns import Indices
from controller.rules import Move

Counts = TypeVar("Counts", int, Indices)

# More than any tile is worth (marks are worth up to 99): the number of tiles goes before their values.
_A_TILE = 1000


def cost_by_thumb(tiles: Counts, highest: Counts) -> Counts:
    """The cost of moves that shut so many tiles, the most valuable of which is worth `highest`: least is best.

    Few tiles, and of equally few the highest ones, since small tiles are easy to shut later.
    """
    return _A_TILE * tiles - highest


def move_by_thumb(moves: Sequence[Move]) -> Move:
    """The least costly of these moves, of equal ones the first."""
    return min(moves, key=lambda move: cost_by_thumb(len(move), max(tile.value for tile in move)))


def dice_by_thumb(allowed: Iterable[int]) -> int:
    """The number of dice thrown, of those allowed: as few as may be."""
    return min(allowed)
