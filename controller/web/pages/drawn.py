"""Answers that are pages: in the language of the device, and where a page shows the table, with its parts as now."""

from fastapi import Request
from fastapi.responses import HTMLResponse
from starlette.requests import HTTPConnection

from controller.web.languages import language_of
from controller.web.pages.table import DrawnParts, View, audience_of
from controller.web.provided import referee_of
from controller.web.visitor import Visitor


def draw_page(request: Request, name: str, **context: object) -> HTMLResponse:
    """The page that a template makes of `context`."""
    templates = drawn_of(request).templates(language_of(request))
    return HTMLResponse(templates.render(name, snapshot=referee_of(request).snapshot, **context))


def draw_view(request: Request, visitor: Visitor, view: View, **context: object) -> HTMLResponse:
    """A page of the table. What has changed since then comes by its WebSocket."""
    audience = audience_of(request, visitor, view)
    parts = drawn_of(request).of(referee_of(request).snapshot, audience)
    # An operator's device has no seat by itself.
    sits_first = visitor.token is None and visitor.role != "spectator"
    return draw_page(
        request, f"{view}.html", parts=parts, view=view, audience=audience, sits_first=sits_first, **context
    )


def drawn_of(connection: HTTPConnection) -> DrawnParts:
    """The parts that this application has drawn, and its templates."""
    drawn: DrawnParts = connection.app.state.drawn
    return drawn
