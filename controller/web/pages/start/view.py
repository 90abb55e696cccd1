"""What the page on which a game is started shows: every game by what fits the box, and the options of one of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from controller.box import GameEntry, GameOption, can_show
from controller.game import STRENGTHS, GameStarted, Player, Strength
from controller.rules import Value, rules_of
from controller.web.pages.phrases import describe_box
from controller.web.pages.scene import TilePictures
from controller.web.pages.small_board import SmallBoard, draw_board
from controller.web.pages.start.mark_sets import MarkSet, mark_sets
from controller.words import Words, document_title, game_title, option_label, option_value
from hardware.box import Box, load_box

# A list of more values than these is a number to be typed.
_MOST_IN_LIST = 12
# The options that stand open; the others are folded away.
_OPEN = ("match", "rounds", "match_limit", "stake", "first", "hints")
# An option means nothing while another has one of these values.
_UNLESS: Mapping[str, tuple[str, tuple[Value, ...]]] = {
    "rounds": ("match", ("single", "tournament", "drop-out")),
    "match_limit": ("match", ("single", "points")),
    "match_end": ("match", ("single", "drop-out", "points")),
    "match_shut": ("match", ("single", "points")),
    "match_tie": ("match", ("single",)),
    "all_drop": ("match", ("single", "tournament", "points")),
    "double_stake": ("stake", (0,)),
    "odd_coin": ("stake", (0,)),
    "one_die_limit": ("one_die", ("never", "only1", "high_covered")),
    "one_die_total": ("one_die", ("never", "only1", "high_covered")),
    "one_die_forced": ("one_die", ("never",)),
    "many_dice": ("dice", (1, 2)),
    "first_dice": ("first", ("chosen", "rotate", "winner")),
    "undo_limit": ("undo", ("nobody",)),
}


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game in the list. is_here: this box can show it. where: on which other box it is played, in words, if so.

    can_start: it can be started here, if need be on another simulated box.
    """

    game: str
    title: str
    summary: str
    is_here: bool
    can_start: bool
    where: str


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option as it is chosen: a list of values with their words, or a number between two.

    default: the value that the document has, and its words. note: what the least number means, if it is no number.
    unless: the option, and its values, with which this one means nothing; empty where it always means something.
    """

    name: str
    label: str
    value: str
    default: tuple[str, str]
    choices: tuple[tuple[str, str], ...]
    least: Value
    most: Value
    note: str
    unless: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class GameTerms:
    """One game as it may be agreed on: its open and its folded options, and the document that they come from.

    board: as it stands when a turn begins, by these options.
    marks: what may stand on the tiles; empty where nothing is to be chosen.
    """

    game: str
    title: str
    document: str
    open: tuple[OptionField, ...]
    folded: tuple[OptionField, ...]
    board: SmallBoard
    marks: tuple[MarkSet, ...]

    @property
    def changed(self) -> int:
        """The number of folded options that are other than the document has them."""
        return sum(each.value != each.default[0] for each in self.folded)


@dataclass(frozen=True, slots=True)
class StartView:
    """The page: the list of games, the terms of the one that is chosen, and who plays unless others are named."""

    box: str
    games: tuple[GameLine, ...]
    terms: GameTerms
    players: tuple[Player, ...]
    names: tuple[str, ...]
    strengths: tuple[Strength, ...] = STRENGTHS


def list_games_for(box: Box, games: Iterable[GameEntry], *, can_change: bool, words: Words) -> tuple[GameLine, ...]:
    """The games, those first that the box can show. can_change: another box can take its place."""
    lines = [_line(entry, box, can_change=can_change, words=words) for entry in games]
    return tuple(sorted(lines, key=lambda line: not line.is_here))


def terms_of(
    entry: GameEntry, last: GameStarted | None, words: Words, pictures: TilePictures | None = None
) -> GameTerms:
    """The terms of a game, with the values with which it was started last, if it was.

    pictures: of the owner, that may stand on the tiles of a simulated box; None: the tiles are of wood, as they are.
    """
    agreed = {} if last is None else last.options
    rules = rules_of(entry.game) if last is None else rules_of(entry.game, last.options, last.marks)
    document = document_title(words, entry.document)
    fields = {
        name: _field(name, option, agreed.get(name, option.default), words)
        for name, option in entry.options.items()
        if len(option.allowed) > 1
    }
    return GameTerms(
        entry.game,
        game_title(words, entry.game),
        document,
        tuple(fields[name] for name in _OPEN if name in fields),
        tuple(field for name, field in fields.items() if name not in _OPEN),
        draw_board(rules.start(), words),
        mark_sets(last, rules_of(entry.game).layout, pictures, words) if pictures else (),
    )


def _line(entry: GameEntry, box: Box, *, can_change: bool, words: Words) -> GameLine:
    is_here = can_show(rules_of(entry.game), box)
    return GameLine(
        entry.game,
        game_title(words, entry.game),
        words.gettext(entry.summary),
        is_here,
        is_here or can_change,
        "" if is_here else _where(entry, can_change=can_change, words=words),
    )


def _where(entry: GameEntry, *, can_change: bool, words: Words) -> str:
    """The box on which a game is played that this one cannot show; of a game of one row this row alone."""
    box, layout = load_box(entry.box), rules_of(entry.game).layout
    if not can_change:
        return words.gettext("needs {box}").format(box=describe_box(box, words))
    if box.kind == "dominoes":
        told = words.ngettext("played on {count} domino", "played on {count} dominoes", box.columns)
    elif layout.rows == 1:
        told = words.ngettext("played on one row of {count} tile", "played on one row of {count} tiles", layout.columns)
    else:
        told = words.gettext("played on {rows} rows of {count} tiles")
    return told.format(rows=layout.rows, count=layout.columns)


def _field(name: str, option: GameOption, value: Value, words: Words) -> OptionField:
    allowed = option.allowed if len(option.allowed) <= _MOST_IN_LIST else ()
    other, values = _UNLESS.get(name, ("", ()))
    least = option_value(words, name, option.allowed[0])
    is_number = not allowed and least == _text(option.allowed[0])
    note = "" if allowed or is_number else words.gettext("0 means: {value}").format(value=least)
    return OptionField(
        name,
        option_label(words, name),
        _text(value),
        (_text(option.default), option_value(words, name, option.default)),
        tuple((_text(each), option_value(words, name, each)) for each in allowed),
        option.allowed[0],
        option.allowed[-1],
        note,
        (other, " ".join(map(_text, values))),
    )


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
