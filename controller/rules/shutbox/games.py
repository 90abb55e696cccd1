"""The games of the Shut the Box family, each a preset of options with its source document. A variant is data.

An option is a field of `Options` or `Terms`, and a `Choice` of the presets that offer it.

Documents: S000 two-level patent, S001 English pub rules, S002 encyclopedia article, S004 maker's sheet.
"""

from dataclasses import dataclass, replace
from typing import Literal

from controller.rules.options import Choice, Value
from controller.rules.throw import HIGHEST_FACE


@dataclass(frozen=True, slots=True)
class Options:
    """The rules of a turn. A field that a game does not offer keeps its value here.

    rows, columns: the layout of the tiles.
    start: which tiles stand at the start.
    domino_set: the number of dominoes that replace the numbered tiles (0: none).
    domino_match: how a throw matches dominoes.
    dice, sides: a full throw.
    each_die: a throw is matched by one tile that equals one die or the sum of the dice.
    one_die: when a single die may be thrown.
    one_die_limit: the limit T of `at_most`.
    one_die_total: which tiles count towards that total.
    one_die_forced: whether the single die may (False) or must (True) be thrown.
    many_dice: where fewer dice are permitted, whether any number of more than two dice may be thrown.
    first_set: the number that the first move must contain (0: any move).
    on_seven: what a 7 of two dice ends.
    reveal: when a revealed tile may be used.
    score: what an open tile costs.
    max_tiles: the most tiles that one throw may shut (0: no limit).
    carry_board: the next player continues with the board as it is.
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
    """The agreements of the players beyond a turn: order, ties, match and money. `on_seven=round` is in `Options`.

    shut: whether shutting the box ends the round at once.
    ties: who wins a round when the lowest scores are equal.
    first, first_dice: who begins, and how many dice are thrown for it.
    race: whole turns, or one throw each in rotation until somebody shuts the box.
    alternate: one throw each on a common board.
    lost: what losing on the first throw means (2-to-go).
    stake: the coins that each player pays into the pool.
    double_stake: what the others pay for a shut.
    odd_coin: who gets the coins that cannot be divided evenly.
    match: the form of the match.
    match_limit: the total that ends a tournament or drops a player out (0: 100 and 45).
    rounds: the rounds of a match for points.
    match_end, match_shut, match_tie, all_drop: see `controller.game.shutbox.match`.
    undo: who may take a choice back until the next throw lies, or correct the throw read before it.
    undo_limit: how often each player may do so in a match (0: no limit).
    hints: whether the box tells odds and best moves; `single`: only in a game outside a match.
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
        return self.hints == "always" or (self.hints == "single" and self.match == "single")

    @property
    def has_running_totals(self) -> bool:
        """True for a match in which scores add up over the rounds."""
        return self.match in ("tournament", "drop-out")

    @property
    def shut_wins(self) -> bool:
        """True if shutting the box ends the round at once, in favour of the player who did it."""
        if self.race == "rotation" or self.alternate:
            return True
        return self.match_shut == "wins_match" if self.has_running_totals else self.shut == "immediate"

    @property
    def shares_rounds(self) -> bool:
        """True if every player who ends a round with the lowest score wins it, or still may; else only one can."""
        return self.has_running_totals or self.ties != "earlier_wins"

    @property
    def stakes_for_shut(self) -> int:
        """The extra stakes that every other player pays for a shut that wins outright (S001: double the stake)."""
        return {"none": 0, "extra": 1, "on_top": 2}[self.double_stake]


