"""The decisions of house players, by strength: which tiles, how many dice, and why; and in a race, which dice to keep.

`controller.referee.jobs.opponent` decides when they act at the table, and how fast.

perfect plays the move that wins most often, given the scores of the others; in matches with running totals, and alone,
the move that leaves the fewest points. skilled, steady and casual know the value of each move, and the more an error
costs, the less often they make it (`weights_of`). careless takes any set that fits.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.game.core.players import DEFAULT_STRENGTH
from controller.game.shutbox.events import Motive
from controller.game.shutbox.state import Choosing, Game
from controller.odds.best import best_of
from controller.odds.strength import STRENGTHS
from controller.odds.temper import noise_in_points, perceived, weights_of
from controller.odds.thumb import heuristic_dice, heuristic_move
from controller.rules.ruleset import Move
from controller.rules.throw import Throw
from controller.strategy.judge import FEW_POINTS, NO_ODDS, Judge, Purpose
from controller.strategy.stand import wins_matter


@dataclass(frozen=True, slots=True)
class Decision:
    """The tiles that a house player shuts, and the reason, which is shown at the table and kept in the journal."""

    tiles: tuple[str, ...]
    why: Motive


class House:
    """Chooses for every house player at a table.

    It keeps no state of a game, and its random choices depend only on the game: a game that is resumed after a power
    cut continues as it would have without one.

    folder: where the tables of big games are kept.
    Lifetime: any. Concurrency: any thread; the first choice of a game may take a second or two, on a small computer
    more, so call it in a `BackgroundThread`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._judge = Judge(folder)

    def choose(self, game: Game) -> Decision:
        """Return the move of the player at turn. Raises `ValueError` unless the game is in `Choosing`."""
        if not isinstance(game.phase, Choosing):
            raise ValueError(f"nothing is to be chosen in {game.phase}")
        throw = game.phase.throw
        move, motive = self._choose_move(game, throw)
        return Decision(_names(move), motive)

    def choose_dice(self, game: Game) -> int:
        """Return the number of dice that the player at turn wants for the next throw."""
        allowed, noise = sorted(game.dice_allowed, reverse=True), _noise(game)
        if len(allowed) == 1:
            return allowed[0]
        if math.isinf(noise):
            return _chance_of(game).choice(allowed)
        try:
            purpose = self._purpose(game)
            worths = self._judge.dice(game, purpose)
        except NO_ODDS:
            worths = None
        if worths is None:
            return heuristic_dice(allowed)
        values = [worths[dice] for dice in allowed]
        if noise:
            return allowed[_draw(game, values, noise)]
        _, places = best_of(values, greatest=purpose.aim.greatest)
        return allowed[places[0]]

    def _choose_move(self, game: Game, throw: Throw) -> tuple[Move, Motive]:
        moves, noise = game.rules.legal_moves(game.board, throw), _noise(game)
        if len(moves) == 1:
            return moves[0], Motive("only")
        if math.isinf(noise):
            return _chance_of(game).choice(moves), Motive("whim")
        try:
            judgement = self._judge.moves(game, throw, moves, self._purpose(game), _chance_of(game).getrandbits(32))
        except NO_ODDS:
            return heuristic_move(moves), Motive("thumb")
        move = moves[_draw(game, judgement.values, noise)] if noise else judgement.best
        purpose, worth, best_worth = judgement.purpose, judgement.value(move), judgement.value(judgement.best)
        best = () if worth == best_worth else _names(judgement.best)
        return move, Motive("odds", worth, best, best_worth, purpose.wins, judgement.played_out, purpose.guessed)

    def _purpose(self, game: Game) -> Purpose:
        strength = game.player.strength or DEFAULT_STRENGTH
        if not STRENGTHS[strength].plays_to_win or not wins_matter(game):
            return FEW_POINTS
        try:
            return self._judge.win(game)
        except NO_ODDS:
            return FEW_POINTS


def _noise(game: Game) -> float:
    """Return the noise of the player at turn, in perceived points; 0 for a player who makes no errors."""
    return noise_in_points(STRENGTHS[game.player.strength or DEFAULT_STRENGTH].noise, game.rules)


def _draw(game: Game, points: Sequence[float], noise: float) -> int:
    """Return the place of a choice, drawn at random by the points that each leaves."""
    costs = perceived(points, game.rules)
    weights = weights_of(costs - costs.min(), noise)
    return _chance_of(game).choices(range(len(points)), weights.tolist())[0]


def _names(move: Move) -> tuple[str, ...]:
    return tuple(map(str, move))


def _chance_of(game: Game) -> random.Random:
    """Return a random generator that is the same for every look at this moment of this game."""
    dice = game.phase.throw if isinstance(game.phase, Choosing) else ""
    return random.Random(f"{game.throws}/{game.turn}/{game.board}/{game.match.round}/{dice}")
