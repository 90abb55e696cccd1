"""What the moves of a player are worth to him, in a bounded time: exactly where that is quick, else by a look ahead.

Two things may take long. The odds of many boards: then moves are valued by turns that are played out from them. And
what players to come will do, who look at the scores before them: then they are taken to play for few points.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.game import Game
from controller.odds import (
    BYTES_A_BOARD,
    BYTES_A_BOARD_BY_SEAT,
    MOST_BOARDS_AT_ONCE,
    MOST_EFFORT_AT_ONCE,
    Aim,
    Odds,
    Playouts,
    Rivals,
    TooManyBoards,
    best_of,
    boards_of,
    odds_of,
    seats_of,
)
from controller.rules import InvalidOption, Move, Throw
from controller.strategy.stand import rules_to_win, stand_of

# Why nothing can be worked out: too many boards to number or for this machine, or turns that are nobody's own.
NO_ODDS = (TooManyBoards, InvalidOption, MemoryError)
# How much of the computer's memory that may take: the daemon, the camera and the system need the rest.
_SHARE_OF_MEMORY = 0.25


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a player plays for; if `guessed`, with those who are to come taken to play for few points."""

    aim: Aim
    guessed: bool = False

    @property
    def wins(self) -> bool:
        """True if he plays to win, not for points."""
        return self.aim.greatest


FEW_POINTS = Purpose(Aim("score"))


@dataclass(frozen=True, slots=True)
class Judgement:
    """What each of `moves` is worth to a player: points that are left, or a chance to win (0..1).

    played_out: found by playing turns out, not by the odds.
    """

    purpose: Purpose
    moves: tuple[Move, ...]
    values: tuple[float, ...]
    played_out: bool

    @property
    def best(self) -> Move:
        """The first of the best moves."""
        _, places = best_of(list(self.values), greatest=self.purpose.aim.greatest)
        return self.moves[places[0]]

    def value(self, move: Move) -> float:
        """The value of one of the moves."""
        return self.values[self.moves.index(move)]


@dataclass(frozen=True)
class Judge:
    """Values the moves of the player at turn.

    Every method raises one of NO_ODDS where it cannot. folder: keeps tables of big games. Concurrency: any thread.
    """

    folder: Path | None = None

    def win(self, game: Game) -> Purpose:
        """To win the round, given the scores of those who have played."""
        rules = rules_to_win(game)
        stand, seats = stand_of(game), seats_of(rules, folder=self.folder)
        try:
            is_quick = seats.effort(stand) <= MOST_EFFORT_AT_ONCE
        except TooManyBoards:
            is_quick = False
        if is_quick:
            if stand.to_come:
                _check_memory(boards_of(rules, rules.start()), BYTES_A_BOARD_BY_SEAT)
            return Purpose(seats.aim(stand))
        return Purpose(Rivals.of(rules, self.folder).aim(stand), guessed=True)

    def moves(self, game: Game, throw: Throw, moves: Sequence[Move], purpose: Purpose, seed: int) -> Judgement:
        """Value these legal moves with a throw. seed: the chance of what is played out."""
        odds = self._odds(game)
        played_out = not _is_quick(game) and not game.rules.ends_turn(throw)
        if played_out:
            values = Playouts.of(game.rules, game.board, seed).values(moves, purpose.aim)
        else:
            values = odds.values(game.board, throw, moves, purpose.aim)
        return Judgement(purpose, tuple(moves), tuple(values), played_out)

    def dice(self, game: Game, purpose: Purpose) -> dict[int, float] | None:
        """By number of dice what a throw of so many is worth; None where that would take long."""
        odds = self._odds(game)
        if not _is_quick(game):
            return None
        allowed = sorted(game.dice_allowed, reverse=True)
        return {dice: odds.with_dice(game.board, dice, purpose.aim) for dice in allowed}

    def _odds(self, game: Game) -> Odds:
        _check_memory(min(boards_of(game.rules, game.board), MOST_BOARDS_AT_ONCE), BYTES_A_BOARD)
        return odds_of(game.rules, folder=self.folder)


def _is_quick(game: Game) -> bool:
    return boards_of(game.rules, game.board) <= MOST_BOARDS_AT_ONCE


def _check_memory(boards: int, bytes_a_board: int) -> None:
    """Raise `MemoryError` before a small computer tries what would end the daemon."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if boards * bytes_a_board > _SHARE_OF_MEMORY * memory:
        raise MemoryError
