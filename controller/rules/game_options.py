"""The settings a game is played with (`--set NAME=VALUE`), not its legal moves: those are in `ruleset.py`.

Every reading of an unclear word of a document is an option: a name, the values allowed, the default. A game's
preset (`games.py`) lists the ones it has.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeVar

from controller.rules.errors import InvalidOption
from controller.rules.suggestion import describe_known

Value = str | int | bool
Record = TypeVar("Record")  # a dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of one game: its name, its default, the values allowed and what it is about."""

    name: str
    default: Value
    allowed: tuple[Value, ...]
    meaning: str

    def read(self, given: object) -> Value:
        """`given` (a text from the command line, or a JSON value) as one of the allowed values.

        Raises `InvalidOption` that lists them.
        """
        for value in self.allowed:
            if given == value and isinstance(given, bool) == isinstance(value, bool):
                return value
            if isinstance(given, str) and given == _text(value):
                return value
        raise InvalidOption(f"{self.name}={_text(given)} is not possible; allowed are {self.allowed_text}")

    @property
    def allowed_text(self) -> str:
        """The values allowed as words; a run of numbers as its ends."""
        first, last = self.allowed[0], self.allowed[-1]
        if isinstance(first, int) and len(self.allowed) > 4 and len(self.allowed) == int(last) - first + 1:
            return f"{first} to {last}"
        return ", ".join(map(_text, self.allowed))


@dataclass(frozen=True, slots=True)
class Options:
    """The rules of a turn. Fields that a game does not offer keep the value here.

    rows, columns: the tiles. start: which of them the game starts with. domino_set: how many dominoes there are
    instead of numbers (0: none), and domino_match how a throw meets them.
    dice, sides: a full throw; each_die: a throw is met by one tile that equals one of the dice or their sum.
    one_die: when a single die may be thrown; one_die_limit: the T of `at_most`; one_die_total: which tiles
    count for it; one_die_forced: may (False) or must (True); many_dice: whether, of more than two dice, any
    number may be thrown where one may.
    first_set: the number that the first set must contain (0: any set). on_seven: what a 7 of two dice does.
    reveal: when a tile that comes to light may be used. score: what an open tile costs.
    max_tiles: the most tiles one throw may shut (0: no limit). carry_board: the next player goes on with the
    board as it is.
    """

    rows: int = 1
    columns: int = 9
    start: Literal["all", "odd", "even", "from_4", "only_7"] = "all"
    domino_set: Literal[0, 15, 21, 28] = 0
    domino_match: Literal["pair", "one_total", "any_total"] = "pair"
    dice: int = 2
    sides: Literal[6, 20] = 6
    each_die: bool = False
    one_die: Literal["never", "only1", "high_covered", "at_most"] = "never"
    one_die_limit: int = 6
    one_die_total: Literal["standing", "showing"] = "standing"
    one_die_forced: bool = False
    many_dice: Literal["one_or_all", "any"] = "one_or_all"
    first_set: int = 0
    on_seven: Literal["plain", "turn", "round", "played"] = "plain"
    reveal: Literal["next_throw", "same_throw"] = "next_throw"
    score: Literal["showing", "standing", "double_front", "count", "digits"] = "showing"
    max_tiles: int = 0
    carry_board: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """The agreements of the players beyond a turn: order, ties, match and money.

    shut: whether shutting the box ends the round at once. ties: who wins a round of equal lowest scores.
    first, first_dice: who begins, and with how many dice that is thrown for. race: whole turns, or one throw
    each in rotation until somebody shuts. alternate: one throw each on a common board.
    lost: what losing on the first throw means (2-to-go). on_seven's `round` stands in `Options`.
    stake: coins each player pays into the pool; double_stake: what the others pay for a shut; odd_coin: who gets
    what does not divide.
    match: its form; match_limit: the total that ends a tournament or drops a player out (0: 100 and 45);
    rounds: of a match for points; match_end, match_shut, match_tie, all_drop: see `controller.game.shutbox.match`.
    undo: who may take a choice back until the next throw lies, or correct what was read before it; undo_limit: how
    often each player may in a match (0: no limit).
    hints: whether the box tells odds and best moves; `single`: in a game that is no match.
    """

    shut: Literal["immediate", "play_on"] = "immediate"
    ties: Literal["split", "play_off", "carry_over", "earlier_wins"] = "split"
    first: Literal["lowest", "highest", "chosen", "rotate", "winner"] = "lowest"
    first_dice: int = 1
    race: Literal["rotation", "turn"] = "turn"
    alternate: bool = False
    lost: Literal["round", "turn", "game"] = "round"
    stake: int = 0
    double_stake: Literal["none", "extra", "on_top"] = "none"
    odd_coin: Literal["earliest_seat", "latest_seat"] = "earliest_seat"
    match: Literal["single", "tournament", "drop-out", "points"] = "single"
    match_limit: int = 0
    rounds: int = 5
    match_end: Literal["after_round", "at_once"] = "after_round"
    match_shut: Literal["zero", "wins_match"] = "zero"
    match_tie: Literal["extra_round", "share"] = "extra_round"
    all_drop: Literal["lowest", "replay"] = "lowest"
    undo: Literal["chooser", "anybody", "nobody"] = "chooser"
    undo_limit: int = 0
    hints: Literal["single", "always", "never"] = "single"

    @property
    def allows_hints(self) -> bool:
        """True where the box tells odds and best moves to whoever asks."""
        return self.hints == "always" or (self.hints == "single" and self.match == "single")

    @property
    def has_running_totals(self) -> bool:
        """True for a match in which scores add up over the rounds."""
        return self.match in ("tournament", "drop-out")

    @property
    def shut_wins(self) -> bool:
        """True if shutting the box ends the round at once, in favour of who did it."""
        if self.race == "rotation" or self.alternate:
            return True
        return self.match_shut == "wins_match" if self.has_running_totals else self.shut == "immediate"

    @property
    def shares_rounds(self) -> bool:
        """True if all who end a round with the lowest score have won it, or may still; else only one of them can."""
        return self.has_running_totals or self.ties != "earlier_wins"

    @property
    def stakes_for_shut(self) -> int:
        """The stakes more that everybody else pays for a shut that wins outright (RULES of S001: double the stake)."""
        return {"none": 0, "extra": 1, "on_top": 2}[self.double_stake]


# The command line's word for the width of a one-row box is `tiles`; the engine knows columns.
_FIELD = {"tiles": "columns"}


def read_choices(choices: Iterable[Choice], given: Mapping[str, object]) -> dict[str, Value]:
    """Every option of a game by name: as `given`, else its default. Raises `InvalidOption`."""
    known = {choice.name: choice for choice in choices}
    for name in given:
        if name not in known:
            raise InvalidOption(f"no option {name!r} in this game; {describe_known(known, name, 'it has')}")
    return {name: choice.read(given.get(name, choice.default)) for name, choice in known.items()}


def apply_choices(base: Record, chosen: Mapping[str, Value]) -> Record:
    """`base`, a dataclass, with those of its fields that were chosen."""
    record: Any = base
    known = {each.name for each in fields(record)}
    values: dict[str, Any] = {_FIELD.get(name, name): value for name, value in chosen.items()}
    changed: Record = replace(record, **{name: value for name, value in values.items() if name in known})
    return changed


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
