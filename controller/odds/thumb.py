"""The rules of thumb of `casual` and `steady`, as arithmetic that a single move and an array of moves share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from controller.odds.columns import Indices
from controller.rules import Move

Counts = TypeVar("Counts", int, Indices)

# More than any tile is worth (marks are worth up to 99): the number of tiles goes before their values.
_A_TILE = 1000


@dataclass(frozen=True, slots=True)
class Thumb:
    """As few tiles as may be; of equally few the lowest highest tile, or the highest; always as few dice as may be.

    high: the highest tile is to go, not to stay. One definition for the opponent at the table, who looks at one
    throw, and for turns by chance, which look at thousands of boards at once.
    """

    high: bool

    def cost(self, tiles: Counts, highest: Counts) -> Counts:
        """The cost of moves that shut so many tiles, the most valuable of which is worth `highest`: least is best."""
        return _A_TILE * tiles - highest if self.high else _A_TILE * tiles + highest

    def move(self, moves: Sequence[Move]) -> Move:
        """The least costly of these moves, of equal ones the first."""
        return min(moves, key=lambda move: self.cost(len(move), max(tile.value for tile in move)))

    def dice(self, allowed: Iterable[int]) -> int:
        """The number of dice thrown, of those allowed."""
        return min(allowed)


CASUAL = Thumb(high=False)
STEADY = Thumb(high=True)
