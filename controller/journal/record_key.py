"""The key of a record: which games of one who plays alone are compared, those of one player with equal turns.

A key is made of a game's first event alone, so `record_table.py` and `records.py` agree without asking each other.
"""

import hashlib
import json
from dataclasses import asdict, fields

from controller.game import GameStarted
from controller.rules import GAMES, Terms, Value

# What the table agrees on does not change the turn of one who plays alone, but for how often he throws in a race.
_OF_THE_TABLE = {each.name for each in fields(Terms)} - {"race", "match"}


def record_key(started: GameStarted) -> str:
    """A digest that two games have in common when their scores belong to one record."""
    player, marks = started.players[0].name, asdict(started.marks)
    return _digest({"player": player, "game": started.game, "options": _turn_options(started), "marks": marks})


def changed_options(started: GameStarted) -> dict[str, Value]:
    """The options that change a lone player's turn and are not at their defaults."""
    defaults = _defaults(started.game)
    return {name: value for name, value in _turn_options(started).items() if value != defaults.get(name)}


def basis_digest() -> str:
    """A digest of everything but the game itself that `record_key` goes by: with another, the keys are others too."""
    return _digest({"of the table": sorted(_OF_THE_TABLE), "defaults": {game: _defaults(game) for game in GAMES}})


def _turn_options(started: GameStarted) -> dict[str, Value]:
    return {name: value for name, value in started.options.items() if name not in _OF_THE_TABLE}


def _defaults(game: str) -> dict[str, Value]:
    # A journal may hold games that only a later version knows.
    return {choice.name: choice.default for choice in GAMES[game].choices} if game in GAMES else {}


def _digest(what: dict[str, object]) -> str:
    text = json.dumps(what, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
