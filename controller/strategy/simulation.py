"""The answers to `shutbox simulate`: many turns of one kind of player, or rounds of several, as plain values."""

from collections.abc import Sequence
from typing import Any

from controller.odds import Tally, Wins
from controller.rules import Ruleset


def tally_json(rules: Ruleset, player: str, seed: int, tally: Tally) -> dict[str, Any]:
    """A tally as plain values, scores of the histogram in ascending order."""
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
    """Wins as plain values, in the order of the players."""
    return {
        "game": rules.preset.name,
        "players": list(players),
        "seed": seed,
        "games": wins.games,
        "wins": list(wins.shares),
        "standard_errors": list(wins.standard_errors),
    }
