"""Read journals of earlier formats as if they were written today: one step for each change of the events."""

import json
from typing import Any

from controller.game.core.events import GameEvent
from controller.game.table.wire import EVENT
from controller.rules.fleet.cards import CARDS

# Options that every game has today besides those of its turns.
_TERMS = {
    "ties": "split",
    "first": "chosen",
    "first_dice": 1,
    "stake": 0,
    "double_stake": "none",
    "odd_coin": "earliest_seat",
    "match": "single",
    "match_limit": 0,
    "rounds": 5,
    "match_end": "after_round",
    "match_shut": "zero",
    "match_tie": "extra_round",
    "all_drop": "lowest",
}
_OF_GAME: dict[str, dict[str, Any]] = {
    "two-level": {"rows": 2, "dice": 2, "many_dice": "one_or_all", "alternate": False},
    "pub": {
        "dice": 2,
        "one_die_total": "standing",
        "many_dice": "one_or_all",
        "score": "showing",
        "double_stake": "extra",
    },
}


def add_matches(body: dict[str, Any]) -> dict[str, Any]:
    """Add the missing options to a game's first event; return every other event unchanged."""
    if body.get("kind") != "game_started":
        return body
    options = body.get("options")
    if not isinstance(options, dict) or "match" in options:
        return body
    return {**body, "options": {**_TERMS, **_OF_GAME.get(str(body.get("game")), {}), **options}}


def add_undo(body: dict[str, Any]) -> dict[str, Any]:
    """Add the options for undoing to a game's first event; return every other event unchanged."""
    options = body.get("options")
    if body.get("kind") != "game_started" or not isinstance(options, dict) or "undo" in options:
        return body
    level = {"match_tie": "share"} if options.get("match") == "drop-out" else {}
    return {**body, "options": {**options, **level, "undo": "nobody", "undo_limit": 0}}


def add_hints(body: dict[str, Any]) -> dict[str, Any]:
    """Add the option `hints` to a game's first event; return every other event unchanged."""
    options = body.get("options")
    if body.get("kind") != "game_started" or not isinstance(options, dict) or "hints" in options:
        return body
    return {**body, "options": {**options, "hints": "always"}}


Body = dict[str, Any]


def read_event(text: str) -> GameEvent:
    """Return the event of a stored body in any format. Raises `ValueError` (Pydantic's too) if it is not an event."""
    try:
        body = json.loads(text)
    except RecursionError as error:
        raise ValueError("lists inside lists without end") from error
    # Races came with the last format and have other options.
    if isinstance(body, dict) and body.get("game") not in CARDS:
        body = add_hints(add_undo(add_matches(body)))
    return EVENT.validate_python(body)
