"""All that a race has come to, as plain values: what its digest in the journal is made of.

Whatever is changed here makes every journal of a race that was ever written differ.
"""

from dataclasses import asdict
from typing import Any

from controller.game.fleet.phases import RacePhase
from controller.game.fleet.state import Box, Cry, Finish, Race
from controller.game.phases import Differing, Ended, Halted, Moving, Parked, phase_name


def race_facts(race: Race) -> dict[str, Any]:
    """The facts of a race; its options stand in its first event."""
    return {
        "game": race.rules.name,
        "players": [[player.name, player.house] for player in race.players],
        "round": race.round,
        "board": str(race.board),
        "sheets": [list(map(_box, sheet)) for sheet in race.sheets],
        "named": list(race.named),
        "namer": race.namer,
        "rolls": [list(race.rolling), list(race.rolls)],
        "cries": list(map(_cry, race.cries)),
        "finishes": list(map(_finish, race.finishes)),
        "out": sorted(race.out),
        "left": race.left_s,
        "coins": asdict(race.ledger),
        "believed": sorted(race.believed),
        "phase": _phase(race.phase),
    }


def _box(box: Box) -> list[Any]:
    return [box.combination, box.points]


def _cry(cry: Cry) -> list[Any]:
    return [cry.seat, cry.combination, cry.at_ms, None if cry.dice is None else list(cry.dice.faces)]


def _finish(finish: Finish) -> list[Any]:
    return [finish.seat, finish.tile, finish.points, finish.combination]


def _phase(phase: RacePhase) -> dict[str, Any]:
    found: dict[str, Any] = {"name": phase_name(phase)}
    match phase:
        case Ended(winners, given_up):
            found |= {"winners": list(winners), "given_up": given_up}
        case Moving(then) | Parked(then):
            found["then"] = _phase(then)
        case Halted(fault, then):
            found |= {"fault": asdict(fault), "then": _phase(then)}
        case Differing(tiles, then):
            found |= {"found": [asdict(tile) for tile in tiles], "then": _phase(then)}
    return found
