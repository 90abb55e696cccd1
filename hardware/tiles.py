"""Tiles: their names, places and positions.

A tile has one name everywhere, from wire label to web page: `front-1` .. `front-9`, `back-9` .. `back-1`; further rows
are `row3-1`, `row4-1` ... A domino is named by its pips: `2-5`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

_NAME = re.compile(r"(front|back|row([3-6]))-([1-9][0-9]?)")
_ROW_NAMES = {"front": 1, "back": 2}
_MIXED = tuple(f"{low}-{high}" for low in range(1, 6) for high in range(low + 1, 7))
_DOUBLES = tuple(f"{pips}-{pips}" for pips in range(1, 7))
_BLANKS = tuple(f"0-{pips}" for pips in range(7))
_DOMINOES = _MIXED + _DOUBLES + _BLANKS

# The possible numbers of dominoes in a box: the mixed ones; with the doubles; with doubles and blanks.
DOMINO_SETS = (15, 21, 28)


class Position(StrEnum):
    """The position of a tile: standing (OPEN), lying (SHUT), on its way or stuck (BETWEEN), or unknown."""

    OPEN = "OPEN"
    SHUT = "SHUT"
    BETWEEN = "BETWEEN"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True, order=True)
class TileId:
    """One tile of a box: its row, counted from the front (1..6), and its number (1..28).

    A domino has its pips as `mark`, such as `2-5`; its number is its place in the order 1-2, 1-3 .. 5-6, doubles,
    blanks. It is not equal to the numbered tile in that place.
    """

    row: int
    number: int
    mark: str = ""

    def __str__(self) -> str:
        if self.mark:
            return self.mark
        name = {1: "front", 2: "back"}.get(self.row, f"row{self.row}")
        return f"{name}-{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a tile's name. Raises `ValueError` naming the allowed forms."""
        if text in _DOMINOES:
            return cls(1, _DOMINOES.index(text) + 1, text)
        match = _NAME.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is not a tile: say front-7, back-3 or row3-5, or a domino's pips: 2-5, not 5-2")
        name, row, number = match.groups()
        return cls(_ROW_NAMES.get(name) or int(row), int(number))

    def column(self, columns: int) -> int:
        """Return the column (1..columns, from the left): odd rows count up from the left, even rows down."""
        return self.number if self.row % 2 else columns + 1 - self.number


def tile_at(row: int, column: int, columns: int) -> TileId:
    """Return the tile of `row` in `column` (1..columns, from the left)."""
    return TileId(row, column if row % 2 else columns + 1 - column)


def tile_in_front(tile: TileId, columns: int) -> TileId | None:
    """Return the tile that hides `tile` while standing, or None for the front row."""
    return None if tile.row == 1 else tile_at(tile.row - 1, tile.column(columns), columns)


def tiles_of(rows: int, columns: int) -> tuple[TileId, ...]:
    """Return all tiles of a box, front row first, each row from left to right."""
    return tuple(tile_at(row, column, columns) for row in range(1, rows + 1) for column in range(1, columns + 1))


def dominoes_of(count: int) -> tuple[TileId, ...]:
    return tuple(TileId(1, place, pips) for place, pips in enumerate(_DOMINOES[:count], 1))
