"""The pages of fixed screens: on the wall, for looking, and next to the box, for tapping."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from controller.web.pages.drawn import draw_view
from controller.web.pages.page_route import PageRoute
from controller.web.visitor import ThePrincipal

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/wall")
async def wall(request: Request, principal: ThePrincipal) -> HTMLResponse:
    """The table, readable from four metres away."""
    return draw_view(request, principal, "wall")


@router.get("/kiosk")
async def kiosk(request: Request, principal: ThePrincipal) -> HTMLResponse:
    """The table for the tablet next to the box, which has no keyboard; between games, how to begin and to join."""
    return draw_view(request, principal, "kiosk")
