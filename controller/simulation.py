"""`shutbox simulate`: many turns by chance, told in words, as a picture or as JSON."""

from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.progress import Progress
from rich.text import Text

from controller.odds import CHOOSERS, Tally
from controller.odds import simulate as simulate_turns
from controller.odds_questions import bars
from controller.output import words
from controller.rules import InvalidOption, Ruleset

_MOST_BARS = 60


def run_turns(rules: Ruleset, player: str, turns: int, seed: int, folder: Path) -> Tally:
    """Play `turns` turns. Raises `InvalidOption` for a player who does not exist, or `TooManyBoards`."""
    if player not in CHOOSERS:
        raise InvalidOption(f"no player {player!r}; say one of {', '.join(CHOOSERS)}")
    with Progress(console=words, transient=True, disable=not words.is_terminal) as progress:
        bar = progress.add_task("turns", total=1.0)
        return simulate_turns(
            rules, player, turns, seed, folder=folder, progress=lambda done: progress.update(bar, completed=done)
        )


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


def draw_tally(tally: Tally) -> RenderableType:
    """A tally with its histogram; of very many different scores only the commonest."""
    head = (
        f"{tally.turns} turns: {tally.mean:.4f} points on average (standard error {tally.standard_error:.4f}), "
        f"box shut in {100 * tally.shut_share:.3f} %, {tally.throws_per_turn:.2f} throws a turn"
    )
    common = sorted(tally.histogram, key=lambda score: -tally.histogram[score])[:_MOST_BARS]
    rows = [(str(score), tally.histogram[score] / tally.turns) for score in sorted(common)]
    return Group(Text(head), bars(rows))
