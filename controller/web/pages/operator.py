"""The page on which a device becomes an operator's, and on which operators see the other operators' devices."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from controller.web.pages.drawn import draw_page
from controller.web.pages.page_route import PageRoute
from controller.web.provided import TheAccess
from controller.web.visitor import ThePrincipal

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/operator")
async def operator(request: Request, principal: ThePrincipal, access: TheAccess) -> HTMLResponse:
    """PIN and pairing for clients that are no operators; the list of the operators' devices for operators."""
    devices = await access.devices() if principal.device is not None else ()
    return draw_page(request, "operator.html", visitor=principal, devices=devices)
