"""Which games a box can show, which box a game needs, and the list of games. This opens nothing and imports little."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from controller.errors import BoxTooSmall
from controller.rules.errors import InvalidOption, describe_known
from controller.rules.fleet.cards import CARDS, Card
from controller.rules.fleet.ruleset import fleet_rules_of
from controller.rules.options import Choice, Value
from controller.rules.shutbox.games import GAMES, GamePreset
from controller.rules.shutbox.ruleset import rules_of
from controller.rules.tiles import Layout
from hardware.box import Box, box_names, load_box


class ShownRules(Protocol):
    """The part of a game's rules that a box has to show: its name and its tiles."""

    @property
    def name(self) -> str: ...

    @property
    def layout(self) -> Layout: ...


def default_box_for(rules: ShownRules) -> Box:
    """Return the smallest known box that can show a game; preferably the reference build."""
    reference = load_box("two-level-9")
    # It also stands in if no box can show the game.
    return next((box for box in (reference, *known_boxes()) if can_show(rules, box)), reference)


def known_boxes() -> list[Box]:
    """Return the boxes whose profiles come with the program."""
    return [load_box(name) for name in box_names()]


def check_box(rules: ShownRules, box: Box, others: Iterable[Box]) -> None:
    """Raise `BoxTooSmall` if `box` cannot show this game; the message names those of `others` that can."""
    if can_show(rules, box):
        return
    able = ", ".join(other.name for other in others if can_show(rules, other)) or "none that is known"
    layout = rules.layout
    needed = f"{layout.rows} x {layout.columns} {'dominoes' if layout.dominoes else 'tiles'}"
    there = f"{box.rows} x {box.columns} {'dominoes' if box.kind == 'dominoes' else 'tiles'}"
    raise BoxTooSmall(f"{rules.name} needs {needed}, the box {box.name} has {there}; boxes that can show it: {able}")


def can_show(rules: ShownRules, box: Box) -> bool:
    """Return True if every tile of the game has its tile on the box.

    A one-row game fits the front row of a longer box, whose other tiles lie down. With more rows, the numbers behind
    one another must be those of the box, so the widths must be equal. Dominoes need dominoes.
    """
    layout = rules.layout
    if layout.dominoes != (box.kind == "dominoes"):
        return False
    if layout.rows == 1:
        return layout.columns <= box.columns
    return layout.rows <= box.rows and layout.columns == box.columns


# From the rules of each family, because this room does not know `controller.game`.
_LISTED: Mapping[str, GamePreset | Card] = {**GAMES, **CARDS}
EVERY_GAME = tuple(_LISTED)


@dataclass(frozen=True, slots=True)
class GameOption:
    """One option of a game: its default, the values that it may have, and what it is about."""

    default: Value
    allowed: tuple[Value, ...]
    meaning: str


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game: the document that it comes from, the smallest box that can show it, its options by name."""

    game: str
    document: str
    summary: str
    box: str
    options: Mapping[str, GameOption]


def list_games() -> tuple[GameEntry, ...]:
    return tuple(map(describe_game, EVERY_GAME))


def describe_game(game: str) -> GameEntry:
    """Return one game. Raises `InvalidOption`, which names all games."""
    if game not in EVERY_GAME:
        raise InvalidOption(f"no game {game!r}; {describe_known(EVERY_GAME, game, 'the games are')}")
    rules: ShownRules = fleet_rules_of(game) if game in CARDS else rules_of(game)
    told = _LISTED[game]
    options = {each.name: GameOption(each.default, each.allowed, each.meaning) for each in told.choices}
    return GameEntry(game, told.document, told.summary, default_box_for(rules).name, options)


def choices_of(game: str) -> tuple[Choice, ...]:
    """Return the options of a game, in the order of its documentation."""
    return _LISTED[game].choices
