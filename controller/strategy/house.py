"""The decisions of house players, by strength: which tiles, how many dice, and why in a sentence.

When they act at the table, and how fast, is decided in `controller.referee.jobs.opponent`.

careless takes any set that fits; casual few tiles, but keeps the high ones; steady few and high ones, since small
tiles are easy to shut later; skilled what leaves the least expected score; perfect what wins most often, given the
scores of the others. Where totals run on over several rounds, and alone, perfect plays for the score too.
"""

import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.game import Choosing, Game, join_and
from controller.odds import (
    BIG,
    BYTES_A_BOARD,
    BYTES_A_BOARD_BY_SEAT,
    CASUAL,
    STEADY,
    After,
    Aim,
    Model,
    Odds,
    Seats,
    TooManyBoards,
    odds_of,
    seats_of,
)
from controller.rules import InvalidOption, Move, Throw
from controller.strategy.stand import stand_of, wins_matter

# Above this number of boards only those players look at the odds who choose by them: others would wait for nothing.
_QUICK_BOARDS = 600_000
_SCORE = Aim("score")
# Why odds cannot be counted: too many boards for the solver or for this machine, or turns that are nobody's own.
_NO_ODDS = (TooManyBoards, InvalidOption, MemoryError)
# How much of the computer's memory solving may take: the daemon, the camera and the system need the rest.
_SHARE_OF_MEMORY = 0.25


@dataclass(frozen=True, slots=True)
class Decision:
    """The tiles a house player shuts, and why: people at the table are told, and the journal keeps it."""

    tiles: tuple[str, ...]
    why: str


class House:
    """Chooses for every house player at a table.

    It keeps nothing of a game, and chance depends on the game alone: a game taken up after a power cut goes on as it
    would have without one.

    `folder` keeps the tables of big games. Lifetime: any. Concurrency: any thread; the first choice of a big game
    may take many seconds, so ask in a `BackgroundThread`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def choose(self, game: Game) -> Decision:
        """The move of the player at turn. The game must be in `Choosing`; else raises `ValueError`."""
        if not isinstance(game.phase, Choosing):
            raise ValueError(f"nothing is to be chosen in {game.phase}")
        throw = game.phase.throw
        move, reason = self._choose_move(game, throw)
        return Decision(tuple(map(str, move)), f"{game.player.name} shuts {join_and(map(str, move))}: {reason}.")

    def choose_dice(self, game: Game) -> int:
        """The number of dice that the player at turn has the next throw made with."""
        if len(game.dice_allowed) == 1:
            return min(game.dice_allowed)
        match game.player.strength:
            case "careless":
                return _chance_of(game).choice(sorted(game.dice_allowed))
            case "casual":
                return CASUAL.dice(game.dice_allowed)
            case "steady":
                return STEADY.dice(game.dice_allowed)
            case "skilled":
                return self._skilled_dice(game)
            case "perfect":
                return self._perfect_dice(game)

    def _skilled_dice(self, game: Game) -> int:
        try:
            return self._odds(game).before(game.board, _SCORE).dice or max(game.dice_allowed)
        except _NO_ODDS:
            return STEADY.dice(game.dice_allowed)

    def _perfect_dice(self, game: Game) -> int:
        if not wins_matter(game):
            return self._skilled_dice(game)
        try:
            return self._seats(game).before(game.board, stand_of(game)).dice or max(game.dice_allowed)
        except _NO_ODDS:
            return self._skilled_dice(game)

    def _choose_move(self, game: Game, throw: Throw) -> tuple[Move, str]:
        moves = game.rules.legal_moves(game.board, throw)
        if len(moves) == 1:
            return moves[0], "nothing else fits"
        match game.player.strength:
            case "careless":
                return self._weigh(game, throw, _chance_of(game).choice(moves), "the first set that came to mind")
            case "casual":
                return self._weigh(game, throw, CASUAL.move(moves), "few tiles, and the high ones stay for luck")
            case "steady":
                return self._weigh(
                    game, throw, STEADY.move(moves), "few tiles and high ones, small ones are easy later"
                )
            case "skilled":
                return self._skilled_move(game, throw, moves)
            case "perfect":
                return self._perfect_move(game, throw, moves)

    def _skilled_move(self, game: Game, throw: Throw, moves: Sequence[Move]) -> tuple[Move, str]:
        try:
            best = self._odds(game).after(game.board, throw, _SCORE)
        except _NO_ODDS:
            return STEADY.move(moves), "few tiles and high ones; the odds of this game cannot be counted"
        return best.best[0], f"that leaves {best.value:.2f} points on average, nothing leaves less"

    def _perfect_move(self, game: Game, throw: Throw, moves: Sequence[Move]) -> tuple[Move, str]:
        if not wins_matter(game):
            return self._skilled_move(game, throw, moves)
        try:
            best = self._seats(game).after(game.board, throw, stand_of(game))
        except _NO_ODDS:
            return self._skilled_move(game, throw, moves)
        return best.best[0], f"that wins {100 * best.value:.1f} % of the time, nothing wins more often"

    def _weigh(self, game: Game, throw: Throw, move: Move, reason: str) -> tuple[Move, str]:
        """A rule of thumb and, where the odds are quickly found, what they say to it."""
        try:
            odds = odds_of(game.rules, folder=self._folder)
            if Model.of(game.rules).size > _QUICK_BOARDS:
                return move, reason
        except _NO_ODDS:
            return move, reason
        return move, f"{reason}; {_describe_odds(game, throw, move, odds)}"

    def _odds(self, game: Game) -> Odds:
        _check_memory(game, BYTES_A_BOARD)
        return odds_of(game.rules, folder=self._folder)

    def _seats(self, game: Game) -> Seats:
        _check_memory(game, BYTES_A_BOARD_BY_SEAT if stand_of(game).to_come else BYTES_A_BOARD)
        return seats_of(game.rules, folder=self._folder)


def _check_memory(game: Game, bytes_a_board: int) -> None:
    """Raise `MemoryError` before a small computer tries what would end the daemon."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    # Few boards that follow are solved by themselves; else the game is, from its start.
    later = Model.of(game.rules, game.board).size
    boards = later if later <= BIG else Model.of(game.rules).size
    if boards * bytes_a_board > _SHARE_OF_MEMORY * memory:
        raise MemoryError


def _describe_odds(game: Game, throw: Throw, move: Move, odds: Odds) -> str:
    best: After = odds.after(game.board, throw, _SCORE)
    if move in best.best:
        return f"by the odds {best.value:.2f} points, and nothing better"
    [left] = odds.values(game.board, throw, (move,), _SCORE)
    return f"by the odds {left:.2f} points, {join_and(map(str, best.best[0]))} would leave {best.value:.2f}"


def _chance_of(game: Game) -> random.Random:
    """Chance that is the same whenever this moment of this game is looked at again."""
    return random.Random(f"{game.throws}/{game.turn}/{game.board}/{game.match.round}")
