"""A game looked back on, as data: its turns in points and in chances to win, and what that comes to a player.

Which turns there are and what they say is worked out in `account.py`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import controller.odds
from controller.errors import NotNow
from controller.game import (
    NO_HINTS,
    DiceThrown,
    Game,
    GameEvent,
    TurnEnded,
    evolve_box_game,
    replay_box_game,
)
from controller.odds import TooManyBoards
from controller.rules import InvalidOption, Ruleset
from controller.strategy.account import Account, Choice, accounts_of, as_played
from controller.strategy.stand import rules_to_win, stand_of

if TYPE_CHECKING:
    from controller.odds import Seats


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
    """One game looked back on.

    points: every turn in points. wins: the same turns as chances to win, where players play for that and the odds know
    it; else empty. shares: by seat. missing: why there are no odds to look back by; empty where there are.
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
    """What was found by looking back on this game, with the names of its players."""
    players = tuple(player.name for player in game.players)
    turns, wins = (tuple(_turn_story(each, players) for each in told) for told in (back.points, back.wins))
    return GameStory(game_id, game.rules.preset.name, players, turns, wins, back.shares, back.missing)


def _turn_story(turn: Account, players: Sequence[str]) -> TurnStory:
    name = players[turn.player]
    return TurnStory(name, turn.round, turn.expected, turn.choices, turn.result, turn.beside, turn.luck, turn.errors)


def look_back(
    events: Sequence[GameEvent], folder: Path | None = None, most_boards: int | None = None, *, wins: bool = True
) -> LookBack:
    """Look back on one game, from its first event on; turns that are not over are told as far as they went.

    folder: keeps the tables of big games. most_boards: of a game with more boards than this nothing is worked out.
    wins: as chances to win, too. Raises `NotNow` for a game that tells no odds: they would say what to take back.
    """
    events = as_played(events)
    game = replay_box_game(events)
    if game is None:
        return LookBack()
    if not game.tells_odds:
        raise NotNow(NO_HINTS)
    try:
        _check_boards(game.rules, most_boards)
        if game.rules.terms.race == "rotation" and len(game.players) > 1:
            points = _race_accounts(events, controller.odds.seats_of(game.rules, folder=folder))
            return LookBack(points, (), shares_of(game, points))
        points = accounts_of(events, controller.odds.odds_of(game.rules, folder=folder))
    except (InvalidOption, TooManyBoards, MemoryError) as error:
        return LookBack(missing=str(error))
    return LookBack(points, _wins(events, game, folder) if wins else (), shares_of(game, points))


def _check_boards(rules: Ruleset, most: int | None) -> None:
    """Raise `TooManyBoards` for a game with more boards than `most`; None: any number will do."""
    boards = controller.odds.boards_of(rules, rules.start())
    if most is not None and boards > most:
        raise TooManyBoards(boards, most)


def shares_of(game: Game, accounts: Sequence[Account]) -> tuple[Share, ...]:
    """What finished turns came to, by seat."""
    return tuple(_share(player.name, accounts, seat) for seat, player in enumerate(game.players))


def _share(name: str, accounts: Sequence[Account], seat: int) -> Share:
    mine = [account for account in accounts if account.player == seat and account.result is not None]
    return Share(
        name,
        math.fsum(account.expected for account in mine),
        math.fsum(account.luck for account in mine),
        math.fsum(account.errors for account in mine),
        math.fsum(account.result for account in mine if account.result is not None),
    )


def _wins(events: Sequence[GameEvent], game: Game, folder: Path | None) -> tuple[Account, ...]:
    if len(game.players) == 1 or game.rules.terms.has_running_totals:
        return ()
    try:
        # Of the round and of its play-offs: each solves its game once.
        seats = cache(partial(controller.odds.seats_of, folder=folder))
        # Without the folder: tables of big games would fill it, one for every score to beat.
        odds = controller.odds.odds_of(game.rules)
        return accounts_of(events, odds, lambda at: seats(rules_to_win(at)).aim(stand_of(at)))
    except (InvalidOption, TooManyBoards, MemoryError):
        return ()


def _race_accounts(events: Sequence[GameEvent], seats: "Seats") -> tuple[Account, ...]:
    """A race of single throws, where nobody chooses: what was not expected is luck, one's own and that of others."""
    found: list[Account] = []
    waiting: dict[int, Account] = {}
    game: Game | None = None
    for event in events:
        if isinstance(event, DiceThrown) and game is not None and not waiting:
            waiting = _race_begun(game, seats)
        if isinstance(event, TurnEnded) and event.player in waiting:
            account = waiting.pop(event.player)
            found.append(replace(account, result=float(event.score), beside=event.score - account.expected))
        game = evolve_box_game(game, event)
    return (*found, *waiting.values())


def _race_begun(game: Game, seats: "Seats") -> dict[int, Account]:
    """The accounts of a round of which nobody has thrown: who does not win it has the score of the start."""
    behind = game.rules.score(game.rules.start())
    order = game.match.order
    chances = seats.by_seat(len(order))
    return {
        seat: Account(seat, game.match.round, behind * (1 - chance))
        for seat, chance in zip(order, chances, strict=True)
    }
