"""The decisions of house players, by strength: which tiles, how many dice, and why.

When they act at the table, and how fast, is decided in `controller.referee.jobs.opponent`; what moves are worth, in
`judge.py`.

perfect plays what wins most often, given the scores of the others; where totals run on over several rounds, and alone,
what leaves the fewest points. skilled, steady and casual know what each move leaves, and err the less often the more an
error costs (`controller.odds.temper`). careless takes any set that fits.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.game import DEFAULT_STRENGTH, Choosing, Game, Motive
from controller.odds import best_of, dice_by_thumb, felt, move_by_thumb, temper_of, weights_of
from controller.rules import Move, Throw
from controller.strategy.judge import FEW_POINTS, NO_ODDS, Judge, Judgement, Purpose
from controller.strategy.stand import wins_matter


@dataclass(frozen=True, slots=True)
class Decision:
    """The tiles a house player shuts, and why: people at the table are told, and the journal keeps it."""

    tiles: tuple[str, ...]
    why: Motive


class House:
    """Chooses for every house player at a table.

    It keeps nothing of a game, and chance depends on the game alone: a game taken up after a power cut goes on as it
    would have without one.

    `folder` keeps the tables of big games. Lifetime: any. Concurrency: any thread; the first choice of a game may take
    a second or two, on a small computer some more, so ask in a `BackgroundThread`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._judge = Judge(folder)

    def choose(self, game: Game) -> Decision:
        """The move of the player at turn. The game must be in `Choosing`; else raises `ValueError`."""
        if not isinstance(game.phase, Choosing):
            raise ValueError(f"nothing is to be chosen in {game.phase}")
        throw = game.phase.throw
        move, motive = self._choose_move(game, throw)
        return Decision(_names(move), motive)

    def choose_dice(self, game: Game) -> int:
        """The number of dice that the player at turn has the next throw made with."""
        allowed, temper = sorted(game.dice_allowed, reverse=True), _temper(game)
        if len(allowed) == 1:
            return allowed[0]
        if math.isinf(temper):
            return _chance_of(game).choice(allowed)
        try:
            purpose = self._purpose(game)
            worths = self._judge.dice(game, purpose)
        except NO_ODDS:
            worths = None
        if worths is None:
            return dice_by_thumb(allowed)
        values = [worths[dice] for dice in allowed]
        if temper:
            return allowed[_draw(game, values, temper)]
        _, places = best_of(values, greatest=purpose.aim.greatest)
        return allowed[places[0]]

    def _choose_move(self, game: Game, throw: Throw) -> tuple[Move, Motive]:
        moves, temper = game.rules.legal_moves(game.board, throw), _temper(game)
        if len(moves) == 1:
            return moves[0], Motive("only")
        if math.isinf(temper):
            return _chance_of(game).choice(moves), Motive("whim")
        try:
            judgement = self._judge.moves(game, throw, moves, self._purpose(game), _chance_of(game).getrandbits(32))
        except NO_ODDS:
            return move_by_thumb(moves), Motive("thumb")
        move = moves[_draw(game, judgement.values, temper)] if temper else judgement.best
        return move, _motive(move, judgement)

    def _purpose(self, game: Game) -> Purpose:
        if game.player.strength != "perfect" or not wins_matter(game):
            return FEW_POINTS
        try:
            return self._judge.win(game)
        except NO_ODDS:
            return FEW_POINTS


def _temper(game: Game) -> float:
    """The temper of the player at turn, in points; 0 for who makes no errors."""
    return temper_of(game.player.strength or DEFAULT_STRENGTH, game.rules)


def _draw(game: Game, points: Sequence[float], temper: float) -> int:
    """The place of a choice, drawn by the points that each leaves."""
    costs = felt(points, game.rules)
    weights = weights_of(costs - costs.min(), temper)
    return _chance_of(game).choices(range(len(points)), weights.tolist())[0]


def _motive(move: Move, judgement: Judgement) -> Motive:
    """What a move is worth, and what the best would be if it is not that."""
    purpose, worth, best_worth = judgement.purpose, judgement.value(move), judgement.value(judgement.best)
    best = () if worth == best_worth else _names(judgement.best)
    return Motive("odds", worth, best, best_worth, purpose.wins, judgement.played_out, purpose.guessed)


def _names(move: Move) -> tuple[str, ...]:
    return tuple(map(str, move))


def _chance_of(game: Game) -> random.Random:
    """Chance that is the same whenever this moment of this game is looked at again."""
    dice = game.phase.throw if isinstance(game.phase, Choosing) else ""
    return random.Random(f"{game.throws}/{game.turn}/{game.board}/{game.match.round}/{dice}")
