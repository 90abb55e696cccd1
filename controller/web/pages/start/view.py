"""What the page on which a game is started shows: every game by what fits the box, and the options of one of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from controller.box import GameEntry, GameOption, can_show
from controller.game import STRENGTHS, AnyRules, GameStarted, Player, Strength, any_rules_of
from controller.rules import NO_MARKS, Ruleset, Value
from controller.rules.fleet import MOST_RACERS, FleetRules
from controller.web.pages.phrases import describe_box
from controller.web.pages.scene import TilePictures
from controller.web.pages.small_board import SmallBoard, draw_board, draw_chips
from controller.web.pages.start.mark_sets import MarkSet, mark_sets
from controller.words import Words, document_title, game_title, option_label, option_value
from hardware.box import Box, load_box

# A list of more values than these is a number to be typed.
_MOST_IN_LIST = 12
_LEAST_RACERS = 2
# The options that stand open; the others are folded away.
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
# Those of a race that are about its dice: the others are about its rounds.
_OF_DICE = ("keeping", "groups", "straight", "even_odd_jokers", "six_jokers")
# A combination that an option is about; on a card without any of these it means nothing.
_ABOUT: Mapping[str, frozenset[str]] = {
    "even_odd_jokers": frozenset({"all-even", "all-odd"}),
    "groups": frozenset({"three-pairs", "pair-and-four", "two-threes"}),
    "straight": frozenset({"straight"}),
}
# An option means nothing while another has one of these values.
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
    "many_dice": ("dice", ("", 1, 2)),  # "": as many as the tiles ask for, two as a rule
    "first_dice": ("first", ("chosen", "rotate", "winner")),
    "undo_limit": ("undo", ("nobody",)),
    "namer": ("challenge", ("announced", "unannounced", "in_order")),
    "first": ("challenge", ("announced", "unannounced", "in_order")),
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
class OptionGroup:
    """Folded options that are about one thing: what that is, empty where they are about all sorts."""

    title: str
    fields: tuple[OptionField, ...]


@dataclass(frozen=True, slots=True)
class GameTerms:
    """One game as it may be agreed on: its open and its folded options, and the document that they come from.

    board: as it stands when a turn begins, by these options, or the chips of a race.
    marks: what may stand on the tiles; empty where nothing is to be chosen.
    least, most: how many may play, where the game says it; 0: any number.
    """

    game: str
    title: str
    document: str
    open: tuple[OptionField, ...]
    folded: tuple[OptionGroup, ...]
    board: SmallBoard
    marks: tuple[MarkSet, ...]
    least: int = 0
    most: int = 0

    @property
    def changed(self) -> int:
        """The number of folded options that are other than the document has them."""
        return sum(each.value != each.default[0] for group in self.folded for each in group.fields)


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
    rules = any_rules_of(entry.game, agreed, NO_MARKS if last is None else last.marks)
    fields = {
        name: _field(name, option, agreed.get(name, option.default), entry.options, words)
        for name, option in entry.options.items()
        if len(option.allowed) > 1 and _means_something(name, rules)
    }
    is_race = isinstance(rules, FleetRules)
    if isinstance(rules, Ruleset) and rules.preset.dice_by_width:
        fields["dice"] = _by_width(fields["dice"], rules, words)
    return GameTerms(
        entry.game,
        game_title(words, entry.game),
        document_title(words, entry.document),
        tuple(fields[name] for name in _OPEN if name in fields),
        _group([field for name, field in fields.items() if name not in _OPEN], rules, words),
        _draw_start(rules, words),
        mark_sets(last, any_rules_of(entry.game, {}).layout, pictures, words) if pictures and not is_race else (),
        least=_LEAST_RACERS if is_race else 0,
        most=MOST_RACERS if is_race else 0,
    )


def _by_width(dice: OptionField, rules: Ruleset, words: Words) -> OptionField:
    """The number of dice where it follows from the tiles, unless it is named."""
    follows = rules.options.dice == rules.preset.dice_for(rules.layout.columns)
    usual = ("", words.gettext("as many as the tiles ask for"))
    return replace(dice, value="" if follows else dice.value, default=usual, choices=(usual, *dice.choices))


def _draw_start(rules: AnyRules, words: Words) -> SmallBoard:
    """The tiles as a game begins, or the chips of a race."""
    if isinstance(rules, FleetRules):
        return draw_chips(rules.terms, MOST_RACERS, words)
    assert isinstance(rules, Ruleset)  # noqa: S101  there are pages for these two families
    return draw_board(rules.start(), words)


def _means_something(name: str, rules: AnyRules) -> bool:
    """False for an option about combinations that are not on the card of this race, or hidden tiles in one row."""
    if name == "one_die_total" and isinstance(rules, Ruleset):
        return "rows" in rules.chosen or rules.layout.rows > 1
    about = _ABOUT.get(name)
    return about is None or not isinstance(rules, FleetRules) or not about.isdisjoint(rules.card.combinations)


def _group(fields: Sequence[OptionField], rules: AnyRules, words: Words) -> tuple[OptionGroup, ...]:
    """The folded options by what they are about."""
    if not isinstance(rules, FleetRules):
        return (OptionGroup("", tuple(fields)),) if fields else ()
    of_dice = tuple(field for name in _OF_DICE for field in fields if field.name == name)
    others = tuple(field for field in fields if field.name not in _OF_DICE)
    return (
        OptionGroup(words.gettext("Dice and combinations"), of_dice),
        OptionGroup(words.gettext("Shouts and chips"), others),
    )


def _line(entry: GameEntry, box: Box, *, can_change: bool, words: Words) -> GameLine:
    is_here = can_show(any_rules_of(entry.game, {}), box)
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
    box, layout = load_box(entry.box), any_rules_of(entry.game, {}).layout
    if not can_change:
        return words.gettext("needs {box}").format(box=describe_box(box, words))
    if box.kind == "dominoes":
        told = words.ngettext("played on {count} domino", "played on {count} dominoes", box.columns)
    elif layout.rows == 1:
        told = words.ngettext("played on one row of {count} tile", "played on one row of {count} tiles", layout.columns)
    else:
        told = words.gettext("played on {rows} rows of {count} tiles")
    return told.format(rows=layout.rows, count=layout.columns)


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
