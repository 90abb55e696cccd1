"""Every board that can follow one board, as numbers 0..size-1, with the data that a turn needs of each.

model = Model.of(rules)                       # from the start of the game, or Model.of(rules, board)
index = model.index(board)                    # 0: all shut that can be; size - 1: the board it was made of
model.scores[index], model.dice_allowed[:, index], model.outcomes[2]
moves_from(model.columns, states, ...)        # controller.odds.shutbox.moves: all moves of many boards at once

A board is a number of mixed radix: one digit per column, which is the number of its standing tiles. A move lowers
digits, so every later board has a smaller number.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, fsum, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from controller.odds.work import MOST_BOARDS, TooManyBoards
from controller.rules.board import Board
from controller.rules.shutbox.ruleset import Ruleset
from controller.rules.throw import Throw
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
        """The number of tiles, which is the greatest digit that the column can have."""
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """The demand of a throw: a move whose keys add up to one of `sums` (empty: the turn is over).

    probability: 0..1.
    ends_turn: whether the turn is over after such a move.
    """

    probability: float
    sums: frozenset[int]
    ends_turn: bool


@dataclass(frozen=True, eq=False)
class Model:
    """The boards that can follow `board` in a game.

    columns: the columns with tiles that a throw can meet; innermost the greatest keys.
    idle: the standing tiles that no throw can meet; they stand on every board of the model.
    Lifetime: each array is made on first use, then kept and never changed. Arrays grow with `size`.
    """

    rules: Ruleset
    board: Board
    columns: Columns
    idle: tuple[Tile, ...]

    @classmethod
    def of(cls, rules: Ruleset, board: Board | None = None) -> "Model":
        """Return the boards that follow `board` (by default the start of the game). Raises `TooManyBoards`."""
        board = rules.start() if board is None else board
        columns = Columns(tuple(_columns_of(rules, board)))
        if columns.size > MOST_BOARDS:
            raise TooManyBoards(columns.size, MOST_BOARDS)
        return cls(rules, board, columns, tuple(tile for tile in board.standing if rules.key_of(tile) is None))

    @property
    def size(self) -> int:
        return self.columns.size

    def index(self, board: Board) -> int:
        """Return the number of a board that follows `self.board`. Boards that differ only in merged tiles share it."""
        digits = (sum(map(board.stands, column.tiles)) for column in self.columns)
        return sum(digit * stride for digit, stride in zip(digits, self.columns.strides, strict=True))

    def holds(self, board: Board) -> bool:
        """Return whether `board` follows `self.board`, or is it."""
        later = all(shut >= before for shut, before in zip(board.shut, self.board.shut, strict=True))
        return later and all(map(board.stands, self.idle))

    def board_at(self, index: int) -> Board:
        """Return the board of a number; of merged tiles the first ones are shut."""
        digits = self.columns.digits(np.array(index)).tolist()
        tiles = [tile for column, digit in zip(self.columns, digits, strict=True) for tile in column.standing(digit)]
        return _standing(self.board, [*self.idle, *tiles])

    @cached_property
    def scores(self) -> NDArray[Any]:
        """`rules.score` of every board, shape (size,): int32; for score=digits int64, or float64 if too great."""
        if self.rules.options.score == "digits":
            # The values of the open tiles, written one after another; columns are from left to right.
            result = np.zeros(1, np.int64 if self.rules.score(self.board) < 2**63 else np.float64)
            for column in self.columns:
                value = column.tiles[0].value
                result = np.concatenate([result, result * 10 ** len(str(value)) + value])
            return result
        return self.columns.sums(self._scores_alone, self._score(self.idle))

    def scores_at(self, states: Indices | None) -> NDArray[Any]:
        """Return the same for the boards `states`, same shape; for every board if none are given.

        For a few boards of a game with millions this avoids the array of all of them.
        """
        if states is None:
            return self.scores
        if self.rules.options.score == "digits":
            found: NDArray[Any] = self.scores[states]
            return found
        return self.columns.sums_at(states, self._scores_alone, self._score(self.idle))

    def shut_at(self, states: Indices | None) -> NDArray[np.bool_]:
        """Return whether the boards `states` are shut, same shape; for every board if none are given."""
        shut: NDArray[np.bool_] = (np.arange(self.size) if states is None else states) < int(not self.idle)
        return shut

    @cached_property
    def dice(self) -> tuple[int, ...]:
        """The numbers of dice that may be thrown at some board of the game, ascending."""
        return tuple(sorted(self.rules.dice_counts))

    @cached_property
    def dice_allowed(self) -> NDArray[np.bool_]:
        """`rules.dice_allowed` of every board: shape (len(dice), size), whether `dice[row]` may be thrown."""
        return self._allowed(self._fewer_dice(None), np.s_[-1])

    def dice_allowed_at(self, states: Indices) -> NDArray[np.bool_]:
        """Return the same for the boards `states`: shape (len(dice), *states.shape)."""
        return self._allowed(self._fewer_dice(states), states == self.size - 1)

    @cached_property
    def outcomes(self) -> dict[int, tuple[Outcome, ...]]:
        """Per number of dice in `dice` the demands of its throws; the probabilities of one number add up to 1."""
        found = dict[int, tuple[Outcome, ...]]()
        for count in self.dice:
            chances: defaultdict[tuple[frozenset[int], bool], list[float]] = defaultdict(list)
            for throw, probability in throws_of(self.rules, count):
                chances[self.rules.meets(throw), self.rules.ends_turn(throw)].append(probability)
            found[count] = tuple(Outcome(fsum(parts), *demand) for demand, parts in chances.items())
        return found

    @cached_property
    def most_sum(self) -> int:
        """The greatest sum of keys that any throw demands."""
        return max((max(each.sums, default=0) for group in self.outcomes.values() for each in group), default=0)

    @cached_property
    def _scores_alone(self) -> list[list[int]]:
        """The cost of the standing tiles by column and digit."""
        return [[self._score(column.standing(digit)) for digit in range(base)] for column, base in self._bases()]

    def _allowed(self, fewer: NDArray[np.bool_], is_first: Any) -> NDArray[np.bool_]:
        """Return which numbers of dice are allowed, given where fewer are permitted and which board `is_first`."""
        allowed = np.empty((len(self.dice), *fewer.shape), np.bool_)
        first = self.rules.first_move_key is not None and self.board == self.rules.start()
        for row, dice in zip(allowed, self.dice, strict=True):
            row[...] = np.where(fewer, dice in self.rules.dice_if(fewer=True), dice in self.rules.dice_if(fewer=False))
            if first:
                row[is_first] = dice in self.rules.dice_allowed(self.board)
        return allowed

    def _fewer_dice(self, states: Indices | None) -> NDArray[np.bool_]:
        """Evaluate `OneDieRule.permits` for boards (all if none are given): its sum over the tiles, by column."""
        rule = self.rules.one_die
        if rule is None:
            return np.zeros(self.size if states is None else states.shape, np.bool_)
        open_ = Column.showing if rule.showing else Column.standing
        tables = [
            [sum(map(rule.weight, open_(column, digit))) for digit in range(base)] for column, base in self._bases()
        ]
        rest = sum(map(rule.weight, self.idle))
        totals = self.columns.sums(tables, rest) if states is None else self.columns.sums_at(states, tables, rest)
        found: NDArray[np.bool_] = (rule.least <= totals) & (totals <= rule.most)
        return found

    def _bases(self) -> Iterable[tuple[Column, int]]:
        return zip(self.columns, self.columns.bases, strict=True)

    def _score(self, tiles: Iterable[Tile]) -> int:
        """Return the cost of these tiles when only they stand: all scores but `digits` are sums over the columns."""
        return self.rules.score(_standing(self.board, tiles))


def _standing(board: Board, tiles: Iterable[Tile]) -> Board:
    """Return a board of the same layout on which exactly `tiles` stand."""
    shut = [board.layout.rows] * len(board.shut)
    for tile in tiles:
        shut[tile.column - 1] -= 1
    return Board(board.layout, tuple(shut))


def _columns_of(rules: Ruleset, board: Board) -> Iterator[Column]:
    """Yield the columns that a throw can meet: keys of 0 first, then from the greatest keys to the least.

    Then few moves lie within the inner columns, which makes the solver fast. If the score is read from left to right,
    so are the columns.
    """
    stands = [column[shut:] for column, shut in zip(rules.layout.by_column, board.shut, strict=True)]
    stands = [tiles for tiles in stands if tiles and rules.key_of(tiles[0]) is not None]
    if rules.options.score == "digits":
        yield from (_stack(rules, tiles) for tiles in stands)
        return
    columns = _merged(rules, stands) if rules.layout.rows == 1 else [_stack(rules, tiles) for tiles in stands]
    yield from sorted(columns, key=lambda column: (sum(column.keys) > 0, -sum(column.keys)))


def _stack(rules: Ruleset, tiles: tuple[Tile, ...]) -> Column:
    keys = tuple(rules.key_of(tile) or 0 for tile in tiles)
    return Column(tiles, keys, merged=False, reach=len(tiles) if rules.takes_revealed else 1)


def _merged(rules: Ruleset, stands: Iterable[tuple[Tile, ...]]) -> Iterator[Column]:
    """Merge columns of one tile each whose tiles have the same key and value."""
    groups: dict[tuple[int, int], list[Tile]] = {}
    for (tile,) in stands:
        groups.setdefault((rules.key_of(tile) or 0, tile.value), []).append(tile)
    for (key, _), tiles in groups.items():
        yield Column(tuple(tiles), (key,) * len(tiles), merged=True, reach=len(tiles))


def boards_of(rules: Ruleset, board: Board) -> int:
    """Return the number of boards that can follow `board`, including itself."""
    return Columns(tuple(_columns_of(rules, board))).size


def throws_of(rules: Ruleset, dice: int) -> Iterator[tuple[Throw, float]]:
    """Yield every throw of a number of dice with its probability; the order of the dice does not matter."""
    for faces in combinations_with_replacement(range(1, rules.sides + 1), dice):
        orders = factorial(dice) // prod(map(factorial, Counter(faces).values()))
        yield Throw(faces), orders / rules.sides**dice
