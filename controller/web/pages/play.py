"""The page of the table: the box, whose turn it is, and what can be done."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from controller.web.pages.drawn import draw_view
from controller.web.pages.page_route import PageRoute
from controller.web.visitor import ThePrincipal

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/play")
async def play(request: Request, principal: ThePrincipal) -> HTMLResponse:
    """The table for players and spectators."""
    return draw_view(request, principal, "play")
