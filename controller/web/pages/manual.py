"""The documentation: the site that `make docs` has built, of which the box serves its own copy."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse, RedirectResponse

from controller.errors import NotThere
from controller.messages.words import words_in
from controller.web.dependencies import language_of
from controller.web.pages.page import PageRoute, draw_missing

router = APIRouter(route_class=PageRoute, include_in_schema=False)

SITE = Path(__file__).parents[1] / "site"
_START = "index.html"
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}


@router.get("/docs")
async def documentation() -> RedirectResponse:
    """Lead to the first page, from where all links of the site count."""
    return RedirectResponse(f"/docs/{_START}")


@router.get("/docs/{name:path}")
async def page_of_documentation(request: Request, name: str) -> Response:
    """Return one file of the site. 404 for any other, and if there is no site."""
    found = _files_of(SITE)
    if not found:
        _ = words_in(language_of(request)).gettext
        line = _("This box has no copy of its documentation.")
        why = _("It is built in the folder of the program, by make docs, and comes with every update file.")
        return draw_missing(request, line, "/", _("To the table"), why)
    if name not in found:
        raise NotThere("the documentation has no such page")
    return FileResponse(found[name], media_type=_TYPES.get(found[name].suffix, "text/plain"))


@cache
def _files_of(site: Path) -> Mapping[str, Path]:
    """Return every file of a site by its name below it. Links are left out, and no other name leads to a file."""
    files = (path for path in site.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(site).as_posix(): path for path in files}
