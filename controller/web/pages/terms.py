"""The contents of the page that starts a game: every game, the options of one, and the marks for its tiles."""

import string
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from controller.box.compatibility import GameEntry, GameOption, can_show
from controller.game.core.engine import AnyRules
from controller.game.core.events import GameStarted
from controller.game.table.engines import any_rules_of
from controller.game.table.variants import DEFAULT_GAME
from controller.messages.names import document_title, game_title
from controller.messages.options import option_label, option_value
from controller.messages.words import Words
from controller.rules.fleet.ruleset import MOST_RACERS, FleetRules
from controller.rules.options import Value
from controller.rules.shutbox.ruleset import Ruleset, rules_of
from controller.rules.tiles import NO_MARKS, Layout, Marks
from controller.web.pages.phrases import describe_box
from controller.web.pages.scene import COLOURS, DrawnMark, TilePictures, draw_sign
from controller.web.pages.small_board import SmallBoard, draw_board, draw_chips
from hardware.box import Box, load_box

MarkKind = Literal["numbers", "letters", "colours", "pictures"]
MARK_KINDS: tuple[MarkKind, ...] = get_args(MarkKind)
_DRAWN = 4  # marks of each set that are shown in the choice


@dataclass(frozen=True, slots=True)
class MarkSet:
    """One set of marks in the choice. drawn: its first marks. chosen: it was on the tiles last time."""

    kind: MarkKind
    title: str
    drawn: tuple[DrawnMark, ...]
    chosen: bool


def mark_sets(last: GameStarted | None, layout: Layout, pictures: TilePictures, words: Words) -> tuple[MarkSet, ...]:
    """Return the sets to choose from; none for dominoes, which are known by their pips. last: the last start."""
    if layout.dominoes:
        return ()
    _ = words.gettext
    titles: dict[MarkKind, str] = {
        "numbers": _("Numbers"),
        "letters": _("Letters, A for 1"),
        "colours": _("Colours, red for 1"),
        "pictures": _("Pictures of your own"),
    }
    chosen: MarkKind = "numbers"  # also for marks that match no set
    if last is not None and last.marks.tiles:
        played = rules_of(last.game, last.options).layout
        matching = (
            each for each in MARK_KINDS if marks_for(played, signs_of(each, pictures)).tiles == last.marks.tiles
        )
        chosen = next(matching, chosen)
    found = []
    for kind, title in titles.items():
        if signs := signs_of(kind, pictures):
            drawn = tuple(pictures.picture_of(sign) or draw_sign(sign) for sign in signs[:_DRAWN])
            found.append(MarkSet(kind, title, drawn, kind == chosen))
    return tuple(found)


def marks_for(layout: Layout, signs: Sequence[str]) -> Marks:
    """Return the marks of a game whose tiles, from 1 on in every row, bear these signs; other tiles keep numbers."""
    if layout.dominoes:
        return NO_MARKS
    tiles = {name: signs[tile.value - 1] for name, tile in layout.by_name.items() if tile.value <= len(signs)}
    return Marks({name: sign for name, sign in tiles.items() if not sign.isdecimal()})


def signs_of(kind: MarkKind, pictures: TilePictures) -> tuple[str, ...]:
    """Return the signs of a set, beginning with the one for 1."""
    if kind == "pictures":
        return pictures.marks()
    return {"numbers": tuple(string.digits[1:]), "letters": tuple(string.ascii_uppercase), "colours": COLOURS}[kind]


