"""The games that were played here: the list, one game move by move, and its luck and choices by the odds."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request

from controller.errors import JournalError
from controller.journal.export import GameRow, ThrowRow, TurnRow, rows_of_game
from controller.opponents.lookback import Choice, GameStory, Share, TurnStory
from controller.settings import Home
from controller.web.api.examples import BOARD, EVENT, GAME_ID, Example, example
from controller.web.dependencies import TheLookups, latest_event
from controller.web.lookups import open_games
from controller.web.played import game_luck_of, no_game
from controller.web.security.principal import AuthorizedRoute

_GAMES_A_PAGE = 50
_ROWS_A_PAGE = 500
_LAST_ID = 2**63 - 1  # the greatest number that SQLite stores

router = APIRouter(route_class=AuthorizedRoute)

GameId = Annotated[int, Path(ge=1, le=_LAST_ID, description="the number of a game in the journal")]
Offset = Annotated[int, Query(ge=0, le=_LAST_ID)]


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


def _game_example() -> Example:
    about = {"game": GAME_ID, "event": EVENT, "at": "2026-11-24T20:00:09+00:00", "round": 1, "player": "Ann"}
    throw = ThrowRow.model_validate({**about, "purpose": "turn", "dice": (5, 3), "source": "camera"})
    return Example({"game_id": GAME_ID, "offset": 0}, answer=PlayedGame(_game_row(), 1, (throw,)))


def _luck_example() -> Example:
    choice = Choice(BOARD, (5, 3), ("front-8",), (("front-8",),), -1.97, 0.0, 0.0)
    turn = TurnStory("Ann", 1, 11.01, (choice,), 9.0, 0.0, -2.01, 0.0)
    share = Share("Ann", 11.01, -2.01, 0.0, 9.0)
    return Example({"game_id": GAME_ID}, answer=GameStory(GAME_ID, "pub", ("Ann",), (turn,), (), (share,), ""))


@router.get("/api/history")
@example(lambda: Example({"before": 13, "limit": 20}, answer=HistoryPage(GAME_ID, (_game_row(),), (), None)))
async def history(
    lookups: TheLookups,
    before: Annotated[int, Query(ge=1, le=_LAST_ID)] = _LAST_ID,
    limit: Annotated[int, Query(ge=1, le=_GAMES_A_PAGE)] = 20,
) -> HistoryPage:
    """The games before that one, the most recent first: time, game, players and winners."""
    return await lookups.ask(_list_games, before, limit)


@router.get("/api/history/{game_id}")
@example(_game_example)
async def game_played(game_id: GameId, lookups: TheLookups, offset: Offset = 0) -> PlayedGame:
    """One game move by move: at most 500 throws, choices and scores from `offset` on. Undone ones are marked."""
    return await lookups.ask(_tell_game, game_id, offset)


@router.get("/api/history/{game_id}/luck")
@example(_luck_example)
async def game_luck(request: Request, game_id: GameId, lookups: TheLookups) -> GameStory:
    """One game analysed by the exact odds: the luck of each throw, and the cost of each choice, in points.

    `wins` is left empty here. `missing` gives the reason if the odds of a game cannot be computed quickly. 409 while a
    game is on in which, as agreed, no odds are shown.
    """
    return await lookups.recall(game_luck_of, game_id, latest_event(request, game_id))


def _list_games(home: Home, before: int, limit: int) -> HistoryPage:
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


def _tell_game(home: Home, game_id: int, offset: int) -> PlayedGame:
    with open_games(home) as journal:
        told = rows_of_game(journal, game_id)
    if told is None:
        raise no_game(game_id)
    game, rows = told
    return PlayedGame(game, len(rows), tuple(rows[offset : offset + _ROWS_A_PAGE]))
