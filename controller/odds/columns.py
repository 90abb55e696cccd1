"""The columns of a board as digits of a number: arithmetic on many boards at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from controller.rules.tiles import Tile

Indices = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Column:
    """Tiles of which the last `digit` (0..height) stand.

    tiles: front to back.
    keys: the number that a throw counts each tile as.
    merged: tiles of one row with the same value and key, so that only their number matters: all of them show, and one
        move may take several.
    reach: the most of them that one move may take.
    """

    tiles: tuple[Tile, ...]
    keys: tuple[int, ...]
    merged: bool
    reach: int

    @property
    def height(self) -> int:
        """The number of tiles, which is the greatest digit."""
        return len(self.tiles)

    def standing(self, digit: int) -> tuple[Tile, ...]:
        """Return the standing tiles at this digit, front first."""
        return self.tiles[self.height - digit :]

    def showing(self, digit: int) -> tuple[Tile, ...]:
        """Return the tiles at this digit that no other tile hides."""
        return self.standing(digit) if self.merged else self.standing(digit)[:1]

    def key_sum(self, digit: int, count: int) -> int:
        """Return the sum of the keys of the first `count` (at most `digit`) standing tiles."""
        first = self.height - digit
        return sum(self.keys[first : first + count])


@dataclass(frozen=True)
class Columns:
    """Columns from the innermost (stride 1) outwards; together they number `size` boards from 0."""

    all: tuple[Column, ...]

    def __iter__(self) -> Iterator[Column]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    @cached_property
    def bases(self) -> tuple[int, ...]:
        """The number of digits of each column: its height + 1."""
        return tuple(column.height + 1 for column in self.all)

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """Per column, the difference that one of its tiles makes to the number of a board."""
        strides = [1]
        for base in self.bases:
            strides.append(strides[-1] * base)
        return tuple(strides[:-1])

    @cached_property
    def size(self) -> int:
        """The number of boards."""
        return self.strides[-1] * self.bases[-1] if self.all else 1

    def digit(self, states: Indices, column: int) -> Indices:
        """Return the number of standing tiles of one column on each of the boards `states`, same shape."""
        stride, base = self.strides[column], self.bases[column]
        return states // stride % base

    def digits(self, states: Indices) -> Indices:
        """Return the number of standing tiles of each column: shape (columns, *states.shape)."""
        strides = np.reshape(np.array(self.strides, np.intp), (-1,) + (1,) * states.ndim)
        bases = np.reshape(np.array(self.bases, np.intp), strides.shape)
        return states // strides % bases

    def sums(self, tables: Sequence[Sequence[int]], rest: int = 0) -> NDArray[np.int32]:
        """Return, for every board, `rest` plus the sum of `tables[column][digit]`: shape (size,)."""
        result = np.array([rest], np.int32)
        for table in tables:
            result = np.add.outer(np.array(table, np.int32), result).ravel()
        return result

    def sums_at(self, states: Indices, tables: Sequence[Sequence[int]], rest: int = 0) -> NDArray[np.int32]:
        """Return the same for the boards `states` only, same shape."""
        result = np.full(states.shape, rest, np.int32)
        for index, table in enumerate(tables):
            result += np.array(table, np.int32)[self.digit(states, index)]
        return result

    def levels(self) -> NDArray[np.int32]:
        """Return the number of standing tiles of every board, shape (size,)."""
        return self.sums([range(base) for base in self.bases])

    def split(self, inner: int) -> tuple["Columns", "Columns"]:
        """Return the first `inner` columns and the rest, each with a numbering of its own."""
        return Columns(self.all[:inner]), Columns(self.all[inner:])
