"""From format 3, before choices could be undone, and when players who dropped out level shared a match."""

from typing import Any


def add_undo(body: dict[str, Any]) -> dict[str, Any]:
    """Add the options for undoing to a game's first event; return every other event unchanged."""
    options = body.get("options")
    if body.get("kind") != "game_started" or not isinstance(options, dict) or "undo" in options:
        return body
    level = {"match_tie": "share"} if options.get("match") == "drop-out" else {}
    return {**body, "options": {**options, **level, "undo": "nobody", "undo_limit": 0}}
