"""From format 1, before there were matches: a game was one round, without money, in the order of the seats.

There were two games then, two-level and pub, and some rules were not options yet. The values are spelled out because
a later version may have other defaults.
"""

from typing import Any

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
