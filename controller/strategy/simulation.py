"""Simulation: many turns or rounds of players of some strength, and the results as plain values."""

from collections.abc import Sequence
from typing import Any

from controller.odds.contest import Wins
from controller.odds.fleet.order import CardOrder
from controller.odds.fleet.races import Races
from controller.odds.turns import Tally
from controller.rules.fleet.ruleset import FleetRules
from controller.rules.ruleset import Ruleset


def tally_json(rules: Ruleset, player: str, seed: int, tally: Tally) -> dict[str, Any]:
    """Return a tally as plain values, with the scores of the histogram in ascending order."""
    return {
        "game": rules.preset.name,
        "player": player,
        "seed": seed,
        "turns": tally.turns,
        "mean": tally.mean,
        "standard_error": tally.standard_error,
        "shut": tally.shut_share,
        "throws_per_turn": tally.throws_per_turn,
        "histogram": {str(score): count for score, count in sorted(tally.histogram.items())},
    }


def wins_json(rules: Ruleset, players: Sequence[str], seed: int, wins: Wins) -> dict[str, Any]:
    """Return wins as plain values, in the order of the players."""
    return {
        "game": rules.preset.name,
        "players": list(players),
        "seed": seed,
        "games": wins.games,
        "wins": list(wins.shares),
        "standard_errors": list(wins.standard_errors),
    }


def races_json(rules: FleetRules, players: Sequence[str], seed: int, races: Races) -> dict[str, Any]:
    """Return games of Fleet! or Flash! as plain values, in the order of the players and of the sheet."""
    return {
        "game": rules.card.name,
        "players": list(players),
        "seed": seed,
        "games": races.games,
        "wins": list(races.wins),
        "standard_errors": list(races.standard_errors),
        "chips": list(races.chips),
        "throws": {name: list(throws) for name, throws in races.throws.items()},
        "rounds": dict(races.rounds),
    }


def order_json(order: CardOrder, players: int) -> dict[str, Any]:
    """Return the best order of a card as plain values; `value` and `in_order` are points."""
    return {
        "aim": "chips",
        "players": players,
        "order": list(order.names),
        "value": order.value,
        "in_order": order.in_order,
        "found_by": "by the expected chip of each round, against rivals who go through the sheet in its order; "
        "for points, not for wins; with chips 1, 2, 3 and so on every order is worth the same if nothing is known "
        "of them",
    }
