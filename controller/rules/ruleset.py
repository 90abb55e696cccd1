"""One game with its options chosen: what is legal, what it leads to, what it costs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from controller.rules.board import Board
from controller.rules.errors import IllegalMove, InvalidNotation, InvalidOption
from controller.rules.games import GAMES, GamePreset
from controller.rules.options import Options, Value, apply_choices, read_choices
from controller.rules.throw import Throw
from controller.rules.tiles import Layout, Tile

Move = tuple[Tile, ...]
_HIGHEST_FACE = 6


def rules_of(game: str, given: Mapping[str, object] | None = None) -> "Ruleset":
    """The rules of a game with the options `given`. Raises `InvalidOption` that lists what is allowed."""
    if game not in GAMES:
        raise InvalidOption(f"no game {game!r}; the games are {', '.join(GAMES)}")
    preset = GAMES[game]
    chosen = read_choices(preset.choices, given or {})
    return Ruleset(preset, chosen, apply_choices(preset.fixed, chosen))


@dataclass(frozen=True)
class Ruleset:
    """A game preset and the options chosen for it, by name and as the engine has them.

    Immutable; every method is a pure function.
    """

    preset: GamePreset
    chosen: Mapping[str, Value]
    options: Options

    @cached_property
    def layout(self) -> Layout:
        """The tiles of this game."""
        return Layout(self.options.rows, self.options.columns)

    def start(self) -> Board:
        """The board at the start of a turn."""
        return Board.start(self.layout)

    def board(self, text: str) -> Board:
        """Read a board of this game. Raises `InvalidNotation`."""
        return Board.parse(text, self.layout)

    def throw(self, text: str) -> Throw:
        """Read a throw that can occur in this game. Raises `InvalidNotation`."""
        return self.checked(Throw.parse(text))

    def checked(self, throw: Throw) -> Throw:
        """`throw`, if its number of dice occurs in this game. Raises `InvalidNotation`."""
        counts = {self.options.dice} if self.options.one_die == "never" else {1, self.options.dice}
        if len(throw.dice) not in counts:
            allowed = " or ".join(map(str, sorted(counts)))
            raise InvalidNotation(f"throw {throw}: this game is thrown with {allowed} dice, not {len(throw.dice)}")
        return throw

    def move(self, names: Iterable[str]) -> Move:
        """The tiles of these names as a move, in the order of the box. Raises `InvalidNotation`."""
        tiles = set()
        for name in names:
            if name not in self.layout.by_name:
                known = list(self.layout.by_name)
                raise InvalidNotation(f"no tile {name!r} in this game; it has {known[0]} to {known[-1]}")
            tiles.add(self.layout.by_name[name])
        return _in_order(tiles)

    def legal_moves(self, board: Board, throw: Throw) -> tuple[Move, ...]:
        """Every set of tiles that meets `throw`: fewest tiles first, then from front left to back right."""
        most = self.options.max_tiles or len(self.layout.by_name)
        found = (_in_order(tiles) for tiles in self._sets(board, throw.total) if len(tiles) <= most)
        return tuple(sorted(found, key=lambda move: (len(move), [tile.place for tile in move])))

    def after(self, board: Board, throw: Throw, move: Move) -> Board:
        """The board after `move`. Raises `IllegalMove` saying what is legal."""
        legal = self.legal_moves(board, throw)
        if move not in legal:
            said = " ".join(map(str, move)) or "nothing"
            shown = "; ".join(" ".join(map(str, each)) for each in legal) or "nothing: the turn is over"
            raise IllegalMove(f"{said} does not meet {throw} (total {throw.total}) here; legal is {shown}")
        return board.without(move)

    def dice_allowed(self, board: Board) -> frozenset[int]:
        """With how many dice the next throw may be made."""
        if not self._one_die_allowed(board):
            return frozenset({self.options.dice})
        return frozenset({1}) if self.options.one_die_forced else frozenset({1, self.options.dice})

    def score(self, board: Board) -> int:
        """What the open tiles cost, in points; 0 for a shut box."""
        if self.options.score == "showing":
            return sum(tile.value for tile in board.showing)
        double = self.options.score == "double_front"
        return sum(tile.value * (2 if double and tile.row == 1 else 1) for tile in board.standing)

    def _one_die_allowed(self, board: Board) -> bool:
        tiles = board.showing if self.options.one_die_total == "showing" else board.standing
        values = [tile.value for tile in tiles]
        match self.options.one_die:
            case "never":
                return False
            case "only1":
                return values == [1]
            case "high_covered":
                # S001 says 7, 8 and 9; on longer rows every number that one die cannot reach.
                return all(value <= _HIGHEST_FACE for value in values)
            case "at_most":
                return sum(values) <= self.options.one_die_limit

    def _sets(self, board: Board, total: int) -> Iterator[tuple[Tile, ...]]:
        """Every way to meet `total`: of each column nothing, or its standing tiles from the front."""
        found: list[tuple[tuple[Tile, ...], int]] = [((), total)]
        for column, shut in zip(self.layout.by_column, board.shut, strict=True):
            usable = self._usable(column[shut:])
            found += [(chosen + more, left - sum_) for chosen, left in found for more, sum_ in usable if sum_ <= left]
        return (chosen for chosen, left in found if left == 0)

    def _usable(self, standing: tuple[Tile, ...]) -> list[tuple[tuple[Tile, ...], int]]:
        """What one throw may take of a column, with its sum: the tile in front, and those it reveals if they count."""
        reach = len(standing) if self.options.reveal == "same_throw" else min(1, len(standing))
        return [(standing[:count], sum(tile.value for tile in standing[:count])) for count in range(1, reach + 1)]


def _in_order(tiles: Iterable[Tile]) -> Move:
    return tuple(sorted(tiles, key=lambda tile: tile.place))
