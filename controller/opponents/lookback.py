"""A look back on a game: its turns in points and in chances to win, and the sums of each player.

Pages and the command line import these values to show them, so code that needs NumPy is imported when it is used.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial, reduce
from pathlib import Path
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
from controller.game.shutbox.evolve import evolve_box_game, replay_box_game
from controller.game.shutbox.state import Game
from controller.game.table.questions import check_hints
from controller.odds.shutbox.aim import Aim
from controller.odds.work import MOST_BOARDS_AT_ONCE, TooManyBoards
from controller.rules.board import Board
from controller.rules.errors import InvalidOption
from controller.rules.throw import Throw

if TYPE_CHECKING:
    from controller.odds.shutbox.advice import Odds
    from controller.odds.shutbox.seats import Seats

POINTS = Aim("score")
QUICK_BOARDS = MOST_BOARDS_AT_ONCE  # for somebody who waits for the answer

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


@dataclass(frozen=True, slots=True)
class Share:
    """What one player's turns came to in points: result = expected + luck + errors. Luck below 0 is good luck."""

    name: str
    expected: float
    luck: float
    errors: float
    result: float


@dataclass(frozen=True, slots=True)
class LookBack:
    """A look back on one game.

    points: every turn in points.
    wins: the same turns as chances to win, if players play to win and the odds can be calculated; else empty.
    shares: by seat.
    missing: the reason why there are no odds; empty if there are.
    """

    points: tuple[Account, ...] = ()
    wins: tuple[Account, ...] = ()
    shares: tuple[Share, ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class TurnStory:
    """One turn as it is told; what its fields mean stands at `Account`."""

    player: str
    round: int
    expected: float
    choices: tuple[Choice, ...]
    result: float | None
    beside: float
    luck: float
    errors: float


@dataclass(frozen=True, slots=True)
class GameStory:
    """One game told turn by turn, with all that its players need no journal to understand; see `LookBack`."""

    game_id: int
    game: str
    players: tuple[str, ...]
    turns: tuple[TurnStory, ...]
    wins: tuple[TurnStory, ...]
    shares: tuple[Share, ...]
    missing: str


def story_of(game_id: int, game: Game, back: LookBack) -> GameStory:
    """Return the look back on this game with the names of its players."""
    players = tuple(player.name for player in game.players)
    turns, wins = (
        tuple(
            TurnStory(
                player=players[turn.player],
                round=turn.round,
                expected=turn.expected,
                choices=turn.choices,
                result=turn.result,
                beside=turn.beside,
                luck=turn.luck,
                errors=turn.errors,
            )
            for turn in accounts
        )
        for accounts in (back.points, back.wins)
    )
    return GameStory(game_id, game.rules.preset.name, players, turns, wins, back.shares, back.missing)


def look_back(
    events: Sequence[GameEvent], folder: Path | None = None, most_boards: int | None = None, *, wins: bool = True
) -> LookBack:
    """Look back on one game, from its first event on; a turn in progress is included as far as it went.

    folder: where the tables of big games are kept.
    most_boards: for a game with more boards nothing is calculated.
    wins: also as chances to win.
    Raises `NotNow` for a game that tells no odds: they would reveal which choices to take back.
    """
    from controller.odds.shutbox.advice import odds_of
    from controller.odds.shutbox.model import boards_of
    from controller.odds.shutbox.seats import seats_of

    events = as_played(events)
    game = replay_box_game(events)
    if game is None:
        return LookBack()
    check_hints(are_told=game.tells_odds)
    try:
        boards = boards_of(game.rules, game.rules.start())
        if most_boards is not None and boards > most_boards:
            raise TooManyBoards(boards, most_boards)
        if game.rules.terms.race == "rotation" and len(game.players) > 1:
            points = _race_accounts(events, seats_of(game.rules, folder=folder))
            return LookBack(points, (), shares_of(game, points))
        points = accounts_of(events, odds_of(game.rules, folder=folder))
    except (InvalidOption, TooManyBoards, MemoryError) as error:
        return LookBack(missing=str(error))
    return LookBack(points, _wins(events, game, folder) if wins else (), shares_of(game, points))


def shares_of(game: Game, accounts: Sequence[Account]) -> tuple[Share, ...]:
    """Return the sums of finished turns, by seat."""
    found = []
    for seat, player in enumerate(game.players):
        mine = [account for account in accounts if account.player == seat and account.result is not None]
        share = Share(
            player.name,
            expected=math.fsum(account.expected for account in mine),
            luck=math.fsum(account.luck for account in mine),
            errors=math.fsum(account.errors for account in mine),
            result=math.fsum(account.result for account in mine if account.result is not None),
        )
        found.append(share)
    return tuple(found)


def _wins(events: Sequence[GameEvent], game: Game, folder: Path | None) -> tuple[Account, ...]:
    from controller.odds.shutbox.advice import odds_of
    from controller.odds.shutbox.seats import seats_of

    if len(game.players) == 1 or game.rules.terms.has_running_totals:
        return ()
    from controller.opponents.house import round_state_of, rules_to_win

    try:
        # For the round and for its play-offs, which each solve their game once.
        seats = cache(partial(seats_of, folder=folder))
        # Without the folder, which tables of big games would fill: one for every score to beat.
        odds = odds_of(game.rules)
        return accounts_of(events, odds, lambda at: seats(rules_to_win(at)).aim(round_state_of(at)))
    except (InvalidOption, TooManyBoards, MemoryError):
        return ()


def _race_accounts(events: Sequence[GameEvent], seats: "Seats") -> tuple[Account, ...]:
    """Return the accounts of a race of single throws, in which nobody chooses: all that was not expected is luck."""
    found: list[Account] = []
    waiting: dict[int, Account] = {}
    game: Game | None = None
    for event in events:
        if isinstance(event, DiceThrown) and game is not None and not waiting:
            # A round begins. A player who does not win it has the score of the start.
            behind, order = game.rules.score(game.rules.start()), game.match.order
            waiting = {
                seat: Account(seat, game.match.round, behind * (1 - chance))
                for seat, chance in zip(order, seats.by_seat(len(order)), strict=True)
            }
        if isinstance(event, TurnEnded) and event.player in waiting:
            account = waiting.pop(event.player)
            found.append(replace(account, result=float(event.score), beside=event.score - account.expected))
        game = evolve_box_game(game, event)
    return (*found, *waiting.values())
