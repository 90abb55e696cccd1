"""The tiles of a game and their places: columns of one or more rows, front to back.

Source: US two-level patent (S000), summary: the front row is numbered 1..n from left to right, the row behind
it n..1, so that front + back is always n + 1; further rows continue the pattern.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from controller.rules.errors import InvalidNotation

Pips = tuple[int, int]

_MIXED = tuple((low, high) for low in range(1, 6) for high in range(low + 1, 7))
_DOUBLES = tuple((pips, pips) for pips in range(1, 7))
_BLANKS = tuple((0, pips) for pips in range(7))

# The dominoes of US patent 6,942,218, as far as S000 describes them: 15 mixed ones, then 6 doubles (21), then 7 with a
# blank (28).
DOMINOES: tuple[Pips, ...] = _MIXED + _DOUBLES + _BLANKS


def name_of(pips: Pips) -> str:
    """Return the name and mark of a domino, such as `2-5`."""
    return f"{pips[0]}-{pips[1]}"


def pips_named(name: str) -> Pips | None:
    """Return the pips of the domino with this name, or None if no domino has it."""
    return next((pips for pips in DOMINOES if name_of(pips) == name), None)


def pair_key(pips: Pips) -> int | None:
    """Return one number for each pair that two dice can show: 25 for a 2 and a 5; None if one half is blank."""
    low, high = sorted(pips)
    return 10 * low + high if low else None


# Source: S000, detailed description: the indicia "need not comprise numbers"; a rule for adding them must then be
# devised. Here that rule is a table of values.
@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a game.

    tiles: the mark of a tile by its name; a tile that is not named keeps its number. values: what a mark is
    worth (1..99); a mark without one is worth the number it replaces. faces: the marks of a die's faces, from
    the one worth 1 upwards; empty: numbers.
    """

    tiles: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, int] = field(default_factory=dict)
    faces: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((frozenset(self.tiles.items()), frozenset(self.values.items()), self.faces))

    def face_of(self, word: str) -> str:
        """Return the number that a face's mark stands for, as text; any other word unchanged."""
        return str(self.faces.index(word) + 1) if word in self.faces else word


NO_MARKS = Marks()
_MARK = re.compile(r"[^\s,/]{1,12}")


def check_marks(marks: Marks, rows: Sequence[Sequence[tuple[str, str]]], sides: int) -> None:
    """Raise `InvalidNotation` unless the tiles of `rows` (name and mark of each) are distinct and readable."""
    known = {name for row in rows for name, _ in row}
    for name in marks.tiles:
        if name not in known:
            raise InvalidNotation(f"marks: no tile {name!r} in this game; it has {rows[0][0][0]} to {rows[-1][-1][0]}")
    for row in rows:
        _check_apart([mark for _, mark in row], "the tiles of one row")
    if marks.faces and len(marks.faces) != sides:
        raise InvalidNotation(f"marks: a die of this game has {sides} faces, not {len(marks.faces)}")
    _check_apart(marks.faces, "the faces of a die")
    used = {mark for row in rows for _, mark in row}
    for mark, value in marks.values.items():
        if mark not in used:
            raise InvalidNotation(f"marks: no tile bears {mark!r}")
        if not 1 <= value <= 99:
            raise InvalidNotation(f"marks: {mark} is worth 1 to 99, not {value}")


def is_mark(text: str) -> bool:
    """Return whether `text` can be a mark of a tile or a die and be read back."""
    return text != "." and text.isprintable() and _MARK.fullmatch(text) is not None


def _check_apart(marks: Sequence[str], where: str) -> None:
    for mark in marks:
        if not is_mark(mark):
            raise InvalidNotation(
                f"marks: {mark!r} cannot be read back; 1 to 12 letters or signs, no blanks, commas or slashes, not '.'"
            )
    if len(set(marks)) < len(marks):
        twice = next(mark for mark in marks if list(marks).count(mark) > 1)
        raise InvalidNotation(f"marks: {where} must differ, {twice!r} is there twice")


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
