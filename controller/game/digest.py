"""The digest of a game, which stands in the journal beside every event, so that a replay can be checked.

It is made of `facts`, in words of its own: what people are shown may change from one version to the next, and
journals of years ago must still check. Whatever is changed here makes every journal that was ever written differ.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from controller.game.match import Match
from controller.game.phases import Choosing, Differing, Ended, Halted, Moving, Parked, Phase, TurnLost, phase_name
from controller.game.state import Game


def digest_facts(known: Mapping[str, Any]) -> str:
    """A short fingerprint of everything a game knows: 16 hexadecimal digits of the SHA-256 of its facts.

    It is to show mistakes, not forgery: 64 bits are enough, and it stands beside every event.
    """
    text = json.dumps(known, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def facts(game: Game) -> dict[str, Any]:
    """All that a game has come to, as plain values.

    Its options stand in its first event; a later version may know more of them and their defaults.
    """
    found = {
        "game": game.rules.preset.name,
        "players": [[player.name, player.house] for player in game.players],
        "turn": game.turn,
        "board": str(game.board),
        "scores": list(game.scores),
        "throws": game.throws,
        "phase": _phase_facts(game.phase),
    }
    if game.believed:
        found["believed"] = sorted(game.believed)
    if game.undone:
        found["undone"] = list(game.undone)
    # A match that is no more than one round without money has nothing to add: the digests of journals from before
    # there were matches are made so, and those of today's plain games too.
    plain = game.match == Match.plain(len(game.players))
    return found if plain else {**found, "match": _match_facts(game.match)}


def _match_facts(match: Match) -> dict[str, Any]:
    return {**asdict(match), "lost": sorted(match.lost)}


def _phase_facts(phase: Phase) -> dict[str, Any]:
    found: dict[str, Any] = {"name": phase_name(phase)}
    match phase:
        case Choosing(throw) | TurnLost(throw):
            found["throw"] = list(throw.dice)
        case Ended(winners, given_up):
            found["winners"] = list(winners)
            if not winners and not given_up:
                found["nobody"] = True
        case Moving(then) | Parked(then):
            found["then"] = _phase_facts(then)
        case Halted(fault, then):
            found |= {"fault": asdict(fault), "then": _phase_facts(then)}
        case Differing(tiles, then):
            found |= {"found": [asdict(tile) for tile in tiles], "then": _phase_facts(then)}
    return found
