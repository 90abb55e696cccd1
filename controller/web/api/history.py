"""The games that were played here: the list, one game move by move, and its luck and choices by the odds."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import PlainTextResponse

from controller.journal.export import GameRow, ThrowRow
from controller.opponents.lookback import Choice, GameStory, Share, TurnStory
from controller.web.api.examples import BOARD, EVENT, GAME_ID, Example, example
from controller.web.dependencies import TheLookups, latest_event
from controller.web.played import HistoryPage, PlayedGame, game_luck_of, list_games_played, record_of_game, tell_game
from controller.web.security.principal import AuthorizedRoute

_GAMES_A_PAGE = 50
_LAST_ID = 2**63 - 1  # the greatest number that SQLite stores

router = APIRouter(route_class=AuthorizedRoute)

GameId = Annotated[int, Path(ge=1, le=_LAST_ID, description="the number of a game in the journal")]
Offset = Annotated[int, Query(ge=0, le=_LAST_ID)]


_THROW = {
    "game": GAME_ID,
    "event": EVENT,
    "at": "2026-11-24T20:00:09+00:00",
    "round": 1,
    "player": "Ann",
    "purpose": "turn",
    "dice": (5, 3),
    "source": "camera",
}
_BEST_CHOICE = Choice(BOARD, (5, 3), ("front-8",), (("front-8",),), -1.97, 0.0, 0.0)


def _game_row() -> GameRow:
    return GameRow(
        game=GAME_ID,
        box="two-level-9",
        began="2026-11-24T20:00:01+00:00",
        ended="2026-11-24T20:09:30+00:00",
        name="pub",
        options={"tiles": 9},
        players=("Ann", "Bob"),
        house=(),
        rounds=1,
        outcome="won",
        winners=("Ann",),
    )


@router.get("/api/history")
@example(lambda: Example({"before": 13, "limit": 20}, answer=HistoryPage(GAME_ID, (_game_row(),), (), None)))
async def history(
    lookups: TheLookups,
    before: Annotated[int, Query(ge=1, le=_LAST_ID)] = _LAST_ID,
    limit: Annotated[int, Query(ge=1, le=_GAMES_A_PAGE)] = 20,
) -> HistoryPage:
    """The games before that one, the most recent first: time, game, players and winners."""
    return await lookups.ask(list_games_played, before, limit)


@router.get("/api/history/{game_id}")
@example(
    lambda: Example(
        {"game_id": GAME_ID, "offset": 0},
        answer=PlayedGame(_game_row(), 1, (ThrowRow.model_validate(_THROW),)),
    )
)
async def game_played(game_id: GameId, lookups: TheLookups, offset: Offset = 0) -> PlayedGame:
    """One game move by move: at most 500 throws, choices and scores from `offset` on. Undone ones are marked."""
    return await lookups.ask(tell_game, game_id, offset)


@router.get("/api/history/{game_id}/record", response_class=PlainTextResponse)
@example(lambda: Example({"game_id": GAME_ID}))
async def game_record(game_id: GameId, lookups: TheLookups) -> PlainTextResponse:
    """One game as text, in the notation of docs/reference/stn.md, as a file to keep."""
    text = await lookups.ask(record_of_game, game_id)
    headers = {"Content-Disposition": f'attachment; filename="shutbox-{game_id}.stn"'}
    return PlainTextResponse(text, headers=headers)


@router.get("/api/history/{game_id}/luck")
@example(
    lambda: Example(
        {"game_id": GAME_ID},
        answer=GameStory(
            GAME_ID,
            "pub",
            ("Ann",),
            (TurnStory("Ann", 1, 11.01, (_BEST_CHOICE,), 9.0, 0.0, -2.01, 0.0),),
            (),
            (Share("Ann", 11.01, -2.01, 0.0, 9.0),),
            "",
        ),
    )
)
async def game_luck(request: Request, game_id: GameId, lookups: TheLookups) -> GameStory:
    """One game analysed by the exact odds: the luck of each throw, and the cost of each choice, in points.

    `wins` is left empty here. `missing` gives the reason if the odds of a game cannot be computed quickly. 409 while a
    game is on in which, as agreed, no odds are shown.
    """
    return await lookups.recall(game_luck_of, game_id, latest_event(request, game_id))