# An option with more values than this is typed as a number.
_MOST_IN_LIST = 12
_LEAST_RACERS = 2
_MOST_CARDS = 3
_USUAL = ("pub", "fleet", DEFAULT_GAME)  # one row, a race, two rows
# The options that are always visible; the others are folded away.
_OPEN = (
    "challenge",
    "namer",
    "timer",
    "chips",
    "few_chips",
    "match",
    "rounds",
    "match_limit",
    "stake",
    "first",
    "hints",
)
# The options of a race that concern its dice; the others concern its rounds.
_OF_DICE = ("keeping", "groups", "straight", "even_odd_jokers", "six_jokers")
# The combinations that an option concerns; it has no effect on a card without any of these.
_ABOUT: Mapping[str, frozenset[str]] = {
    "even_odd_jokers": frozenset({"all-even", "all-odd"}),
    "groups": frozenset({"three-pairs", "pair-and-four", "two-threes"}),
    "straight": frozenset({"straight"}),
}
# An option has no effect while another has one of these values.
_UNLESS: Mapping[str, tuple[str, tuple[Value, ...]]] = {
    "rounds": ("match", ("single", "tournament", "drop-out")),
    "shut": ("match", ("tournament", "drop-out")),
    "ties": ("match", ("tournament", "drop-out")),
    "match_limit": ("match", ("single", "points")),
    "match_end": ("match", ("single", "drop-out", "points")),
    "match_shut": ("match", ("single", "points")),
    "match_tie": ("match", ("single",)),
    "all_drop": ("match", ("single", "tournament", "points")),
    "double_stake": ("stake", (0,)),
    "odd_coin": ("stake", (0,)),
    "one_die_limit": ("one_die", ("never", "only1", "high_covered")),
    "one_die_total": ("one_die", ("never",)),
    "one_die_forced": ("one_die", ("never",)),
    "many_dice": ("dice", ("", 1, 2)),  # "": decided by the number of tiles, usually two
    "first_dice": ("first", ("chosen", "rotate", "winner")),
    "undo_limit": ("undo", ("nobody",)),
    "namer": ("challenge", ("announced", "unannounced", "in_order")),
    "first": ("challenge", ("announced", "unannounced", "in_order")),
}


def has_effect(name: str, chosen: Mapping[str, Value]) -> bool:
    """Return False if the option makes no difference beside these other options."""
    other, values = _UNLESS.get(name, ("", ()))
    return other not in chosen or chosen[other] not in values


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game in the list."""

    game: str
    title: str
    summary: str
    is_here: bool  # this box can show it
    can_start: bool  # it can be started here, if necessary on another simulated box
    where: str  # the other box that it needs, in words; empty if none


@dataclass(frozen=True, slots=True)
class GameCard:
    """One of the few games that stand before all others. board: its tiles as it begins; the chips of a race."""

    line: GameLine
    board: SmallBoard
    is_race: bool


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option in the choice: a list of values with their words, or a number in a range.

    unless: another option and its values with which this one has no effect; empty if there are none.
    """

    name: str
    label: str
    value: str
    default: tuple[str, str]  # the value of the document, and its words
    choices: tuple[tuple[str, str], ...]  # the values with their words; empty for a number
    least: Value
    most: Value
    note: str  # the meaning of the least number, if it has a special one
    unless: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class OptionGroup:
    """Folded options on one subject: its title, empty for mixed options, and the options."""

    title: str
    fields: tuple[OptionField, ...]


@dataclass(frozen=True, slots=True)
class GameTerms:
    """One game as it may be agreed on.

    open, folded: its options.
    least, most: the number of players, if the game limits it; 0 for any number.
    """

    game: str
    title: str
    document: str  # the source of its rules
    open: tuple[OptionField, ...]
    folded: tuple[OptionGroup, ...]
    board: SmallBoard  # at the start of a turn, by these options, or the chips of a race
    marks: tuple[MarkSet, ...]  # the sets of marks for the tiles; empty if there is no choice
    least: int = 0
    most: int = 0

    @property
    def changed(self) -> int:
        """The number of options in the collapsed sections whose values differ from those in the rule document."""
        return sum(each.value != each.default[0] for group in self.folded for each in group.fields)


def list_games_for(box: Box, games: Iterable[GameEntry], *, can_change: bool, words: Words) -> tuple[GameLine, ...]:
    """Return the games, those that the box can show first. can_change: another box can take its place."""
    _, lines = words.gettext, []
    for entry in games:
        layout, needed, where = any_rules_of(entry.game, {}).layout, load_box(entry.box), ""
        is_here = can_show(any_rules_of(entry.game, {}), box)
        if not is_here and not can_change:
            where = _("needs {box}").format(box=describe_box(needed, words))
        elif not is_here:
            if needed.kind == "dominoes":
                where = words.ngettext("played on {count} domino", "played on {count} dominoes", layout.columns)
            elif layout.rows == 1:
                # The row alone counts, whatever else the box has.
                where = words.ngettext(
                    "played on one row of {count} tile", "played on one row of {count} tiles", layout.columns
                )
            else:
                where = _("played on {rows} rows of {count} tiles")
            where = where.format(rows=layout.rows, count=layout.columns)
        title = game_title(words, entry.game)
        lines.append(GameLine(entry.game, title, _(entry.summary), is_here, is_here or can_change, where))
    return tuple(sorted(lines, key=lambda line: not line.is_here))


