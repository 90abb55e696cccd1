"""Draws the table from snapshots alone, as a page does: JSON lines in, JSON lines out. It imports nothing of ours.

Each answer says what a picture of the snapshot shows: how each tile lies, which of them move or are elsewhere than they
should be, the dice, the seats and who is to act, and the question, as text on a board of rows.
"""

import json
import sys
from collections.abc import Mapping
from typing import Any

_SIGNS = {"showing": "{}", "hidden": "({})", "shut": "_", "absent": " "}
_PLACES = {"showing": "OPEN", "hidden": "OPEN", "shut": "SHUT", "absent": "SHUT"}


def draw(snapshot: Mapping[str, Any]) -> dict[str, object]:
    """What is drawn of one snapshot."""
    rows: dict[int, list[str]] = {}
    for tile in snapshot["tiles"]:
        sign = _SIGNS[tile["state"]].format(tile["mark"])
        mark = "~" if tile["moving"] else "?" if place_of(tile) != _PLACES[tile["state"]] else ""
        rows.setdefault(tile["row"], []).append(sign + mark)
    acting = {name for action in snapshot["actions"] for name in action["by"]}
    return {
        "board": [" ".join(rows[row]) for row in sorted(rows, reverse=True)],
        "places": {tile["name"]: place_of(tile) for tile in snapshot["tiles"]},
        "found": {tile["name"]: tile["seen"] for tile in snapshot["found"]},
        "moving": [tile["name"] for tile in snapshot["tiles"] if tile["moving"]],
        "dice": sorted(die["face"] for die in snapshot["dice"]),
        "seats": [(">" if seat["name"] == snapshot["turn"] else " ") + seat["name"] for seat in snapshot["seats"]],
        "scores": snapshot["scores"],
        "buttons": [action["label"] for action in snapshot["actions"]],
        "acting": sorted(acting),
        "question": snapshot["say"],
    }


def place_of(tile: Mapping[str, Any]) -> str:
    """How a tile is drawn: as it was seen, or as somebody vouches for it, or as the game has it."""
    as_game_has_it = _PLACES[tile["state"]]
    return as_game_has_it if tile["believed"] else tile["seen"] or as_game_has_it


def main() -> None:
    """Draw every line; fail if any of our rooms could have helped."""
    for line in sys.stdin:
        print(json.dumps(draw(json.loads(line))))
    ours = {name.partition(".")[0] for name in sys.modules} & {"controller", "vision", "hardware", "firmware"}
    sys.exit(f"not alone: {sorted(ours)}" if ours else 0)


if __name__ == "__main__":
    main()
