"""The page on which a game is chosen and started."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse

from controller.box.catalogue import EVERY_GAME, GameEntry, describe_game, list_games
from controller.errors import NotThere
from controller.game.table.engines import any_rules_of
from controller.game.table.variants import DEFAULT_GAME
from controller.referee.referee import Referee
from controller.rules.marks import Marks
from controller.settings import Home
from controller.web.languages import language_of
from controller.web.pages.drawn import draw_page, draw_view, drawn_of
from controller.web.pages.page_route import PageRoute
from controller.web.pages.phrases import describe_box
from controller.web.pages.scene.marks import TilePictures
from controller.web.pages.start.mark_sets import MarkKind, marks_for, signs_of
from controller.web.pages.start.presets import read_presets
from controller.web.pages.start.view import StartView, list_games_for, terms_of
from controller.web.provided import TheLookups, TheReferee
from controller.web.visitor import ThePrincipal
from controller.words.words import words_in

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/start")
async def start(
    request: Request,
    principal: ThePrincipal,
    referee: TheReferee,
    lookups: TheLookups,
    game: str = "",
    at: Annotated[str, Query(pattern="^kiosk$|^$")] = "",
) -> HTMLResponse:
    """Every game, the options of one of them, and the players. at: the kiosk, which has no keyboard."""
    words = words_in(language_of(request))
    box, games = referee.table.box, await lookups.recall(_list)
    presets = await lookups.ask(read_presets)
    # The requested game, or the one played last.
    chosen = game if game in EVERY_GAME else next(iter(presets.starts), DEFAULT_GAME)
    shown = StartView(
        describe_box(box, words),
        list_games_for(box, games, can_change=referee.table.simulated, words=words),
        terms_of(
            next(each for each in games if each.game == chosen),
            presets.starts.get(chosen),
            words,
            _pictures_of(request, referee),
        ),
        presets.players,
        presets.names,
    )
    mine = sorted(principal.caller.seats)
    return draw_view(request, principal, "start", start=shown, mine=mine, is_kiosk=bool(at))


@router.get("/start/{game}")
async def terms(request: Request, referee: TheReferee, lookups: TheLookups, game: str) -> HTMLResponse:
    """The options of one game, as a part for the page."""
    if game not in EVERY_GAME:
        raise NotThere("there is no such game; load the page again")
    presets = await lookups.ask(read_presets)
    entry = await lookups.recall(_describe, game)
    words, pictures = words_in(language_of(request)), _pictures_of(request, referee)
    return draw_page(request, "terms.html", terms=terms_of(entry, presets.starts.get(game), words, pictures))


@router.get("/start/{game}/marks/{kind}", response_class=JSONResponse)
async def marks(request: Request, game: str, kind: MarkKind) -> Marks:
    """The marks of one set on the tiles of a game with the options in the query."""
    layout = any_rules_of(game, dict(request.query_params)).layout
    return marks_for(layout, signs_of(kind, drawn_of(request).pictures))


def _pictures_of(request: Request, referee: Referee) -> TilePictures | None:
    """Return the pictures that may be chosen; None for a real box, whose tiles cannot change."""
    return drawn_of(request).pictures if referee.table.simulated else None


# Named functions, since `recall` shares an answer by its function and arguments.


def _list(_home: Home) -> tuple[GameEntry, ...]:
    return list_games()


def _describe(_home: Home, game: str) -> GameEntry:
    return describe_game(game)
