"""A position of the tiles: per column, how many of its tiles are shut, counted from the front.

Only the front-most standing tile of a column can be shut, so this count is the whole state of a column: a
tile behind a standing one always stands, and the stack rule cannot be broken.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from controller.rules.errors import InvalidNotation
from controller.rules.tiles import Layout, Tile

_SHUT = "."


@dataclass(frozen=True, slots=True)
class Board:
    """A position: `shut[c]` (0..rows) tiles of column c are shut, front first. Immutable."""

    layout: Layout
    shut: tuple[int, ...]

    @classmethod
    def start(cls, layout: Layout) -> Self:
        """Return the board on which every tile stands that the game starts with."""
        return cls(layout, tuple(layout.rows * (column in layout.absent) for column in range(1, layout.columns + 1)))

    @classmethod
    def parse(cls, text: str, layout: Layout) -> Self:
        """Read a board back from its text. Raises `InvalidNotation` naming what is wrong."""
        rows = [row.split() for row in text.split("/")]
        if len(rows) != layout.rows or any(len(row) != layout.columns for row in rows):
            shape = f"{layout.rows} x {layout.columns} tiles, row by row"
            raise InvalidNotation(f"board {text!r} is not {shape}; the start is {cls.start(layout)}")
        for index, row in enumerate(rows):
            for tile, mark in zip(layout.row(index), row, strict=True):
                if tile.column in layout.absent and mark != _SHUT:
                    raise InvalidNotation(f"this game is played without {tile}: its place holds {_SHUT}, not {mark!r}")
                if mark not in (tile.mark, _SHUT):
                    raise InvalidNotation(f"the place of {tile} holds {tile.mark} or {_SHUT}, not {mark!r}")
        shut = tuple(
            _shut_in(tuple(row[column] == _SHUT for row in rows), layout.by_column[column])
            for column in range(layout.columns)
        )
        return cls(layout, shut)

    def __str__(self) -> str:
        return "/".join(
            " ".join(tile.mark if self.stands(tile) else _SHUT for tile in self.layout.row(row))
            for row in range(self.layout.rows)
        )

    def stands(self, tile: Tile) -> bool:
        """Return whether `tile` is open, hidden or not."""
        return self.shut[tile.column - 1] < tile.row

    @property
    def standing(self) -> Iterator[Tile]:
        """All open tiles, hidden ones too."""
        return (tile for column, shut in self._columns() for tile in column[shut:])

    @property
    def showing(self) -> Iterator[Tile]:
        """The open tiles that no other tile hides: the first standing tile of each column."""
        return (column[shut] for column, shut in self._columns() if shut < len(column))

    @property
    def is_shut(self) -> bool:
        return all(shut == self.layout.rows for shut in self.shut)

    def without(self, tiles: Iterable[Tile]) -> Self:
        """Return the board after shutting `tiles`, each of which is showing when its turn comes."""
        shut = list(self.shut)
        for tile in tiles:
            shut[tile.column - 1] += 1
        return type(self)(self.layout, tuple(shut))

    def _columns(self) -> Iterator[tuple[tuple[Tile, ...], int]]:
        return zip(self.layout.by_column, self.shut, strict=True)


def _shut_in(column: tuple[bool, ...], tiles: tuple[Tile, ...]) -> int:
    """Count the shut tiles of a column. Raises `InvalidNotation` if one of them is behind a standing tile."""
    count = column.index(False) if False in column else len(column)
    for tile, is_shut in zip(tiles[count:], column[count:], strict=True):
        if is_shut:
            raise InvalidNotation(f"{tile} cannot be shut while {tiles[count]} stands before it")
    return count
