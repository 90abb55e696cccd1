"""The state of a game for the player at turn: whether they play to win, and against which scores."""

from dataclasses import replace

from controller.game.shutbox.state import Game
from controller.odds.stand import RoundState
from controller.rules.ruleset import Ruleset


def round_state_of(game: Game) -> RoundState:
    """Return the scores of this round so far, and the number of players still to play."""
    before = game.match.order[: game.match.order.index(game.turn)]
    scores = tuple(score for seat in before if (score := game.turn_scores[seat]) is not None)
    return RoundState(scores, len(game.match.order) - len(before) - 1)


def rules_to_win(game: Game) -> Ruleset:
    """Return the rules by which the current round is won: in a play-off later players have a turn even after a shut."""
    rules = game.rules
    return replace(rules, terms=replace(rules.terms, shut="play_on")) if game.match.play_off else rules


def wins_matter(game: Game) -> bool:
    """Return whether a round has a winner; with running totals, and alone, every point counts instead."""
    return len(game.match.order) > 1 and not game.rules.terms.has_running_totals
