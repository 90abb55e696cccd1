"""The key of a record: it tells which one-player games are compared, those of the same player with equal turns.

A key depends on a game's first event alone.
"""

import hashlib
import json
from dataclasses import asdict, fields

from controller.game.core.events import GameStarted
from controller.rules.game_options import Terms
from controller.rules.games import GAMES
from controller.rules.options import Value

# Terms of the table do not change the turn of a lone player, except for how often they throw in a race.
_OF_THE_TABLE = {each.name for each in fields(Terms)} - {"race", "match"}


def record_key(started: GameStarted) -> str:
    """Return a digest that is equal for games whose scores belong to one record."""
    player, marks = started.players[0].name, asdict(started.marks)
    return _digest({"player": player, "game": started.game, "options": _turn_options(started), "marks": marks})


def changed_options(started: GameStarted) -> dict[str, Value]:
    """Return the options that change a lone player's turn and are not at their defaults."""
    defaults = _defaults(started.game)
    return {name: value for name, value in _turn_options(started).items() if value != defaults.get(name)}


def basis_digest() -> str:
    """Return a digest of everything that `record_key` depends on besides the game: if it changes, all keys change."""
    return _digest({"of the table": sorted(_OF_THE_TABLE), "defaults": {game: _defaults(game) for game in GAMES}})


def _turn_options(started: GameStarted) -> dict[str, Value]:
    return {name: value for name, value in started.options.items() if name not in _OF_THE_TABLE}


def _defaults(game: str) -> dict[str, Value]:
    # A journal may hold games that only a later version has.
    return {choice.name: choice.default for choice in GAMES[game].choices} if game in GAMES else {}


def _digest(what: dict[str, object]) -> str:
    text = json.dumps(what, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
