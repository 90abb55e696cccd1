"""The page on which people sit down, the link that lets a device in, and the QR code of that link."""

import io
from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from controller.web.cookies import SEAT, set_cookie
from controller.web.guards.origins import is_embedded
from controller.web.invitation import is_for_this_computer, join_link, page_addresses, qr_code
from controller.web.languages import language_of
from controller.web.pages.drawn import draw_view
from controller.web.pages.front import lead_to, page_for
from controller.web.pages.page_route import PageRoute
from controller.web.provided import TheAccess, TheReferee
from controller.web.refusals import refuse_foreign_page
from controller.web.roles import reaches
from controller.web.visitor import ThePrincipal
from controller.words.words import words_in

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)

_HERE = {"localhost", "127.0.0.1", "::1"}
_QUIET_ZONE = 3  # modules around the code: screens have a dark frame


@router.get("/join")
async def join(request: Request, principal: ThePrincipal, access: TheAccess) -> HTMLResponse:
    """The chairs of the game, or a name for the next one; clients at the table also see how others come in."""
    code = (await access.code()).typed if reaches(principal.role, "player") else ""
    # No address is shown if none can be opened from another device.
    is_alone = request.url.hostname in _HERE and is_for_this_computer(request.app.state.network)
    address = "" if is_alone else f"{_address_of(request).removeprefix('http://')}/join"
    return draw_view(request, principal, "join", code=code, address=address, missed="")


@router.get("/join/{code}")
async def come_in(
    request: Request, code: str, principal: ThePrincipal, referee: TheReferee, access: TheAccess
) -> Response:
    """Let a device in and lead it to its page; after a wrong code, to the page where the right one can be typed.

    Only the code of a link stands in an address. Most wrong ones were valid in an earlier game, so the page does not
    call them mistyped; and wrong ones are not counted, so no page of another site can use up a device's tries. A device
    that is at the table already keeps its role: a phone that scans again gets its chair back.
    """
    if is_embedded(request.headers):
        return refuse_foreign_page()
    if principal.token is not None:
        return lead_to(page_for(referee.snapshot, principal.caller))
    if not await access.opens(code, principal.address):
        missed = words_in(language_of(request)).gettext(
            "This link was for another game. Sit down with the code of this one, or just watch."
        )
        page = draw_view(request, principal, "join", code="", address="", missed=missed)
        page.status_code = HTTPStatus.GONE
        return page
    # If others are at the table, a newcomer takes a chair of their own.
    answer = lead_to(page_for(referee.snapshot, principal.caller) if referee.seating.newcomer_shares else "/join")
    ticket = await referee.seating.sit((), "page", "player", by_code=True)
    set_cookie(answer, SEAT, ticket.token)
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
    return f"http://{request.url.netloc}"
