"""The route and the drawing of a page, and the pages that replace a missing or refused one."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.responses import HTMLResponse
from starlette.requests import HTTPConnection

from controller.errors import NotThere, NotYours
from controller.messages.words import words_in
from controller.web.dependencies import language_of, referee_of
from controller.web.pages.table.audience import View, audience_of
from controller.web.pages.table.parts import DrawnParts
from controller.web.pages.templates import compile_templates
from controller.web.refusals import opens_page, refusal
from controller.web.security.principal import AuthorizedRoute, Principal


class PageRoute(AuthorizedRoute):
    """An authorized route that waits until its templates are compiled."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_compiled(request: Request) -> Response:
            await ensure_compiled()
            return await handle(request)

        return handle_compiled


async def ensure_compiled() -> None:
    """Load all templates once, in a thread: where none are kept compiled, it takes a third of a second or more."""
    if not compile_templates.cache_info().currsize:
        await asyncio.to_thread(compile_templates)


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
    context |= {"audience": audience, "sits_first": sits_first, "quiet": request.app.state.voice.quiet}
    return draw_page(request, f"{view}.html", parts=parts, view=view, **context)


def drawn_of(connection: HTTPConnection) -> DrawnParts:
    """Return the parts that this application has drawn, with its templates."""
    drawn: DrawnParts = connection.app.state.drawn
    return drawn


def draw_missing(request: Request, line: str, back: str, back_to: str, why: str = "") -> Response:
    """Return a page that says in one line what is missing, with a link back: its address and its label.

    Programs get the line in the shape of all refusals.
    """
    if opens_page(request):
        page = draw_page(request, "nothing.html", line=line, back=back, back_to=back_to, why=why)
        page.status_code = HTTPStatus.NOT_FOUND
        return page
    return refusal(HTTPStatus.NOT_FOUND, NotThere.code, f"{line} {why}".strip())


def draw_refused(request: Request, status: int, code: str, headers: Mapping[str, str] | None = None) -> HTMLResponse:
    """Return the page that replaces a refused one: the explanation of the code, with a link that leads on."""
    words = words_in(language_of(request))
    line, back, back_to = words.explain(code), "/", words.gettext("To the table")
    if code == NotYours.code:
        line, back = words.gettext("This page is for the operators of the box."), "/operator"
        back_to = words.gettext("Become an operator")
    page = draw_page(request, "nothing.html", line=line, back=back, back_to=back_to, why="")
    page.status_code = status
    page.headers.update(headers or {})
    return page
