"""One game with its options chosen: legal moves, the boards they lead to, and scores."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from controller.rules.board import Board
from controller.rules.errors import IllegalMove, InvalidNotation, InvalidOption, describe_known
from controller.rules.options import Value, apply_choices, read_choices
from controller.rules.shutbox.games import GAMES, GamePreset, Options, Terms
from controller.rules.throw import HIGHEST_FACE, Throw, words_of
from controller.rules.tiles import DOMINOES, NO_MARKS, Layout, Marks, Tile, check_marks, pair_key


@dataclass(frozen=True, slots=True)
class OneDieRule:
    """A rule: fewer dice are permitted if the weights of the open tiles add up to `least`..`most`.

    showing: only tiles that no other tile hides count, not all standing tiles.

    Sources: S001 (7, 8 and 9 are shut), S002 (only the 1 is open), S004 and S000 (the open tiles come to at most 6).
    Every reading of the rule is such a sum, because `controller.odds` can then evaluate this same rule for all boards
    of a game at once.
    """

    weight: Callable[[Tile], int]
    least: int
    most: int
    showing: bool

    def permits(self, board: Board) -> bool:
        tiles = board.showing if self.showing else board.standing
        return self.least <= sum(map(self.weight, tiles)) <= self.most


def one_die_rule(options: Options) -> OneDieRule | None:
    """Return the rule of a game with these options, or None if all dice are always thrown."""
    showing = options.one_die_total == "showing"
    match options.one_die:
        case "never":
            return None
        case "only1":
            # Tiles of the games with this option are worth at least 1: a total of 1 is a single tile worth 1.
            return OneDieRule(_value, 1, 1, showing)
        case "high_covered":
            # S001 says 7, 8 and 9; on longer rows it is every number that one die cannot reach.
            return OneDieRule(_is_high, 0, 0, showing)
        case "at_most":
            return OneDieRule(_value, 0, options.one_die_limit, showing)


def _value(tile: Tile) -> int:
    return tile.value


def _is_high(tile: Tile) -> int:
    return int(tile.value > HIGHEST_FACE)


Move = tuple[Tile, ...]

# The numbers of a row that stand at the start of a game.
_STARTS: Mapping[str, Callable[[int], bool]] = {
    "all": lambda number: True,
    "odd": lambda number: number % 2 == 1,
    "even": lambda number: number % 2 == 0,
    "from_4": lambda number: number >= 4,
    "only_7": lambda number: number == 7,
}
# A big board has thousands of moves; a refusal should stay one line.
_MOST_LISTED = 12


def rules_of(game: str, given: Mapping[str, object] | None = None, marks: Marks | None = None) -> "Ruleset":
    """Return the rules of a game with the options `given`. Raises `InvalidOption` that lists what is allowed.

    marks: the symbols on tiles and dice. Raises `InvalidNotation` if they do not fit the game.
    """
    if game not in GAMES:
        raise InvalidOption(f"no game {game!r}; {describe_known(GAMES, game, 'the games are')}")
    preset, given = GAMES[game], given or {}
    chosen = read_choices(preset.choices, given)
    if preset.dice_by_width and "dice" not in given:
        chosen["dice"] = preset.dice_for(int(chosen["columns"]))
    rules = Ruleset(
        preset, chosen, apply_choices(preset.fixed, chosen), apply_choices(Terms(), chosen), marks or Marks()
    )
    _check(rules)
    return rules


@dataclass(frozen=True)
class Ruleset:
    """A game preset and the options chosen for it, by name (`chosen`) and as fields (`options`, `terms`).

    Immutable; every method is a pure function.
    """

    preset: GamePreset
    chosen: Mapping[str, Value] = field(compare=False)
    options: Options
    terms: Terms
    marks: Marks = NO_MARKS

    @property
    def name(self) -> str:
        return self.preset.name

    @cached_property
    def is_as_published(self) -> bool:
        """True if turns are played as in the game's document, so that the preset's summary holds."""
        usual = rules_of(self.name)
        return (self.options, self.terms.race) == (usual.options, usual.terms.race)

    @property
    def may_throw_fewer(self) -> bool:
        """False if all dice are always thrown, also because the rule needs an open 1 and the game has none."""
        options = self.options
        has_one = any(tile.value == 1 for tile in self.start().standing)
        return options.dice > 1 and options.one_die != "never" and (options.one_die != "only1" or has_one)

    @cached_property
    def layout(self) -> Layout:
        options, starts = self.options, _STARTS[self.options.start]
        columns = options.domino_set or options.columns
        absent = frozenset(number for number in range(1, columns + 1) if not starts(number))
        return Layout(options.rows, columns, absent, options.domino_set > 0, self.marks)

    def start(self) -> Board:
        return Board.start(self.layout)

    def board(self, text: str) -> Board:
        """Parse a board of this game. Raises `InvalidNotation`."""
        return Board.parse(text, self.layout)

    def throw(self, text: str) -> Throw:
        """Parse a throw that can occur in this game. Raises `InvalidNotation`."""
        words = [self.marks.face_of(word) for word in words_of(text)]
        try:
            return self.check_throw(Throw.parse(",".join(words)))
        except InvalidNotation as error:
            faces = ", ".join(self.marks.faces) if self.marks.faces else f"1 to {self.sides}"
            counts = " or ".join(map(str, sorted(self.dice_counts)))
            problem = f"throw {text!r}: a die shows {faces}; this game is thrown with {counts} dice"
            raise InvalidNotation(f"{problem}, such as {self.example}") from error

    def check_throw(self, throw: Throw) -> Throw:
        """Return `throw` if its faces and its number of dice occur in this game. Raises `InvalidNotation`."""
        if throw.dice[-1] > self.sides:
            raise InvalidNotation(f"throw {throw}: a die shows 1 to {self.sides}, not {throw.dice[-1]}")
        if len(throw.dice) not in self.dice_counts:
            allowed = " or ".join(map(str, sorted(self.dice_counts)))
            raise InvalidNotation(f"throw {throw}: this game is thrown with {allowed} dice, not {len(throw.dice)}")
        return throw

    @property
    def sides(self) -> int:
        """The number of faces of a die: 6 or 20."""
        return self.options.sides

    @property
    def example(self) -> str:
        """A throw as a player writes it."""
        if self.sides > HIGHEST_FACE:
            return ",".join(("17",) * self.options.dice)
        faces = self.marks.faces or tuple(map(str, range(1, 7)))
        return ",".join(faces[face - 1] for face in (5, 3, 6, 1, 4, 2)[: self.options.dice])

    @cached_property
    def dice_counts(self) -> frozenset[int]:
        """The numbers of dice with which some throw of this game is made."""
        full = self.options.dice
        return frozenset({full}) if self.options.one_die == "never" else self._permitted_counts | {full}

    @cached_property
    def first_move_key(self) -> int | None:
        """The key that the first move of a turn must contain (2-to-go); None if there is no such rule."""
        return self.options.first_set or None

    @cached_property
    def most_tiles(self) -> int | None:
        """The most tiles of one move; None: no limit."""
        if self.options.domino_set and self.options.domino_match != "any_total":
            return 1
        return self.options.max_tiles or None

    @property
    def takes_revealed(self) -> bool:
        """True if a tile may be shut with the same throw that reveals it."""
        return self.options.reveal == "same_throw"

    def key_of(self, tile: Tile) -> int | None:
        """Return the key of `tile`: its value, or the code of its pair; None if no throw can meet it."""
        if self.options.domino_set and self.options.domino_match == "pair":
            return pair_key(DOMINOES[tile.column - 1])
        return tile.value

    def meets(self, throw: Throw) -> frozenset[int]:
        """Return the sums of keys of which a move must make one to meet `throw`; empty: the throw ends the turn."""
        if self._is_seven(throw) and self.options.on_seven in ("turn", "round"):
            return frozenset()
        if self.options.each_die:
            return frozenset({*throw.dice, throw.total})
        if self.options.domino_set and self.options.domino_match == "pair":
            low, high = throw.dice
            return frozenset({10 * low + high})
        return frozenset({throw.total})

    def ends_turn(self, throw: Throw) -> bool:
        """Return whether the turn is over once a move has met `throw` (unlucky-7, on_seven=played)."""
        return self.options.on_seven == "played" and self._is_seven(throw)

    def ends_round(self, throw: Throw) -> bool:
        """Return whether `throw` ends the round for all players (unlucky-7, on_seven=round)."""
        return self.options.on_seven == "round" and self._is_seven(throw)

    def move(self, names: Iterable[str]) -> Move:
        """Return the tiles with these names as a move, in the order of the box. Raises `InvalidNotation`."""
        tiles = set()
        for name in names:
            if name not in self.layout.by_name:
                known = list(self.layout.by_name)
                raise InvalidNotation(f"no tile {name!r} in this game; it has {known[0]} to {known[-1]}")
            tiles.add(self.layout.by_name[name])
        return _in_order(tiles)

    def legal_moves(self, board: Board, throw: Throw) -> tuple[Move, ...]:
        """Return every set of tiles that meets `throw`: fewest tiles first, then from front left to back right."""
        sums = self.meets(throw)
        found = [_in_order(tiles) for tiles in self._sets(board, sums)] if sums else []
        if self.first_move_key is not None and board == self.start():
            found = [move for move in found if any(self.key_of(tile) == self.first_move_key for tile in move)]
        return tuple(sorted(found, key=lambda move: (len(move), [tile.place for tile in move])))

    def after(self, board: Board, throw: Throw, move: Move) -> Board:
        """Return the board after `move`. Raises `IllegalMove` that says what is legal."""
        legal = self.legal_moves(board, throw)
        if move not in legal:
            lying = next((tile for tile in move if not board.stands(tile)), None)
            named = " + ".join(map(str, move)) or "nothing"
            reason = f"{named} does not go with this throw" if lying is None else f"{lying} is shut already"
            raise IllegalMove(f"{reason}; {_list_legal(legal)}")
        return board.without(move)

    def dice_allowed(self, board: Board) -> frozenset[int]:
        """Return the numbers of dice with which the next throw may be made."""
        # 2-to-go and 3-to-go: two dice on the first throw, whatever the board.
        first = self.first_move_key is not None and board == self.start()
        return self.dice_if(fewer=not first and self.one_die is not None and self.one_die.permits(board))

    @cached_property
    def one_die(self) -> OneDieRule | None:
        """The rule by which fewer dice are permitted; None: never."""
        return one_die_rule(self.options)

    def dice_if(self, *, fewer: bool) -> frozenset[int]:
        """Return the numbers of dice of a throw, given whether fewer than all dice are permitted."""
        if not fewer:
            return frozenset({self.options.dice})
        return frozenset({1}) if self.options.one_die_forced else self._permitted_counts

    def score(self, board: Board) -> int:
        """Return the cost of the open tiles, in points; 0 for a shut box."""
        match self.options.score:
            case "showing":
                return sum(tile.value for tile in board.showing)
            case "standing":
                return sum(tile.value for tile in board.standing)
            case "double_front":
                return sum(tile.value * (2 if tile.row == 1 else 1) for tile in board.standing)
            case "count":
                return sum(1 for _ in board.showing)
            case "digits":
                return int("".join(str(tile.value) for tile in board.showing) or "0")

    @cached_property
    def _permitted_counts(self) -> frozenset[int]:
        full = self.options.dice
        return frozenset(range(1, full + 1)) if self.options.many_dice == "any" else frozenset({1, full})

    def _is_seven(self, throw: Throw) -> bool:
        return len(throw.dice) == 2 and throw.total == 7

    def _sets(self, board: Board, sums: frozenset[int]) -> Iterator[tuple[Tile, ...]]:
        """Yield every way to make one of `sums`, taking no tile of a column or its standing tiles from the front."""
        total, most = max(sums), self.most_tiles or len(self.layout.by_name)
        found: list[tuple[tuple[Tile, ...], int]] = [((), 0)]
        for takes, shut in zip(self._takes, board.shut, strict=True):
            found += [
                (chosen + more, made + sum_)
                for chosen, made in found
                for more, sum_ in takes[shut]
                if made + sum_ <= total and len(chosen) + len(more) <= most
            ]
        return (chosen for chosen, made in found if made in sums)

    @cached_property
    def _takes(self) -> tuple[tuple[list[tuple[Move, int]], ...], ...]:
        """Per column and number of its shut tiles: the tiles that one throw may take, each with the sum of its keys."""
        return tuple(
            tuple(self._usable(column[shut:]) for shut in range(len(column) + 1)) for column in self.layout.by_column
        )

    def _usable(self, standing: tuple[Tile, ...]) -> list[tuple[Move, int]]:
        """Return the first standing tile of a column, and the tiles that it reveals if they may be used."""
        keys = [self.key_of(tile) for tile in standing[: None if self.takes_revealed else 1]]
        if None in keys:
            return []
        sums = [sum(key or 0 for key in keys[:count]) for count in range(1, len(keys) + 1)]
        return [(standing[:count], sum_) for count, sum_ in enumerate(sums, 1)]


def _check(rules: Ruleset) -> None:
    """Raise `InvalidOption` or `InvalidNotation` unless the options and marks go together."""
    options = rules.options
    if options.score == "double_front" and options.rows != 2:
        raise InvalidOption(f"score=double_front needs two rows, not {options.rows}; say another score or rows=2")
    if options.score == "digits" and options.rows != 1:
        raise InvalidOption(f"score=digits reads one row, not {options.rows}; say another score or rows=1")
    if rules.terms.alternate and options.carry_board:
        raise InvalidOption("alternate=true plays on one common board; leave out carry_board")
    if rules.terms.alternate and rules.terms.match in ("tournament", "drop-out"):
        raise InvalidOption("alternate=true is for match=single or points: who still plays at a shut has no score")
    rows = [[(tile.name, tile.mark) for tile in rules.layout.row(row)] for row in range(options.rows)]
    check_marks(rules.marks, rows, rules.sides)


def _in_order(tiles: Iterable[Tile]) -> Move:
    return tuple(sorted(tiles, key=lambda tile: tile.place))


def _list_legal(legal: Sequence[Move]) -> str:
    if not legal:
        return "nothing can be shut: the turn is over"
    shown = ", ".join(" + ".join(map(str, each)) for each in legal[:_MOST_LISTED])
    more = len(legal) - _MOST_LISTED
    return f"you can shut {shown}" + (f", or one of {more} more" if more > 0 else "")
