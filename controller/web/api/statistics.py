"""Statistics of the last games, by player, tile and die, and the records of single players."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query

from controller.game.core.players import LONGEST_NAME
from controller.opponents.statistics import PlayerStatistics, TileStatistics
from controller.web.api.examples import Example, example
from controller.web.dependencies import TheLookups
from controller.web.played import (
    DiceView,
    PlayersPage,
    RecordView,
    count_players,
    count_turns_of_tiles,
    judge_dice,
    list_records,
)
from controller.web.security.principal import AuthorizedRoute

_RECORDS_A_PAGE = 100

router = APIRouter(route_class=AuthorizedRoute)

PlayerName = Annotated[str | None, Query(max_length=LONGEST_NAME, description="only this player's")]


@dataclass(frozen=True, slots=True)
class RecordsPage:
    """Some of the records, in the order of their first game; `count` is the number of all records."""

    count: int
    records: tuple[RecordView, ...]


@router.get("/api/statistics")
@example(
    lambda: Example(
        {"player": "Ann"}, answer=PlayersPage(12, (PlayerStatistics("Ann", "pub", 12, 7, 12, 9.5, 0, -0.4, 0.7),))
    )
)
async def statistics(lookups: TheLookups, player: PlayerName = None) -> PlayersPage:
    """The recent games of every player: games, wins, scores, and the cost of dice and choices by the odds."""
    found = await lookups.recall(count_players)
    if player is None:
        return found
    return PlayersPage(found.games, tuple(each for each in found.players if each.player == player))


@router.get("/api/statistics/records")
@example(
    lambda: Example(
        {"player": "Ann", "offset": 0},
        answer=RecordsPage(1, (RecordView("Ann", "pub", {"tiles": 12}, 5, 3, 14.2, 0, 9),)),
    )
)
async def records(
    lookups: TheLookups, player: PlayerName = None, offset: Annotated[int, Query(ge=0, le=2**31)] = 0
) -> RecordsPage:
    """The records of single players, from all games; at most 100 from `offset` on."""
    found = await lookups.recall(list_records)
    mine = [each for each in found if player is None or each.player == player]
    return RecordsPage(len(mine), tuple(mine[offset : offset + _RECORDS_A_PAGE]))


@router.get("/api/statistics/tiles")
@example(lambda: Example(answer=[TileStatistics("pub", "front-9", 24, 15)]))
async def tiles(lookups: TheLookups) -> tuple[TileStatistics, ...]:
    """Every tile of the recent games: in how many turns it stood at the start, and in how many it was shut."""
    return await lookups.recall(count_turns_of_tiles)


@router.get("/api/statistics/dice")
@example(lambda: Example(answer=[DiceView(6, 60, (9, 11, 10, 8, 12, 10), True, 1.0, 5)]))
async def dice(lookups: TheLookups) -> tuple[DiceView, ...]:
    """The fairness of the dice, by every recent throw; it may be requested after each throw."""
    return await lookups.recall(judge_dice)
