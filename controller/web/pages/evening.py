"""The pages of an evening of many matches: who plays next, the rounds or the bracket, the table and the ladder."""

from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from controller.game.evening.view import EveningView
from controller.messages.words import words_in
from controller.web.dependencies import language_of
from controller.web.pages.page import PageRoute, draw_missing, draw_page

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/evening")
async def evening(request: Request) -> Response:
    """The whole evening, for phones; it keeps up by itself."""
    words, shown = words_in(language_of(request)), _shown(request)
    if shown is None:
        return draw_missing(
            request, words.gettext("There is no evening of many matches here."), "/play", words.gettext("To the table")
        )
    return draw_page(request, "evening/evening.html", evening=shown)


@router.get("/evening/parts/{part}")
async def evening_part(request: Request, part: Literal["whole", "soon", "wall"]) -> Response:
    """One part of the evening's pages as it is now. 204: there is no evening."""
    shown = _shown(request)
    if shown is None:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    return draw_page(request, f"evening/{part}.html", evening=shown)


def _shown(request: Request) -> EveningView | None:
    found: EveningView | None = request.app.state.evening
    return found
