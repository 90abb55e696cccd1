"""The ways in: the front page, the chairs, the link and QR code that let a device in, and the operator's page."""

import io
from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot
from controller.messages.words import words_in
from controller.web.dependencies import TheAccess, TheReferee, language_of, referee_of
from controller.web.network import is_for_this_computer, join_link, page_addresses, qr_code
from controller.web.pages.page import PageRoute, draw_page, draw_view
from controller.web.roles import reaches
from controller.web.security.principal import SEAT, ThePrincipal, set_cookie

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/", response_class=RedirectResponse)
async def front(request: Request, principal: ThePrincipal) -> RedirectResponse:
    """Redirect the client to the page that it needs now."""
    return lead_to(page_for(referee_of(request).snapshot, principal.caller))


def page_for(snapshot: Snapshot, caller: Caller) -> str:
    """Return the address of a newcomer's page; a player without a seat first chooses one, or leaves a name."""
    if not snapshot.is_game_on:
        return "/start"
    people = [seat for seat in snapshot.seats if seat.house is None]
    waits = caller.seats and all(seat.held for seat in people)
    is_without_seat = people and not waits and not any(caller.acts_for(seat.name) for seat in people)
    return "/join" if caller.role == "player" and is_without_seat else "/play"


def lead_to(page: str) -> RedirectResponse:
    return RedirectResponse(page, status_code=303)


_HERE = {"localhost", "127.0.0.1", "::1"}
_QUIET_ZONE = 3  # modules around the code: screens have a dark frame


@router.get("/join")
async def join(request: Request, principal: ThePrincipal, access: TheAccess) -> HTMLResponse:
    """The chairs of the game, or a name for the next one; clients at the table also see how others come in."""
    code = (await access.code()).typed if reaches(principal.role, "player") else ""
    return draw_view(request, principal, "join", code=code, address=typed_address(request), missed="")


def typed_address(request: Request) -> str:
    """Return the address of this page as people type it at other devices; empty if none of these can open it."""
    is_alone = request.url.hostname in _HERE and is_for_this_computer(request.app.state.network)
    return "" if is_alone else f"{_address_of(request).removeprefix('http://')}/join"


@router.get("/join/{code}")
async def come_in(
    request: Request, code: str, principal: ThePrincipal, referee: TheReferee, access: TheAccess
) -> Response:
    """Let a device in and lead it to its page; after a wrong code, to the page where the right one can be typed.

    Only the code of a link stands in an address. Most wrong ones were valid on an earlier day, so the page does not
    call them mistyped; and wrong ones are not counted, so no page of another site can use up a device's tries. A device
    that is at the table already keeps its role: a phone that scans again gets its chair back.
    """
    if principal.token is not None:
        return lead_to(page_for(referee.snapshot, principal.caller))
    if not await access.opens(code, principal.address):
        missed = words_in(language_of(request)).gettext(
            "This link was for another day. Sit down with today's code, or just watch."
        )
        page = draw_view(request, principal, "join", code="", address="", missed=missed)
        page.status_code = HTTPStatus.GONE
        return page
    # If others are at the table, a newcomer takes a chair of their own.
    answer = lead_to(page_for(referee.snapshot, principal.caller) if referee.seating.newcomer_shares else "/join")
    ticket = await referee.seating.sit((), "page", "player", by_code=True)
    set_cookie(request, answer, SEAT, ticket.token)
    return answer


@router.get("/join.svg")
async def picture(request: Request, access: TheAccess) -> Response:
    """The QR code that lets a phone in, with the address by which this page was reached if other devices can use it."""
    drawn = io.BytesIO()
    qr_code(join_link(_address_of(request), (await access.code()).link)).save(
        drawn, kind="svg", border=_QUIET_ZONE, xmldecl=False, light="#fff", dark="#17130f", omitsize=True
    )
    return Response(drawn.getvalue(), media_type="image/svg+xml")


def _address_of(request: Request) -> str:
    """Return the address by which this page was reached, or one of the network if other devices cannot use that."""
    if request.url.hostname in _HERE:
        return page_addresses(request.app.state.network)[0]
    return f"{request.url.scheme}://{request.url.netloc}"


@router.get("/operator")
async def operator(request: Request, principal: ThePrincipal, access: TheAccess) -> HTMLResponse:
    """PIN and pairing for clients that are no operators; for operators the devices, today's code and the seats."""
    is_operator = principal.device is not None
    devices = await access.devices() if is_operator else ()
    code = (await access.code()).typed if is_operator else ""
    address = typed_address(request)
    return draw_page(request, "operator.html", visitor=principal, devices=devices, code=code, address=address)
