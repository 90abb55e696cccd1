"""The tiles of a game and their places: columns of one or more rows, front to back.

Source: US two-level patent (S000), summary: the front row is numbered 1..n from left to right, the row behind
it n..1, so that front + back is always n + 1; further rows continue the pattern.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from controller.rules.dominoes import DOMINOES, name_of
from controller.rules.marks import NO_MARKS, Marks

_ROW_NAMES = {1: "front", 2: "back"}


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile: its row (from 1, the front) and column (from 1, the left), its name, mark and value."""

    row: int
    column: int
    name: str
    mark: str
    value: int

    def __str__(self) -> str:
        return self.name

    @property
    def place(self) -> tuple[int, int]:
        """The sort key: row, then column."""
        return self.row, self.column


@dataclass(frozen=True)
class Layout:
    """`rows` rows of `columns` tiles each, numbered, or one row of dominoes.

    absent: the columns (from 1) whose tiles are down from the start.
    marks: the symbols that replace numbers on the tiles, and their values.
    """

    rows: int
    columns: int
    absent: frozenset[int] = frozenset()
    dominoes: bool = False
    marks: Marks = NO_MARKS

    @cached_property
    def by_column(self) -> tuple[tuple[Tile, ...], ...]:
        """The tiles of each column, columns from the left, tiles from front to back."""
        make = self._domino if self.dominoes else self._numbered
        return tuple(
            tuple(make(row, column) for row in range(1, self.rows + 1)) for column in range(1, self.columns + 1)
        )

    @cached_property
    def by_name(self) -> dict[str, Tile]:
        """Every tile by its name, front row first."""
        return {tile.name: tile for row in range(self.rows) for tile in self.row(row)}

    def row(self, index: int) -> Iterator[Tile]:
        """Return the tiles of one row (0 is the front) from left to right."""
        return (column[index] for column in self.by_column)

    def _numbered(self, row: int, column: int) -> Tile:
        number = column if row % 2 else self.columns + 1 - column
        name = f"{_ROW_NAMES.get(row, f'row{row}')}-{number}"
        mark = self.marks.tiles.get(name, str(number))
        return Tile(row, column, name, mark, self.marks.values.get(mark, number))

    def _domino(self, row: int, column: int) -> Tile:
        pips = DOMINOES[column - 1]
        mark = self.marks.tiles.get(name_of(pips), name_of(pips))
        return Tile(row, column, name_of(pips), mark, self.marks.values.get(mark, sum(pips)))
