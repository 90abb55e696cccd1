"""The front page: leads to the table while a game is on there, and else to where one is started."""

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse

from controller.game import Caller, Snapshot
from controller.web.gate import GatedRoute
from controller.web.provided import referee_of
from controller.web.visitor import TheVisitor

router = APIRouter(route_class=GatedRoute, include_in_schema=False, default_response_class=RedirectResponse)


@router.get("/")
async def front(request: Request, visitor: TheVisitor) -> RedirectResponse:
    """The page at which somebody is right now."""
    return lead_to(page_for(referee_of(request).snapshot, visitor.caller))


def page_for(snapshot: Snapshot, caller: Caller) -> str:
    """The address of the page for somebody who comes; who plays, but has no seat of this game, picks one first."""
    if not snapshot.is_game_on:
        return "/start"
    people = [seat.name for seat in snapshot.seats if seat.house is None]
    is_without_seat = caller.role == "player" and people and not any(map(caller.acts_for, people))
    return "/join" if is_without_seat else "/play"


def lead_to(page: str) -> RedirectResponse:
    """The answer that leads a browser to another page."""
    return RedirectResponse(page, status_code=303)
