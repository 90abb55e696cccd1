"""The games that were played here, for the API and the pages: read from the journal in functions that `Lookups` calls.

There is one function for each question; each reads the journal afresh.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.errors import NotThere
from controller.game.core.engine import AnyGame
from controller.game.shutbox.state import Game
from controller.journal.records import records_of
from controller.journal.replay import games_of, replay_game
from controller.journal.store import Entry
from controller.opponents.fairness import fairness_of
from controller.opponents.lookback import QUICK_BOARDS, GameStory, look_back, story_of
from controller.opponents.statistics import PlayerStatistics, faces_by_sides, statistics_of
from controller.rules.options import Value
from controller.settings import Home
from controller.web.lookups import open_games

# Only the most recent games are read; `shutbox scores` and `shutbox dice` read all of them.
_GAMES_BY_ODDS = 200
GAMES_COUNTED = 1000


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
            each.player,
            each.game,
            each.options,
            len(each.scores),
            each.best,
            each.mean,
            each.shut,
            each.scores[-1],
        )
        for each in found
    )


def judge_dice(home: Home) -> tuple[DiceView, ...]:
    """Return the fairness of the dice of the last games, by the number of their sides."""
    with open_games(home) as journal:
        thrown = faces_by_sides(games_of(journal, GAMES_COUNTED))
    judged = [(sides, fairness_of(faces, sides)) for sides, faces in thrown.items()]
    return tuple(
        DiceView(sides, found.dice, found.counts, not found.is_unfair, found.p, found.face) for sides, found in judged
    )


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
        raise no_game(game_id)
    return entries, game


def no_game(game_id: int) -> NotThere:
    return NotThere(f"there is no game {game_id}; GET /api/history lists them")
