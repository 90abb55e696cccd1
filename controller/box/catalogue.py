"""The games as a list for people and programs: each with its document, its options, and the box that it needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.box.fit import boxes_to_choose, default_box_for
from controller.rules import GAMES, GamePreset, Value, rules_of
from hardware.box import Box


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
    """Every game there is."""
    boxes = boxes_to_choose()
    return tuple(_entry(preset, boxes) for preset in GAMES.values())


def describe_game(game: str) -> GameEntry:
    """One game. Raises `InvalidOption`, which names all there are."""
    return _entry(rules_of(game).preset, boxes_to_choose())


def _entry(preset: GamePreset, boxes: Sequence[Box]) -> GameEntry:
    options = {each.name: GameOption(each.default, each.allowed, each.meaning) for each in preset.choices}
    box = default_box_for(rules_of(preset.name), boxes).name
    return GameEntry(preset.name, preset.document, preset.summary, box, options)
