"""The front page: it leads to the table if a game is on, and otherwise to the page that starts one."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot
from controller.web.pages.page_route import PageRoute
from controller.web.provided import referee_of
from controller.web.visitor import ThePrincipal

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/", response_class=RedirectResponse)
async def front(request: Request, principal: ThePrincipal) -> RedirectResponse:
    """Lead to the page for this client at this moment."""
    return lead_to(page_for(referee_of(request).snapshot, principal.caller))


def page_for(snapshot: Snapshot, caller: Caller) -> str:
    """Return the address of a newcomer's page; a player without a seat in this game first chooses one."""
    if not snapshot.is_game_on:
        return "/start"
    people = [seat.name for seat in snapshot.seats if seat.house is None]
    is_without_seat = caller.role == "player" and people and not any(map(caller.acts_for, people))
    return "/join" if is_without_seat else "/play"


def lead_to(page: str) -> RedirectResponse:
    return RedirectResponse(page, status_code=303)
