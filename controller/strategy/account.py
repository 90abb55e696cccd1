"""A look back on a game: the luck of the dice in each turn and the cost of each choice, by the exact odds."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from controller.game.core.events import GameEvent
from controller.game.shutbox.events import (
    BoardCorrected,
    ChoiceUndone,
    DiceThrown,
    MoveChosen,
    ThrowCorrected,
    TurnEnded,
    TurnPassed,
)
from controller.game.shutbox.evolve import evolve_box_game
from controller.game.shutbox.state import Game
from controller.odds.aim import Aim
from controller.rules.board import Board
from controller.rules.throw import Throw

if TYPE_CHECKING:
    from controller.odds.advice import Odds

POINTS = Aim("score")

_FOLLOWS = (MoveChosen, TurnEnded, TurnPassed)  # the events that can follow a throw, and be taken back

# The aim of the player at turn.
AimOf = Callable[[Game], Aim]


@dataclass(frozen=True, slots=True)
class Choice:
    """One throw of a turn and what was made of it; all values are points, or chances to win (0..1).

    board: before the throw. luck: what the throw added to the value. dice_error, error: what the number of dice and the
    tiles that were shut added against the best ones, `best`: in points at least 0, as a chance at most 0. tiles: none
    where nothing could be shut.
    """

    board: str
    dice: tuple[int, ...]
    tiles: tuple[str, ...]
    best: tuple[tuple[str, ...], ...]
    luck: float
    dice_error: float
    error: float


@dataclass(frozen=True, slots=True)
class Account:
    """One turn of a player in a round, by the exact odds.

    Result = expectation at the start of the turn + luck + errors, exactly: the odds give the value of every board to a
    player who makes no more mistakes; a throw changes that value by luck, and a choice by its error. (Backgammon
    programs can only estimate this: their values are rollouts.)

    player: the seat.
    expected: the value at the start of the turn.
    result: None while the turn is in progress.
    beside: the change of the value from outside the turn: by a fault that ended it, by tiles that were moved while the
        box was off, or by the throws of others in a race of single throws.
    """

    player: int
    round: int
    expected: float
    choices: tuple[Choice, ...] = ()
    result: float | None = None
    beside: float = 0.0

    @property
    def luck(self) -> float:
        """The change of the value that nobody chose."""
        return self.beside + sum(choice.luck for choice in self.choices)

    @property
    def errors(self) -> float:
        """The change of the value by the player's choices: in points at least 0, as a chance at most 0."""
        return sum(choice.dice_error + choice.error for choice in self.choices)


def as_played(events: Iterable[GameEvent]) -> list[GameEvent]:
    """Return the events without those that were taken back."""
    kept: list[GameEvent] = []
    for event in events:
        if isinstance(event, ChoiceUndone):
            last = max(at for at, each in enumerate(kept) if isinstance(each, DiceThrown))
            del kept[next(at for at in range(last, len(kept)) if isinstance(kept[at], _FOLLOWS)) :]
        else:
            kept.append(event)
    return kept


def accounts_of(events: Iterable[GameEvent], odds: "Odds", aim_of: AimOf = lambda _: POINTS) -> tuple[Account, ...]:
    """Return the turns of one game in order. A corrected throw counts as corrected.

    odds: those of the game's rules. A score noted for a player who was beaten before playing is not a turn.
    Raises `TooManyBoards`.
    """
    return reduce(_SoFar.after, events, _SoFar(odds, aim_of)).accounts


@dataclass(frozen=True, slots=True)
class _Thrown:
    """Dice on the baize, which may still be corrected, and the game before that throw."""

    game: Game
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _SoFar:
    """The accounts up to an event. worth: the value of the board of the turn in progress."""

    odds: "Odds"
    aim_of: AimOf
    game: Game | None = None
    accounts: tuple[Account, ...] = ()
    worth: float = 0.0
    thrown: _Thrown | None = None

    def after(self, event: GameEvent) -> "_SoFar":
        """Return the accounts with one more event."""
        found, game = self, self.game
        match event:
            case DiceThrown(dice) if game is not None:
                if self._open is None or self._open.player != game.turn:
                    worth = self.odds.before(game.board, self.aim_of(game)).value
                    account = Account(game.turn, game.match.round, worth)
                    found = replace(self, accounts=(*self.accounts, account), worth=worth)
                found = replace(found, thrown=_Thrown(game, dice))
            case ThrowCorrected(_, dice) if self.thrown is not None:
                found = replace(self, thrown=replace(self.thrown, dice=dice))
            case MoveChosen(tiles):
                found = self._settled(tiles)
            case BoardCorrected() if game is not None:
                found = self._corrected(game, evolve_box_game(game, event))
            case TurnEnded(player) if game is not None:
                found = self._settled(())
                if found._open is not None and found._open.player == player:
                    result = self.aim_of(game).end(self.odds.rules, game.board)
                    beside = found._open.beside + _gap(result, found.worth)
                    account = replace(found._open, result=result, beside=beside)
                    found = replace(found, accounts=(*found.accounts[:-1], account))
        return replace(found, game=evolve_box_game(game, event))

    @property
    def _open(self) -> Account | None:
        """The turn in progress."""
        return self.accounts[-1] if self.accounts and self.accounts[-1].result is None else None

    def _settled(self, tiles: tuple[str, ...]) -> "_SoFar":
        """Return the accounts with the current throw and the choice that followed it."""
        if self.thrown is None or self._open is None:
            return self
        game, throw = self.thrown.game, Throw(self.thrown.dice)
        choice, worth = self._choice(game.board, throw, tiles, self.aim_of(game))
        account = replace(self._open, choices=(*self._open.choices, choice))
        return replace(self, accounts=(*self.accounts[:-1], account), worth=worth, thrown=None)

    def _choice(self, board: Board, throw: Throw, tiles: tuple[str, ...], aim: Aim) -> tuple[Choice, float]:
        """Return the choice, and the value of the board after it."""
        with_dice = self.odds.with_dice(board, len(throw.dice), aim)
        after = self.odds.after(board, throw, aim)
        worth = after.value
        if tiles:
            [worth] = self.odds.values(board, throw, (self.odds.rules.move(tiles),), aim)
        dice_error, error = _gap(with_dice, self.worth), _gap(worth, after.value)
        choice = Choice(
            board=str(board),
            dice=throw.dice,
            tiles=tiles,
            best=tuple(tuple(tile.name for tile in move) for move in after.best),
            luck=worth - self.worth - dice_error - error,
            dice_error=dice_error,
            error=error,
        )
        return choice, worth

    def _corrected(self, before: Game, after: Game) -> "_SoFar":
        """Return the accounts with a corrected board in the turn in progress; a current throw then belongs to it."""
        if self._open is None or self._open.player != before.turn:
            return self
        thrown = self.thrown if not after.board.is_shut else None
        if thrown is not None:
            thrown = replace(thrown, game=replace(thrown.game, board=after.board))
        worth = self.odds.before(after.board, self.aim_of(after)).value
        account = replace(self._open, beside=self._open.beside + _gap(worth, self.worth))
        return replace(self, accounts=(*self.accounts[:-1], account), worth=worth, thrown=thrown)


def _gap(value: float, other: float) -> float:
    """Return the difference of two values of the odds; 0 if it is only rounding (as in `controller.odds.best`)."""
    return 0.0 if math.isclose(value, other, rel_tol=1e-13, abs_tol=1e-12) else value - other
