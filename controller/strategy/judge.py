"""The values of a player's moves, in bounded time: exact if that is quick, else by a look-ahead."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.game.shutbox.state import Game
from controller.odds.advice import Odds, odds_of
from controller.odds.aim import Aim
from controller.odds.best import best_of
from controller.odds.errors import TooManyBoards
from controller.odds.limits import BYTES_A_BOARD, BYTES_A_BOARD_BY_SEAT, MOST_BOARDS_AT_ONCE, MOST_EFFORT_AT_ONCE
from controller.odds.model import boards_of
from controller.odds.playouts import Playouts
from controller.odds.rivals import Rivals
from controller.odds.seats import seats_of
from controller.rules.errors import InvalidOption
from controller.rules.ruleset import Move
from controller.rules.throw import Throw
from controller.strategy.stand import round_state_of, rules_to_win

# The reasons for having no odds: too many boards to number, or for this machine, or turns that belong to nobody.
NO_ODDS = (TooManyBoards, InvalidOption, MemoryError)
# The share of the computer's memory that odds may take: the daemon, the camera and the system need the rest.
_SHARE_OF_MEMORY = 0.25


@dataclass(frozen=True, slots=True)
class Purpose:
    """The aim of a player. guessed: later players are assumed to play for few points."""

    aim: Aim
    guessed: bool = False

    @property
    def wins(self) -> bool:
        """True if the aim is to win, not few points."""
        return self.aim.greatest


FEW_POINTS = Purpose(Aim("score"))


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value of each of `moves` to a player: the points that it leaves, or a chance to win (0..1).

    played_out: the values are from playouts, not from the odds.
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
        return self.values[self.moves.index(move)]


@dataclass(frozen=True)
class Judge:
    """Values the moves of the player at turn, in bounded time: exactly if that is quick, else by a look-ahead.

    Two calculations may take long. The odds of many boards: then moves are valued by playouts. And the play of later
    players, who know the scores before them: then they are assumed to play for few points (`Rivals`).

    Every method raises one of NO_ODDS if it cannot.
    folder: where the tables of big games are kept.
    Concurrency: any thread.
    """

    folder: Path | None = None

    def win(self, game: Game) -> Purpose:
        """Return the purpose to win the round, given the scores of the players before."""
        rules = rules_to_win(game)
        state, seats = round_state_of(game), seats_of(rules, folder=self.folder)
        try:
            is_quick = seats.effort(state) <= MOST_EFFORT_AT_ONCE
        except TooManyBoards:
            is_quick = False
        if is_quick:
            if state.to_come:
                _check_memory(boards_of(rules, rules.start()), BYTES_A_BOARD_BY_SEAT)
            return Purpose(seats.aim(state))
        return Purpose(Rivals.of(rules, self.folder).aim(state), guessed=True)

    def moves(self, game: Game, throw: Throw, moves: Sequence[Move], purpose: Purpose, seed: int) -> Judgement:
        """Value these legal moves with a throw. seed: for playouts."""
        odds = self._odds(game)
        played_out = not _is_quick(game) and not game.rules.ends_turn(throw)
        if played_out:
            values = Playouts.of(game.rules, game.board, seed).values(moves, purpose.aim)
        else:
            values = odds.values(game.board, throw, moves, purpose.aim)
        return Judgement(purpose, tuple(moves), tuple(values), played_out)

    def dice(self, game: Game, purpose: Purpose) -> dict[int, float] | None:
        """Return the value of a throw by number of dice, or None if that would take long."""
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
    """Raise `MemoryError` before a small computer attempts a calculation that would end the daemon."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if boards * bytes_a_board > _SHARE_OF_MEMORY * memory:
        raise MemoryError
