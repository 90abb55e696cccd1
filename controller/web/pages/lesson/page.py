"""The lesson for learning by playing: the page that begins it, and the cards that explain each moment of it."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse

from controller.web.languages import language_of
from controller.web.pages.drawn import draw_page, drawn_of
from controller.web.pages.lesson.ideas import GAME, IDEAS, ideas_now, is_asked, say_ideas
from controller.web.pages.page_route import PageRoute
from controller.web.provided import TheReferee
from controller.web.visitor import ThePrincipal

_LONGEST = sum(len(idea) + 1 for idea in IDEAS)

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/learn")
async def learn(request: Request, principal: ThePrincipal, referee: TheReferee) -> HTMLResponse:
    """The page on which a beginner enters a name and starts."""
    may_play, now = principal.role != "spectator", referee.snapshot
    words = drawn_of(request).templates(language_of(request)).words
    say = "" if now.is_game_on else words.say_all(now.messages[:1], now.tiles)
    return draw_page(request, "learn.html", may_play=may_play, is_free=now.can("start"), say=say, game=GAME)


@router.get("/lesson")
async def lesson(
    request: Request, referee: TheReferee, said: Annotated[str, Query(max_length=_LONGEST)] = ""
) -> Response:
    """The explanations of this moment, without the ideas in `said` (with commas); empty if there are none any more.

    204: the explanations on the page stay as they are.
    """
    snapshot = referee.snapshot
    if not is_asked(snapshot):
        return Response(status_code=HTTPStatus.NO_CONTENT)
    words = drawn_of(request).templates(language_of(request)).words
    ideas = say_ideas(ideas_now(snapshot, said.split(",")), snapshot, words)
    return draw_page(request, "parts/lesson.html", ideas=ideas, game=GAME)
