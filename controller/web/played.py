"""The games that were played here, for the API and the pages: read from the journal in functions that `Lookups` calls.

There is one function for each question; each reads the journal afresh.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from controller.errors import JournalError, NotThere
from controller.game.core.engine import AnyGame
from controller.game.shutbox.state import Game
from controller.journal.export import GameRow, TurnRow, rows_of_game
from controller.journal.records import records_of
from controller.journal.replay import games_of, replay_game
from controller.journal.stn import record_from
from controller.journal.store import Entry
from controller.opponents.fairness import fairness_of
from controller.opponents.lookback import QUICK_BOARDS, GameStory, look_back, story_of
from controller.opponents.statistics import PlayerStatistics, TileStatistics, count_tiles, faces_by_sides, statistics_of
from controller.rules.options import Value
from controller.runtime.home import Home
from controller.web.lookups import open_games

# Only the most recent games are read; `shutbox scores` and `shutbox dice` read all of them.
_GAMES_BY_ODDS = 200
_GAMES_COUNTED = 1000
_ROWS_A_PAGE = 500


@dataclass(frozen=True, slots=True)
class PlayersPage:
    """Every player of every game, in the order of their first game; from the last `games` games."""

    games: int
    players: tuple[PlayerStatistics, ...]


@dataclass(frozen=True, slots=True)
class RecordView:
    """The record of one player alone at one game with the same options: number of games, best, mean and last score."""

    player: str
    game: str
    options: Mapping[str, Value]
    games: int
    best: int
    mean: float
    shut: int
    last: int


@dataclass(frozen=True, slots=True)
class DiceView:
    """The fairness of the dice with this number of sides, by their throws. counts: by face, from 1."""

    sides: int
    dice: int
    counts: tuple[int, ...]
    fair: bool
    p: float
    face: int | None


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some of the games, the most recent first; `count` is the number of all games.

    unreadable: those whose events cannot be replayed. before: request games before this one next; None: there are none.
    """

    count: int
    games: tuple[GameRow, ...]
    unreadable: tuple[int, ...]
    before: int | None


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game, and some of its throws, choices and scores in order; `count` is the number of all of them."""

    game: GameRow
    count: int
    rows: tuple[TurnRow, ...]


def count_players(home: Home) -> PlayersPage:
    """Return the players of the last games, with their statistics."""
    with open_games(home) as journal:
        games = list(games_of(journal, _GAMES_BY_ODDS))
    found = statistics_of(games, home.odds, QUICK_BOARDS).players
    return PlayersPage(len(games), tuple(player for player in found if player.has_played))


def list_records(home: Home) -> tuple[RecordView, ...]:
    """Return the records of single players, from all games."""
    with open_games(home) as journal:
        found = records_of(journal)
    return tuple(
        RecordView(
            each.player, each.game, each.options, len(each.scores), each.best, each.mean, each.shut, each.scores[-1]
        )
        for each in found
    )


def judge_dice(home: Home) -> tuple[DiceView, ...]:
    """Return the fairness of the dice of the last games, by the number of their sides."""
    with open_games(home) as journal:
        thrown = faces_by_sides(games_of(journal, _GAMES_COUNTED))
    judged = [(sides, fairness_of(faces, sides)) for sides, faces in thrown.items()]
    return tuple(
        DiceView(sides, found.dice, found.counts, not found.is_unfair, found.p, found.face) for sides, found in judged
    )


def count_turns_of_tiles(home: Home) -> tuple[TileStatistics, ...]:
    """Return the statistics of every tile in the last games."""
    with open_games(home) as journal:
        return count_tiles(games_of(journal, _GAMES_COUNTED))


def list_games_played(home: Home, before: int, limit: int) -> HistoryPage:
    """Return at most `limit` of the games before that one."""
    with open_games(home) as journal:
        ids = journal.game_ids()
        asked = [each for each in reversed(ids) if each < before]
        shown = asked[:limit]
        rows: list[GameRow] = []
        unreadable: list[int] = []
        for game_id in shown:
            told = None
            with suppress(JournalError):
                told = rows_of_game(journal, game_id)
            if told is None:
                unreadable.append(game_id)
            else:
                rows.append(told[0])
    before_next = shown[-1] if len(asked) > limit else None
    return HistoryPage(len(ids), tuple(rows), tuple(unreadable), before_next)


def tell_game(home: Home, game_id: int, offset: int) -> PlayedGame:
    """Return one game and its rows from `offset` on. Raises `NotThere` and `JournalError`."""
    with open_games(home) as journal:
        told = rows_of_game(journal, game_id)
    if told is None:
        raise _no_game(game_id)
    game, rows = told
    return PlayedGame(game, len(rows), tuple(rows[offset : offset + _ROWS_A_PAGE]))


def game_luck_of(home: Home, game_id: int, _as_of: int) -> GameStory:
    """Return one game by the exact odds, as far as they can be computed quickly. Raises as `read_game` and `look_back`.

    _as_of: `latest_event` of the game. It makes each event a new question, so that no older answer is reused.
    """
    entries, game = read_game(home, game_id)
    if not isinstance(game, Game):
        raise NotThere(f"game {game_id} is a race, in which luck is not counted")
    events = [entry.event for entry in entries]
    return story_of(game_id, game, look_back(events, home.odds, QUICK_BOARDS, wins=False))


def read_game(home: Home, game_id: int) -> tuple[Sequence[Entry], AnyGame]:
    """Return the events of one game and its state after them.

    Raises `NotThere`, `JournalDamaged`, and `JournalDiffers`.
    """
    with open_games(home) as journal:
        entries = journal.entries(game_id)
    game = replay_game(game_id, entries)
    if game is None:
        raise _no_game(game_id)
    return entries, game


def record_of_game(home: Home, game_id: int) -> str:
    """Return one game as text. Raises `NotThere`, `JournalDamaged`, and `RecordError`."""
    with open_games(home) as journal:
        if game_id not in journal.game_ids():
            raise _no_game(game_id)
        return record_from(journal, game_id)


def _no_game(game_id: int) -> NotThere:
    return NotThere(f"there is no game {game_id}; GET /api/history lists them")
