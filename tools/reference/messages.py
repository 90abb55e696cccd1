"""The page of the messages: each key with its place, severity and arguments, and what it says at a terminal.

The sentences are said by the program itself, of the example data below: one datum for each argument, and another where
a key has one of the same name that is something else.
"""

from collections.abc import Iterator, Mapping
from typing import get_args

from controller.game.core.message import CATALOGUE, Datum, Entry, MessageKey, Place, Severity, compose
from controller.messages.words import ENGLISH
from tools.reference.markdown import Row, code, heading, paragraphs, table, text

_ARGUMENTS: Mapping[str, Datum] = {
    # people and devices
    "player": "Ann",
    "players": ("Ann", "Bob"),
    "thrower": "Ann",
    "name": "Ann's phone",
    "number": "4711",
    "by_house": False,
    "owner": "root",
    "totals": {"Ann": 45, "Bob": 20},
    "coins": {"Ann": 3, "Bob": -3},
    # throws and choices
    "dice": (3, 5),
    "faces": ("3", "5"),
    "total": 8,
    "read": (3, 4),
    "faces_read": ("3", "4"),
    "counts": (1, 2),
    "sides": 6,
    "wanted": 2,
    "first": "lowest",
    "points": 9,
    "likely": ((3, 5), (3, 6)),
    "ground": "odds",
    "worth": 14.25,
    "best": (),
    "best_worth": 14.25,
    "wins": False,
    "played_out": False,
    "guessed": False,
    # tiles
    "tile": "front-7",
    "tiles": ("front-7",),
    "shut": ("front-3",),
    "up": ("back-7",),
    "way": "down",
    "now_s": 0.3,
    "before_s": 0.2,
    "again": 5,
    "moves": 20,
    "rows": 2,
    # results
    "score": 20,
    "rounds": 10,
    "round": 1,
    "match": "single",
    "game": "golf",
    "games": 3,
    "average": 17.3,
    "before": 25,
    # races
    "combination": "straight",
    "joker": "boat",
    "missing": ((7, 4, 6),),
    "short": 3,
    "dice_lie": 0,
    "typed": 0,
    "colour": "red",
    "other": "blue",
    "seconds": 5,
    # the box
    "code": "H-208",
    "part": "supply",
    "expected": "4.63 V or more",
    "seen": "less",
    "cure": "",
    "kind": "selftest",
    "progress": 0.2,
    "words": "column 1: front-1 went down and up",
    "cause": "",
    "kept": "all",
    "lost": "game",
    "game_id": 12,
    "events": 3,
    "file": "",
    "wrong": 5,
    "count": 2,
}
_RACE_DICE: Mapping[str, Datum] = {"dice": (2, 2, 2, 3, 3, 5)}
_FOUND: Mapping[str, Datum] = {"tiles": ("front-3",), "seen": ("SHUT",), "expected": ("OPEN",)}
_OF_KEYS: Mapping[MessageKey, Mapping[str, Datum]] = {
    "throw.pondered": {"player": "House", "by_house": True},
    "throw.wished": {"player": "House"},
    "choice.pondered": {"player": "House"},
    "choice.explained": {"player": "House"},
    "house.counting": {"player": "House"},
    "turn.lost_by_seven": {"dice": (3, 4), "faces": ("3", "4"), "total": 7},
    "round.lost_by_seven": {"dice": (3, 4), "faces": ("3", "4"), "total": 7},
    "turn.lost_at_first": {"number": 2, "dice": (1, 3), "faces": ("1", "3"), "total": 4},
    "tiles.differing": _FOUND,
    "tiles.differing_choice": _FOUND,
    "tiles.differing_game": _FOUND,
    "board.corrected": {"up": ()},
    "game.shut": {"score": 0},
    "match.points": {"points": {"Ann": 1, "Bob": 0}},
    "race.round_ended": {"points": {"Ann": 1, "Bob": 2}},
    "claim.too_few": {"seen": 4},
    "claim.too_many": {"seen": 7},
    "claim.mixed": {"seen": 2},
    "race.rolled": {"dice": (6, 6, 5, 4, 3, 2), "total": 26},
    "race.refused": _RACE_DICE,
    "race.refused_no_chip": _RACE_DICE,
    "race.taken": {"dice": (2, 3, 4, 5, 6, 7), "points": 3},
    "race.last_chip": {"points": 1},
    "record.standing": {"best": 15},
    "dice.unreadable": {"sides": 20},
    "game.halted": {"code": "H-301", "part": "front-7", "expected": "SHUT", "seen": "OPEN"},
    "error": {"code": "J-104"},
    "journal.closed": {"code": "J-104"},
    "game.unreadable": {"code": "J-101"},
    "record.unreadable": {"code": "J-101"},
}


def messages_page() -> str:
    """Return the page of all messages, place by place. Raises `KeyError` for an argument without an example."""
    places = (
        paragraphs(heading(code(place), 2), table(("key", "severity", "arguments", "for example"), _rows(place)))
        for place in get_args(Place)
    )
    severities = ", ".join(map(code, get_args(Severity)))
    return paragraphs(heading("Messages"), f"Severities: {severities}.", *places)


def example_of(key: MessageKey) -> Mapping[str, Datum]:
    """Return example data for the arguments of a key."""
    own = _OF_KEYS.get(key, {})
    return {name: own[name] if name in own else _ARGUMENTS[name] for name in CATALOGUE[key].args}


def _rows(place: Place) -> Iterator[Row]:
    for key, entry in CATALOGUE.items():
        if entry.place == place:
            yield code(key), text(entry.severity), _arguments(entry), _said(key)


def _arguments(entry: Entry) -> str:
    return ", ".join(map(code, entry.args))


def _said(key: MessageKey) -> str:
    return text(ENGLISH.say_at_terminal((compose(key, **example_of(key)),)))
