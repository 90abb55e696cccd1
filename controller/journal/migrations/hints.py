"""From format 6, when the box told odds and best moves to whoever asked."""

from typing import Any


def upgrade(body: dict[str, Any]) -> dict[str, Any]:
    """A game's first event with what has been agreed on since; every other event as it is."""
    options = body.get("options")
    if body.get("kind") != "game_started" or not isinstance(options, dict) or "hints" in options:
        return body
    return {**body, "options": {**options, "hints": "always"}}