@dataclass(frozen=True, slots=True)
class GamePreset:
    """One game: its name, document and summary, its fixed options and the choices it leaves to the players.

    dice_by_width: a wider board is thrown with more dice, unless `dice` is chosen.
    """

    name: str
    document: str
    summary: str
    fixed: Options
    choices: tuple[Choice, ...]
    dice_by_width: bool = False

    def dice_for(self, columns: int) -> int:
        """Return the number of dice for a board of this width (RULES of S000: two for up to twelve numbers)."""
        return max(2, -(-columns // HIGHEST_FACE))


# Every option, with the default and the values that most games have. A new one also needs a field of `Options` or
# `Terms`, and its name in the preset of each game that offers it.
_CHOICES = {
    choice.name: choice
    for choice in (
        Choice("tiles", 9, tuple(range(1, 13)), "tiles in the row"),
        Choice("columns", 9, tuple(range(1, 25)), "tiles in a row"),
        Choice("rows", 2, tuple(range(1, 7)), "rows, one behind the other"),
        Choice("dice", 2, tuple(range(1, 7)), "dice of a full throw"),
        Choice("domino_set", 15, (15, 21, 28), "15 mixed dominoes, 21 with doubles, 28 with blanks too"),
        Choice(
            "domino_match",
            "pair",
            ("pair", "one_total", "any_total"),
            "a throw turns the domino with its pair, any one with its total, or any set with that total",
        ),
        Choice("reveal", "next_throw", ("next_throw", "same_throw"), "when a revealed tile may be used"),
        Choice("score", "showing", ("showing", "standing", "count", "digits"), "what the open tiles cost"),
        Choice("one_die", "only1", ("never", "only1", "high_covered", "at_most"), "when a player may throw one die"),
        Choice("one_die_limit", 6, (6, 7, 8, 9), "the greatest total at which one_die=at_most allows one die"),
        Choice("one_die_total", "standing", ("standing", "showing"), "which open tiles one_die looks at"),
        Choice("one_die_forced", False, (False, True), "whether the single die is a must"),
        Choice("many_dice", "one_or_all", ("one_or_all", "any"), "of more than two dice, whether any number may go"),
        Choice("max_tiles", 0, tuple(range(25)), "the most tiles one throw may shut; 0 is no limit"),
        Choice("carry_board", False, (False, True), "whether the next player goes on with the board as it is"),
        Choice("on_seven", "turn", ("turn", "round", "played"), "what a 7 of two dice ends"),
        Choice("lost", "round", ("round", "turn", "game"), "what losing on the first throw means"),
        Choice("race", "rotation", ("rotation", "turn"), "one throw each in turn, or whole turns"),
        Choice("alternate", False, (False, True), "one throw each on a common board; who cannot move is out"),
        Choice("shut", "immediate", ("immediate", "play_on"), "whether shutting the box ends the round at once"),
        Choice(
            "ties", "split", ("split", "play_off", "carry_over", "earlier_wins"), "who wins when the lowest are equal"
        ),
        Choice("first", "lowest", ("lowest", "highest", "chosen", "rotate", "winner"), "who begins"),
        Choice("first_dice", 1, (1, 2), "dice thrown for who begins"),
        Choice("stake", 0, tuple(range(101)), "coins each player pays into the pool"),
        Choice("double_stake", "none", ("none", "extra", "on_top"), "what the others pay for a shut"),
        Choice("odd_coin", "earliest_seat", ("earliest_seat", "latest_seat"), "who gets what does not divide"),
        Choice("match", "single", ("single", "tournament", "drop-out", "points"), "the form of the match"),
        Choice("match_limit", 0, tuple(range(501)), "the total that ends a match; 0: tournament 100, drop-out 45"),
        Choice("rounds", 5, tuple(range(1, 51)), "rounds of a match for points"),
        Choice("match_end", "after_round", ("after_round", "at_once"), "when a tournament looks at the totals"),
        Choice("match_shut", "zero", ("zero", "wins_match"), "what a shut does where totals run on"),
        Choice("match_tie", "extra_round", ("extra_round", "share"), "what equal ends of a match lead to"),
        Choice("all_drop", "lowest", ("lowest", "replay"), "when all who are left drop out together"),
        Choice("undo", "chooser", ("chooser", "anybody", "nobody"), "who may take a choice back before the next throw"),
        Choice("undo_limit", 0, tuple(range(10)), "how often each may in a match; 0 is no limit"),
        Choice("hints", "single", ("single", "always", "never"), "when odds are told: in single games, always, never"),
    )
}

_MONEY = ("stake", "double_stake", "odd_coin")
_MATCH = ("match", "match_limit", "rounds", "match_end", "match_shut", "match_tie", "all_drop")
_TABLE = ("shut", "ties", "first", "first_dice", *_MONEY, *_MATCH, "undo", "undo_limit", "hints")
_ONE_DIE = ("one_die", "one_die_limit", "one_die_total", "one_die_forced")
_ROW = ("tiles", "dice", *_ONE_DIE, "many_dice", "score", "max_tiles")
_LEVELS = ("columns", "rows", "dice", "reveal", "score", *_ONE_DIE, "many_dice", "max_tiles", "carry_board")
_LEVEL_SCORES = ("showing", "standing", "double_front", "count", "digits")


def _game(
    name: str,
    document: str,
    summary: str,
    *names: str,
    fixed: Options = Options(),
    dice_by_width: bool = False,
    **changed: Value | tuple[Value, tuple[Value, ...]],
) -> GamePreset:
    """Return the preset with the options `names` and those of every table. changed: other defaults, or values too."""
    choices = []
    for each in (*names, *_TABLE):
        choice = _CHOICES[each]
        match changed.get(each):
            case None:
                choices.append(choice)
            case (default, allowed):
                choices.append(replace(choice, default=default, allowed=allowed))
            case default:
                choices.append(replace(choice, default=default))
    return GamePreset(name, document, summary, fixed, tuple(choices), dice_by_width)


def _widths(least: int, most: int = 12) -> tuple[int, ...]:
    return tuple(range(least, most + 1))


_ALL = (
    _game(
        "two-level",
        "S000",
        "Two rows. A back tile is in play once its front tile is down.",
        *_LEVELS,
        "alternate",
        fixed=Options(rows=2),
        dice_by_width=True,
        one_die="at_most",
        score=("showing", _LEVEL_SCORES),
    ),
    _game(
        "double-shutter",
        "S000",
        "Two rows as sold: revealed tiles count at once, front double.",
        *_LEVELS,
        "alternate",
        fixed=Options(rows=2),
        dice_by_width=True,
        one_die="at_most",
        one_die_total="showing",
        reveal="same_throw",
        score=("double_front", _LEVEL_SCORES),
    ),
    _game(
        "pub",
        "S001",
        "One row. When 7, 8 and 9 are shut, you may throw one die.",
        *_ROW,
        one_die="high_covered",
        double_stake="extra",
    ),
    _game("traditional", "S002", "One row. When only the 1 is up, you may throw one die.", *_ROW),
    _game("maker", "S004", "One row. When 6 or less is up in all, you may throw one die.", *_ROW, one_die="at_most"),
    _game("golf", "S002", "The score is the sum of the open tiles.", *_ROW),
    _game("missionary", "S002", "The score is the number of open tiles.", *_ROW, score="count"),
    _game(
        "2-to-go",
        "S002",
        "The first set needs the 2; a first throw without one loses.",
        *_ROW,
        "lost",
        fixed=Options(first_set=2),
        tiles=(9, _widths(2)),
    ),
    _game(
        "3-to-go",
        "S002",
        "The first set needs the 3; a first throw without one loses.",
        *_ROW,
        "lost",
        fixed=Options(first_set=3),
        tiles=(9, _widths(3)),
    ),
    _game(
        "3-down-extreme",
        "S002",
        "1, 2 and 3 are down before the start.",
        *_ROW,
        fixed=Options(start="from_4"),
        tiles=(9, _widths(4)),
    ),
    _game(
        "lucky-7",
        "S002",
        "Only the 7 is up; the first to throw a 7 wins.",
        "tiles",
        "score",
        "race",
        fixed=Options(start="only_7"),
        tiles=(9, _widths(7)),
    ),
    _game(
        "unlucky-7",
        "S002",
        "A throw of 7 ends it.",
        "tiles",
        *_ONE_DIE,
        "score",
        "max_tiles",
        "on_seven",
    ),
    _game("against-all-odds", "S002", "Only the odd tiles are up.", *_ROW, fixed=Options(start="odd")),
    _game(
        "even-stevens",
        "S002",
        "Only the even tiles are up.",
        *_ROW,
        fixed=Options(start="even"),
        tiles=(9, _widths(2)),
    ),
    _game("full-house", "S002", "Twelve tiles.", *_ROW, tiles=12),
    _game(
        "the-300",
        "S002",
        "Two boxes make 24 tiles, thrown for with four dice.",
        *_ROW,
        fixed=Options(columns=24),
        tiles=(24, _widths(1, 24)),
        dice=4,
        one_die="never",
    ),
    _game(
        "thai",
        "S002",
        "One tile a throw: one of the two dice, or their sum.",
        "tiles",
        "score",
        fixed=Options(each_die=True, max_tiles=1),
    ),
    _game("digital", "S002", "The score is the open digits read from left to right.", *_ROW, score="digits"),
    _game(
        "2012",
        "S002",
        "Twelve tiles and one twenty-sided die.",
        "tiles",
        "score",
        "max_tiles",
        fixed=Options(columns=12, dice=1, sides=20),
        tiles=(12, _widths(1, 20)),
        first_dice=(1, (1,)),
    ),
    _game(
        "dominoes",
        "S000",
        "A throw turns the domino that bears its pair.",
        "domino_set",
        "domino_match",
        "score",
        fixed=Options(columns=15),
        score=("showing", ("showing", "standing", "count")),
    ),
)

GAMES = {game.name: game for game in _ALL}
