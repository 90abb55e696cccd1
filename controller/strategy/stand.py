"""How a game stands for the player at turn: what he plays for, and against which scores."""

from dataclasses import replace

from controller.game import Game
from controller.odds import Stand
from controller.rules import Ruleset


def stand_of(game: Game) -> Stand:
    """The scores of those who have played this round, and how many are still to come."""
    before = game.match.order[: game.match.order.index(game.turn)]
    scores = tuple(score for seat in before if (score := game.turn_scores[seat]) is not None)
    return Stand(scores, len(game.match.order) - len(before) - 1)


def rules_to_win(game: Game) -> Ruleset:
    """The rules by which the round at hand is won: in a play-off whoever is to come has his turn after a shut too."""
    rules = game.rules
    return replace(rules, terms=replace(rules.terms, shut="play_on")) if game.match.play_off else rules


def wins_matter(game: Game) -> bool:
    """True where a round has a winner to become; where totals run on, and alone, every point counts."""
    return len(game.match.order) > 1 and not game.rules.terms.has_running_totals
