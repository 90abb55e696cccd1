"""The page in place of one that there is not."""

from fastapi import Request
from fastapi.responses import HTMLResponse

from controller.web.pages.drawn import draw_page


def draw_nothing(request: Request, line: str, back: str, back_to: str, why: str = "") -> HTMLResponse:
    """A page that says in one line what there is not, with the way back: an address, and what one finds there."""
    page = draw_page(request, "nothing.html", line=line, back=back, back_to=back_to, why=why)
    page.status_code = 404
    return page
