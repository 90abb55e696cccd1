"""What the events of a game tell of things taken back: how often, what, and when; and whether the coins add up."""

from collections import Counter
from collections.abc import Sequence

from controller.game.core.events import GameEvent
from controller.game.core.phases import Moving
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.state import Game

# What had followed from a throw, the greatest first, by the kinds of events.
_FOLLOWED = {
    "round_ended": "end of a round",
    "round_tied": "tie",
    "turn_ended": "end of a turn",
    "turn_passed": "pass",
    "move_chosen": "choice",
}


def count_events(events: Sequence[GameEvent], problems: list[str]) -> Counter[str]:
    """Count throws, choices, what was undone, and throws corrected before and after a choice was made by them.

    Coins that do not come to 0, those in the pool included, are a problem.
    """
    counts: Counter[str] = Counter()
    game: Game | None = None
    followed: list[str] = []
    for event in events:
        match event.kind:
            case "dice_thrown":
                counts["throws"] += 1
                followed = []
            case "move_chosen":
                counts["choices"] += 1
            case "choice_undone":
                counts["undone"] += 1
                counts[f"taken back: {next(what for kind, what in _FOLLOWED.items() if kind in followed)}"] += 1
                counts["while tiles moved"] += game is not None and isinstance(game.phase, Moving)
                followed = []
            case "throw_corrected" if followed == ["choice_undone"]:
                counts["undone"] -= 1
                counts["corrected after"] += 1
            case "throw_corrected":
                counts["corrected before"] += 1
        followed.append(event.kind)
        game = evolve_box_game(game, event)
        if sum(game.match.ledger.balances) + game.match.ledger.pool != 0:
            problems.append(f"after {event.kind} the coins do not come to 0: {game.match.ledger}")
    return counts
