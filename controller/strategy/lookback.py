"""A look back on a game: its turns in points and in chances to win, and the sums of each player.

Pages and the command line import these values to show them, so code that needs NumPy is imported when it is used.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from controller.errors import NotNow
from controller.game.core.events import GameEvent
from controller.game.shutbox.events import DiceThrown, TurnEnded
from controller.game.shutbox.evolve import evolve_box_game, replay_box_game
from controller.game.shutbox.state import Game
from controller.game.table.questions import NO_HINTS
from controller.odds.errors import TooManyBoards
from controller.rules.errors import InvalidOption
from controller.strategy.account import Account, Choice, accounts_of, as_played

if TYPE_CHECKING:
    from controller.odds.stand import Seats


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
    from controller.odds.advice import odds_of
    from controller.odds.model import boards_of
    from controller.odds.seats import seats_of

    events = as_played(events)
    game = replay_box_game(events)
    if game is None:
        return LookBack()
    if not game.tells_odds:
        raise NotNow(NO_HINTS)
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
    from controller.odds.advice import odds_of
    from controller.odds.seats import seats_of

    if len(game.players) == 1 or game.rules.terms.has_running_totals:
        return ()
    from controller.strategy.stand import round_state_of, rules_to_win

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
