"""From format 6, when everybody could see odds and best moves."""

from typing import Any


def add_hints(body: dict[str, Any]) -> dict[str, Any]:
    """Add the option `hints` to a game's first event; return every other event unchanged."""
    options = body.get("options")
    if body.get("kind") != "game_started" or not isinstance(options, dict) or "hints" in options:
        return body
    return {**body, "options": {**options, "hints": "always"}}
