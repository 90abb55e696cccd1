"""What a record and an engine are told of the rules of a game, as values of JSON. docs/reference/stn.md lists them."""

from collections.abc import Mapping
from typing import Any

from controller.game.table.engines import any_rules_of
from controller.rules.options import Value
from controller.rules.tiles import NO_MARKS, Marks

_USUAL_SIDES = 6


def part_options(game: str, chosen: Mapping[str, Value]) -> tuple[dict[str, Value], dict[str, Value]]:
    """Return the options that differ from those of the game's document, and all others."""
    usual = any_rules_of(game, {}).chosen
    changed = {name: value for name, value in chosen.items() if usual.get(name) != value}
    return changed, {name: value for name, value in chosen.items() if name not in changed}


def tags_of_rules(game: str, chosen: Mapping[str, Value], marks: Marks, sides: int = _USUAL_SIDES) -> dict[str, Any]:
    """Return the tags of a game of these rules; `Marks` and `Sides` only where they say something."""
    changed, others = part_options(game, chosen)
    tags: dict[str, Any] = {"Game": game, "Options": changed, "Others": others}
    if marks != NO_MARKS:
        tags["Marks"] = {"tiles": dict(marks.tiles), "values": dict(marks.values), "faces": list(marks.faces)}
    if sides > _USUAL_SIDES:
        tags["Sides"] = sides
    return tags
