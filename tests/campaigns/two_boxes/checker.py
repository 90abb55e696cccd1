"""What two journals say of one match, read from their files alone: nothing here is asked of the program itself."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.campaigns.two_boxes.people import Noted

# In the order of a match; what befalls tiles is each box's own.
_TOLD = (
    "first_rolled",
    "dice_thrown",
    "throw_corrected",
    "move_chosen",
    "choice_undone",
    "turn_ended",
    "turn_passed",
    "round_tied",
    "round_ended",
    "board_corrected",
    "game_ended",
    "game_abandoned",
)
_OWN = ("source", "why")  # how a throw was read, and what a house thought
_DONE: Mapping[str, tuple[str, ...]] = {
    "dice": ("dice_thrown", "first_rolled"),
    "correct": ("throw_corrected", "choice_undone"),
    "choose": ("move_chosen",),
    "undo": ("choice_undone",),
    "accept": ("turn_ended", "turn_passed"),
}
Events = Mapping[int, dict[str, Any]]


def games_of(journal: Path, match: str) -> list[Events]:
    """Return every game of this match, its events by their numbers."""
    with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
        rows = database.execute("SELECT game, number, body FROM event ORDER BY game, number").fetchall()
    games: dict[int, dict[int, dict[str, Any]]] = {}
    for game, number, body in rows:
        games.setdefault(game, {})[number] = {**json.loads(body), "game_id": game}
    return [
        events
        for events in games.values()
        if any(player.get("remote") == match for player in events[1].get("players", ()))
    ]


def told(events: Events) -> list[dict[str, Any]]:
    """Return what happened in the match, without what is a box's own."""
    kept = (event for event in events.values() if event["kind"] in _TOLD)
    return [{name: value for name, value in event.items() if name not in (*_OWN, "game_id")} for event in kept]


def compare(journals: Sequence[Path], match: str, noted: Sequence[Iterable[Noted]]) -> list[str]:
    """Return all that is wrong: two games for one match, journals that differ, an answer that no journal keeps once."""
    found = [games_of(journal, match) for journal in journals]
    wrong = [f"box {box} has {len(games)} games of it" for box, games in enumerate(found) if len(games) != 1]
    if wrong:
        return wrong
    first, second = (told(games[0]) for games in found)
    if first != second:
        at = next((at for at, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), "the end")
        wrong.append(f"the journals differ at {at}: {len(first)} and {len(second)}")
    for box, answers in enumerate(noted):
        game_id = found[box][0][1]["game_id"]
        own = [each for each in answers if each.game == game_id]
        if len({each.event for each in own}) != len(own):
            wrong.append(f"box {box} answered two commands with one event")
        for each in own:
            wrong += _missing(found[box][0], each, box)
    return wrong


def _missing(events: Events, noted: Noted, box: int) -> list[str]:
    event = events.get(noted.event, {"kind": "nothing"})
    if event["kind"] not in _DONE[noted.do]:
        return [f"box {box}, event {noted.event}: {noted.do} was acknowledged, the journal has {event['kind']}"]
    if event["kind"] in ("dice_thrown", "first_rolled", "throw_corrected") and sorted(event["dice"]) != sorted(
        noted.given
    ):
        return [f"box {box}, event {noted.event}: {noted.given} was acknowledged, the journal has {event['dice']}"]
    if event["kind"] == "move_chosen" and sorted(event["tiles"]) != sorted(noted.given):
        return [f"box {box}, event {noted.event}: {noted.given} was acknowledged, the journal has {event['tiles']}"]
    return []


def count_actions(journal: Path, match: str) -> int:
    """Return how many events of the match a journal has."""
    return sum(len(told(events)) for events in games_of(journal, match))


def compare_wood(tiles: Mapping[str, str], board: Mapping[str, str], box: int) -> list[str]:
    """Return the tiles that lie elsewhere than the board of the game has them."""
    return [
        f"box {box}: {name} is {tiles.get(name)}, its game has it {place}"
        for name, place in board.items()
        if tiles.get(name) != place
    ]
