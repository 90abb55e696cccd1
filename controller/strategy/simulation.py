"""The answer to `shutbox simulate`: many turns of one kind of player, and their tally as plain values."""

from pathlib import Path
from typing import Any

from controller.odds import CHOOSERS, Progress, Tally
from controller.odds import simulate as simulate_turns
from controller.rules import InvalidOption, Ruleset


def run_turns(rules: Ruleset, player: str, turns: int, seed: int, folder: Path, progress: Progress) -> Tally:
    """Play `turns` turns; `progress` is told the fraction done, 0..1.

    Raises `InvalidOption` for a player who does not exist, or `TooManyBoards`.
    """
    if player not in CHOOSERS:
        raise InvalidOption(f"no player {player!r}; say one of {', '.join(CHOOSERS)}")
    return simulate_turns(rules, player, turns, seed, folder=folder, progress=progress)


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
