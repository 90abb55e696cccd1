"""From format 3, before a choice could be taken back, and when players who dropped out level shared a match."""

from typing import Any


def upgrade(body: dict[str, Any]) -> dict[str, Any]:
    """A game's first event with what has been agreed on since; every other event as it is."""
    options = body.get("options")
    if body.get("kind") != "game_started" or not isinstance(options, dict) or "undo" in options:
        return body
    level = {"match_tie": "share"} if options.get("match") == "drop-out" else {}
    return {**body, "options": {**options, **level, "undo": "nobody", "undo_limit": 0}}
