"""What the last games say of their players, tiles and dice, and the records of those who played alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query

from controller.game import LONGEST_NAME
from controller.journal import records_of
from controller.odds import MOST_BOARDS_AT_ONCE
from controller.rules import Value
from controller.settings import Home
from controller.strategy import (
    Fairness,
    PlayerStatistics,
    TileStatistics,
    count_tiles,
    faces_by_sides,
    fairness_of,
    statistics_of,
)
from controller.web.gate import GatedRoute
from controller.web.lookups import open_games
from controller.web.provided import TheLookups

# The last so many games are looked at: `shutbox scores` and `shutbox dice` look at all there are.
_GAMES_BY_ODDS = 200
_GAMES_COUNTED = 1000
_RECORDS_A_PAGE = 100

router = APIRouter(route_class=GatedRoute)

PlayerName = Annotated[str | None, Query(max_length=LONGEST_NAME, description="only this player's")]


@dataclass(frozen=True, slots=True)
class PlayersPage:
    """Every player at every game, in the order in which they came to play; of the last so many games."""

    games: int
    players: tuple[PlayerStatistics, ...]


@dataclass(frozen=True, slots=True)
class RecordView:
    """The record of one player alone at one game with the same options: how often, his best, mean and last score."""

    player: str
    game: str
    options: Mapping[str, Value]
    games: int
    best: int
    mean: float
    shut: int
    last: int


@dataclass(frozen=True, slots=True)
class RecordsPage:
    """Some of the records, in the order of their first game; `count` is that of all."""

    count: int
    records: tuple[RecordView, ...]


@dataclass(frozen=True, slots=True)
class DiceView:
    """What the throws say of the dice with so many sides; see `Fairness`. counts: by face, from 1."""

    sides: int
    dice: int
    counts: tuple[int, ...]
    fair: bool
    p: float
    face: int | None


@router.get("/api/statistics")
async def statistics(lookups: TheLookups, player: PlayerName = None) -> PlayersPage:
    """What everybody has played of late: games, wins, scores, and what dice and choices cost by the odds."""
    found = await lookups.recall(_count_players)
    if player is None:
        return found
    return PlayersPage(found.games, tuple(each for each in found.players if each.player == player))


@router.get("/api/statistics/records")
async def records(
    lookups: TheLookups,
    player: PlayerName = None,
    offset: Annotated[int, Query(ge=0, le=2**31)] = 0,
) -> RecordsPage:
    """The records of those who played alone, of all games; 100 at most, from there on."""
    found = await lookups.recall(_list_records)
    mine = [each for each in found if player is None or each.player == player]
    return RecordsPage(len(mine), tuple(mine[offset : offset + _RECORDS_A_PAGE]))


@router.get("/api/statistics/tiles")
async def tiles(lookups: TheLookups) -> tuple[TileStatistics, ...]:
    """Every tile of every game of late: in how many turns it stood at the start, and in how many it was shut."""
    return await lookups.recall(_count_tiles)


@router.get("/api/statistics/dice")
async def dice(lookups: TheLookups) -> tuple[DiceView, ...]:
    """Are the dice fair? By every throw of late; it may be asked after every one of them."""
    return await lookups.recall(_judge_dice)


def _count_players(home: Home) -> PlayersPage:
    with open_games(home) as journal:
        games = list(journal.games(_GAMES_BY_ODDS))
    found = statistics_of(games, home.odds, MOST_BOARDS_AT_ONCE).players
    return PlayersPage(len(games), tuple(player for player in found if player.turns))


def _list_records(home: Home) -> tuple[RecordView, ...]:
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


def _count_tiles(home: Home) -> tuple[TileStatistics, ...]:
    with open_games(home) as journal:
        return count_tiles(journal.games(_GAMES_COUNTED))


def _judge_dice(home: Home) -> tuple[DiceView, ...]:
    with open_games(home) as journal:
        thrown = faces_by_sides(journal.games(_GAMES_COUNTED))
    return tuple(_dice_view(sides, fairness_of(faces, sides)) for sides, faces in thrown.items())


def _dice_view(sides: int, found: Fairness) -> DiceView:
    return DiceView(sides, found.dice, found.counts, not found.is_unfair, found.p, found.face)
