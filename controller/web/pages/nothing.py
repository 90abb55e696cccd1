"""The page in place of one that there is not, or that cannot be shown now."""

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from controller.errors import NotThere
from controller.web.languages import language_of
from controller.web.pages.drawn import draw_page
from controller.web.refusals import opens_page, refusal
from controller.words import words_in


def draw_nothing(request: Request, line: str, back: str, back_to: str, why: str = "") -> Response:
    """A page that says in one line what there is not, with the way back: an address, and what one finds there.

    Programs are told the line in the shape of all refusals.
    """
    if opens_page(request):
        return _draw(request, line, back, back_to, why)
    return refusal(HTTPStatus.NOT_FOUND, NotThere.code, f"{line} {why}".strip())


def _draw(request: Request, line: str, back: str, back_to: str, why: str = "") -> HTMLResponse:
    page = draw_page(request, "nothing.html", line=line, back=back, back_to=back_to, why=why)
    page.status_code = HTTPStatus.NOT_FOUND
    return page


def draw_refused(request: Request, status: int, code: str, headers: Mapping[str, str] | None = None) -> HTMLResponse:
    """The page in place of one that is refused: what the code says, with the way to the table."""
    words = words_in(language_of(request))
    page = _draw(request, words.explain(code), "/", words.gettext("To the table"))
    page.status_code = status
    page.headers.update(headers or {})
    return page
