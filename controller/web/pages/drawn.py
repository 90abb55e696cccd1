"""Answers that are pages: in the language of the device, with the present parts of the table where a page shows it."""

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.requests import HTTPConnection

from controller.web.languages import language_of
from controller.web.pages.table.audience import View, audience_of
from controller.web.pages.table.parts import DrawnParts
from controller.web.provided import referee_of
from controller.web.visitor import Principal


def draw_page(request: Request, name: str, **context: object) -> HTMLResponse:
    """Return the page that a template makes of `context`."""
    templates = drawn_of(request).templates(language_of(request))
    return HTMLResponse(templates.render(name, snapshot=referee_of(request).snapshot, **context))


def draw_view(request: Request, principal: Principal, view: View, **context: object) -> HTMLResponse:
    """Return a page that shows the table. Later changes reach it by its WebSocket."""
    audience = audience_of(request, principal, view)
    parts = drawn_of(request).of(referee_of(request).snapshot, audience)
    # An operator's device does not hold a seat of itself.
    sits_first = principal.token is None and principal.role != "spectator"
    return draw_page(
        request, f"{view}.html", parts=parts, view=view, audience=audience, sits_first=sits_first, **context
    )


def drawn_of(connection: HTTPConnection) -> DrawnParts:
    """Return the parts that this application has drawn, with its templates."""
    drawn: DrawnParts = connection.app.state.drawn
    return drawn
