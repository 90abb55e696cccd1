"""The list of games for people and programs: each with its document, its options, and the box that it needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.box.fit import ShownRules, boxes_to_choose, default_box_for
from controller.rules.errors import InvalidOption
from controller.rules.fleet.cards import CARDS, Card
from controller.rules.fleet.ruleset import fleet_rules_of
from controller.rules.games import GAMES, GamePreset
from controller.rules.options import Choice, Value
from controller.rules.ruleset import rules_of
from controller.rules.suggestion import describe_known
from hardware.box import Box

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
    boxes = boxes_to_choose()
    return tuple(_entry(game, boxes) for game in EVERY_GAME)


def describe_game(game: str) -> GameEntry:
    """Return one game. Raises `InvalidOption`, which names all games."""
    if game not in EVERY_GAME:
        raise InvalidOption(f"no game {game!r}; {describe_known(EVERY_GAME, game, 'the games are')}")
    return _entry(game, boxes_to_choose())


def choices_of(game: str) -> tuple[Choice, ...]:
    """Return the options of a game, in the order of its documentation."""
    return _LISTED[game].choices


def _entry(game: str, boxes: Sequence[Box]) -> GameEntry:
    rules: ShownRules = fleet_rules_of(game) if game in CARDS else rules_of(game)
    told = _LISTED[game]
    options = {each.name: GameOption(each.default, each.allowed, each.meaning) for each in told.choices}
    return GameEntry(game, told.document, told.summary, default_box_for(rules, boxes).name, options)
