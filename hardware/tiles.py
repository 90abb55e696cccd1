"""Tiles: their names, their places, and where a tile can be.

One name for one tile everywhere, from wire label to web page: `front-1` .. `front-9`,
`back-9` .. `back-1`; further rows are `row3-1`, `row4-1` ...
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

_NAME = re.compile(r"(front|back|row([3-6]))-([1-9][0-9]?)")
_ROW_NAMES = {"front": 1, "back": 2}


class Position(StrEnum):
    """Where a tile is: standing (OPEN), lying (SHUT), on its way or stuck (BETWEEN), or not known."""

    OPEN = "OPEN"
    SHUT = "SHUT"
    BETWEEN = "BETWEEN"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True, order=True)
class TileId:
    """One tile of a box: its row, counted from the front (1..6), and its number (1..24)."""

    row: int
    number: int

    def __str__(self) -> str:
        name = {1: "front", 2: "back"}.get(self.row, f"row{self.row}")
        return f"{name}-{self.number}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a tile's name. Raises `ValueError` naming the forms that are allowed."""
        match = _NAME.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is not a tile: say front-7, back-3 or row3-5")
        name, row, number = match.groups()
        return cls(_ROW_NAMES.get(name) or int(row), int(number))

    def column(self, columns: int) -> int:
        """The column (1..columns, from the left): odd rows count up from the left, even rows down."""
        return self.number if self.row % 2 else columns + 1 - self.number


def tile_at(row: int, column: int, columns: int) -> TileId:
    """The tile of `row` that stands in `column` (1..columns, from the left)."""
    return TileId(row, column if row % 2 else columns + 1 - column)


def tile_in_front(tile: TileId, columns: int) -> TileId | None:
    """The tile that hides `tile` while it stands, or None for the front row."""
    return None if tile.row == 1 else tile_at(tile.row - 1, tile.column(columns), columns)


def tiles_of(rows: int, columns: int) -> tuple[TileId, ...]:
    """All tiles of a box, front row first, each row from left to right."""
    return tuple(tile_at(row, column, columns) for row in range(1, rows + 1) for column in range(1, columns + 1))
