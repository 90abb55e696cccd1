"""A game looked back on: what the dice gave in each turn and what each choice cost, by the exact odds.

Result = expectation at the start of the turn + luck + errors, exactly: the odds say what every board is worth to a
player who makes no more mistakes; a throw moves that value by luck, and a choice by its error. (Backgammon programs can
only estimate the same: their values are rollouts.)
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

from controller.game import (
    BoardCorrected,
    ChoiceUndone,
    DiceThrown,
    Game,
    GameEvent,
    MoveChosen,
    ThrowCorrected,
    TurnEnded,
    TurnPassed,
    evolve_box_game,
)
from controller.odds import Aim
from controller.rules import Board, Throw

if TYPE_CHECKING:
    from controller.odds import Odds

POINTS = Aim("score")

_FOLLOWS = (MoveChosen, TurnEnded, TurnPassed)  # what can follow from a throw, and be taken back

AimOf = Callable[[Game], Aim]
"""What the player at turn plays for."""


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
    """One turn of a player (a seat) in a round: its value at the start, its choices, and what it came to.

    result: None while the turn is on. beside: what was added from outside the turn: by a fault that ended it, by tiles
    that were moved while the box was off, or by what others threw in a race of single throws.
    """

    player: int
    round: int
    expected: float
    choices: tuple[Choice, ...] = ()
    result: float | None = None
    beside: float = 0.0

    @property
    def luck(self) -> float:
        """What nobody chose added to the value."""
        return self.beside + sum(choice.luck for choice in self.choices)

    @property
    def errors(self) -> float:
        """What the player's choices added to the value: in points at least 0, as a chance at most 0."""
        return sum(choice.dice_error + choice.error for choice in self.choices)


def as_played(events: Iterable[GameEvent]) -> list[GameEvent]:
    """The events without what was taken back."""
    kept: list[GameEvent] = []
    for event in events:
        if isinstance(event, ChoiceUndone):
            last = max(at for at, each in enumerate(kept) if isinstance(each, DiceThrown))
            del kept[next(at for at in range(last, len(kept)) if isinstance(kept[at], _FOLLOWS)) :]
        else:
            kept.append(event)
    return kept


def accounts_of(events: Iterable[GameEvent], odds: "Odds", aim_of: AimOf = lambda _: POINTS) -> tuple[Account, ...]:
    """The turns of one game in their order. A throw that was corrected counts as corrected.

    `odds` are those of the game's rules. What is noted of those who were beaten before they played is no turn.
    Raises `TooManyBoards`.
    """
    return reduce(_SoFar.after, events, _SoFar(odds, aim_of)).accounts


@dataclass(frozen=True, slots=True)
class _Thrown:
    """Dice that lie, and the game before they did: they may still be corrected."""

    game: Game
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _SoFar:
    """The accounts up to an event; `worth` is that of the board at which the turn under way stands."""

    odds: "Odds"
    aim_of: AimOf
    game: Game | None = None
    accounts: tuple[Account, ...] = ()
    worth: float = 0.0
    thrown: _Thrown | None = None

    def after(self, event: GameEvent) -> "_SoFar":
        """The accounts with one more event."""
        found, game = self, self.game
        match event:
            case DiceThrown(dice) if game is not None:
                found = replace(self._begun(game), thrown=_Thrown(game, dice))
            case ThrowCorrected(_, dice) if self.thrown is not None:
                found = replace(self, thrown=replace(self.thrown, dice=dice))
            case MoveChosen(tiles):
                found = self._settled(tiles)
            case BoardCorrected() if game is not None:
                found = self._corrected(game, evolve_box_game(game, event))
            case TurnEnded(player) if game is not None:
                found = self._settled(())._ended(game, player)
        return replace(found, game=evolve_box_game(game, event))

    @property
    def _open(self) -> Account | None:
        """The turn under way."""
        return self.accounts[-1] if self.accounts and self.accounts[-1].result is None else None

    def _begun(self, game: Game) -> "_SoFar":
        """With an account of the turn that this throw belongs to."""
        if self._open is not None and self._open.player == game.turn:
            return self
        worth = self.odds.before(game.board, self.aim_of(game)).value
        return replace(self, accounts=(*self.accounts, Account(game.turn, game.match.round, worth)), worth=worth)

    def _settled(self, tiles: tuple[str, ...]) -> "_SoFar":
        """With the throw that lies, and what was made of it."""
        if self.thrown is None or self._open is None:
            return self
        game, throw = self.thrown.game, Throw(self.thrown.dice)
        choice, worth = self._choice(game.board, throw, tiles, self.aim_of(game))
        account = replace(self._open, choices=(*self._open.choices, choice))
        return replace(self, accounts=(*self.accounts[:-1], account), worth=worth, thrown=None)

    def _choice(self, board: Board, throw: Throw, tiles: tuple[str, ...], aim: Aim) -> tuple[Choice, float]:
        """The choice, and the value of the board after it."""
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
        """With another board in the turn under way; a throw that lies is then one on that board."""
        if self._open is None or self._open.player != before.turn:
            return self
        thrown = self.thrown if not after.board.is_shut else None
        if thrown is not None:
            thrown = replace(thrown, game=replace(thrown.game, board=after.board))
        worth = self.odds.before(after.board, self.aim_of(after)).value
        account = replace(self._open, beside=self._open.beside + _gap(worth, self.worth))
        return replace(self, accounts=(*self.accounts[:-1], account), worth=worth, thrown=thrown)

    def _ended(self, game: Game, player: int) -> "_SoFar":
        """With what the turn under way came to."""
        if self._open is None or self._open.player != player:
            return self
        result = self.aim_of(game).end(self.odds.rules, game.board)
        account = replace(self._open, result=result, beside=self._open.beside + _gap(result, self.worth))
        return replace(self, accounts=(*self.accounts[:-1], account))


def _gap(value: float, other: float) -> float:
    """The difference of two values of the odds; 0 where it is no more than rounding (as in `controller.odds.best`)."""
    return 0.0 if math.isclose(value, other, rel_tol=1e-13, abs_tol=1e-12) else value - other
