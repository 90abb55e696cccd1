"""The games that were played here: which, move by move, and what luck and choices came to by the odds."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from controller.errors import JournalError
from controller.journal import GameRow, Journal, TurnRow, tell_rows
from controller.settings import Home
from controller.strategy import GameStory
from controller.web.gate import GatedRoute
from controller.web.lookups import open_games
from controller.web.played import no_game, tell_luck
from controller.web.provided import TheLookups, come_to

_GAMES_A_PAGE = 50
_ROWS_A_PAGE = 500
_LAST_ID = 2**63 - 1  # the greatest number that a journal has

router = APIRouter(route_class=GatedRoute)

GameId = Annotated[int, Path(ge=1, le=_LAST_ID, description="the number of a game in the journal")]
Offset = Annotated[int, Query(ge=0, le=_LAST_ID)]


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Some of the games, the last one first; `count` is that of all.

    unreadable: those of them whose events fit no game. before: ask for games before this one next; None: there is none.
    """

    count: int
    games: tuple[GameRow, ...]
    unreadable: tuple[int, ...]
    before: int | None


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game, and some of its throws, choices and scores in their order; `count` is that of all."""

    game: GameRow
    count: int
    rows: tuple[TurnRow, ...]


@router.get("/api/history")
async def history(
    lookups: TheLookups,
    before: Annotated[int, Query(ge=1, le=_LAST_ID)] = _LAST_ID,
    limit: Annotated[int, Query(ge=1, le=_GAMES_A_PAGE)] = 20,
) -> HistoryPage:
    """The games before that one, the last one first: when, which, by whom, and who won."""
    return await lookups.ask(_list_games, before, limit)


@router.get("/api/history/{game_id}")
async def game_played(game_id: GameId, lookups: TheLookups, offset: Offset = 0) -> PlayedGame:
    """One game move by move: 500 throws, choices and scores at most, from there on. What was taken back is marked."""
    return await lookups.ask(_tell_game, game_id, offset)


@router.get("/api/history/{game_id}/luck")
async def game_luck(request: Request, game_id: GameId, lookups: TheLookups) -> GameStory:
    """One game looked back on by the exact odds: what the dice gave in each throw, and what each choice cost.

    In points; `wins` is left empty here. `missing` says why, where the odds of a game cannot be worked out quickly. 409
    while a game is on in which, as agreed, nobody is told odds.
    """
    return await lookups.recall(tell_luck, game_id, come_to(request, game_id))


def _list_games(home: Home, before: int, limit: int) -> HistoryPage:
    with open_games(home) as journal:
        ids = journal.game_ids()
        asked = [each for each in reversed(ids) if each < before]
        shown = asked[:limit]
        rows = {each: _row_of(journal, each) for each in shown}
    return HistoryPage(
        len(ids),
        tuple(row for row in rows.values() if row is not None),
        tuple(game_id for game_id, row in rows.items() if row is None),
        shown[-1] if len(asked) > limit else None,
    )


def _row_of(journal: Journal, game_id: int) -> GameRow | None:
    try:
        told = tell_rows(journal, game_id)
    except JournalError:
        return None
    return told[0] if told is not None else None


def _tell_game(home: Home, game_id: int, offset: int) -> PlayedGame:
    with open_games(home) as journal:
        told = tell_rows(journal, game_id)
    if told is None:
        raise no_game(game_id)
    game, rows = told
    return PlayedGame(game, len(rows), tuple(rows[offset : offset + _ROWS_A_PAGE]))
