"""The page that replaces one that does not exist, or that cannot be shown now."""

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from controller.errors import NotThere
from controller.web.languages import language_of
from controller.web.pages.drawn import draw_page
from controller.web.refusals import opens_page, refusal
from controller.words.words import words_in


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
    """Return the page that replaces a refused one: the explanation of the code, with a link to the table."""
    words = words_in(language_of(request))
    line = words.explain(code)
    page = draw_page(request, "nothing.html", line=line, back="/", back_to=words.gettext("To the table"), why="")
    page.status_code = status
    page.headers.update(headers or {})
    return page