def list_cards(lines: Iterable[GameLine], first: str, words: Words) -> tuple[GameCard, ...]:
    """Return the games that stand before all others: `first`, and the usual ones, each that can be started here."""
    by_game = {line.game: line for line in lines if line.can_start}
    found: list[GameCard] = []
    for game in dict.fromkeys((first, *_USUAL)):
        if game in by_game and len(found) < _MOST_CARDS:
            rules = any_rules_of(game, {})
            board = _board_of(rules, words)
            found.append(GameCard(by_game[game], board, isinstance(rules, FleetRules)))
    return tuple(found)


def terms_of(
    entry: GameEntry, last: GameStarted | None, words: Words, pictures: TilePictures | None = None
) -> GameTerms:
    """Return the terms of a game, with the values of its last start, if any.

    pictures: the owner's, for the tiles of a simulated box; None for a real box, whose tiles cannot change.
    """
    agreed = {} if last is None else last.options
    rules = any_rules_of(entry.game, agreed, NO_MARKS if last is None else last.marks)
    fields = {
        name: _field(name, option, agreed.get(name, option.default), entry.options, words)
        for name, option in entry.options.items()
        if len(option.allowed) > 1
    }
    marks: tuple[MarkSet, ...] = ()
    if isinstance(rules, FleetRules):
        # Without effect: an option whose combinations are not on the card.
        for name in (name for name, about in _ABOUT.items() if about.isdisjoint(rules.card.combinations)):
            fields.pop(name, None)
        players = _LEAST_RACERS, MOST_RACERS
        subjects = {words.gettext("Dice and combinations"): _OF_DICE, words.gettext("Shouts and chips"): ()}
    else:
        assert isinstance(rules, Ruleset)  # noqa: S101  as in `_board_of`
        if "rows" not in rules.chosen and rules.layout.rows == 1:
            fields.pop("one_die_total", None)  # a single row hides no tile
        if rules.preset.dice_by_width:
            # The number of dice follows from the tiles unless it is chosen.
            follows = rules.options.dice == rules.preset.dice_for(rules.layout.columns)
            usual, dice = ("", words.gettext("as many as the tiles ask for")), fields["dice"]
            value = "" if follows else dice.value
            fields["dice"] = replace(dice, value=value, default=usual, choices=(usual, *dice.choices))
        players, subjects = (0, 0), {"": ()}
        if pictures is not None:
            marks = mark_sets(last, any_rules_of(entry.game, {}).layout, pictures, words)
    shown = tuple(fields.pop(name) for name in _OPEN if name in fields)
    groups = []
    for title, names in subjects.items():
        # The last group has all that is left.
        some = tuple(fields.pop(name) for name in names or tuple(fields) if name in fields)
        groups += [OptionGroup(title, some)] if some or title else []
    return GameTerms(
        entry.game,
        game_title(words, entry.game),
        document_title(words, entry.document),
        shown,
        tuple(groups),
        _board_of(rules, words),
        marks,
        *players,
    )


def _board_of(rules: AnyRules, words: Words) -> SmallBoard:
    """Return the tiles as a game begins; the chips of a race."""
    if isinstance(rules, FleetRules):
        return draw_chips(rules.terms, MOST_RACERS, words)
    assert isinstance(rules, Ruleset)  # noqa: S101  there are pages for these two families
    return draw_board(rules.start(), words)


def _field(name: str, option: GameOption, value: Value, options: Mapping[str, GameOption], words: Words) -> OptionField:
    allowed = option.allowed if len(option.allowed) <= _MOST_IN_LIST else ()
    other, values = _UNLESS.get(name, ("", ()))
    if other not in options:
        other, values = "", ()
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
