"""The files that pages load: style sheets, scripts and the icon, and nothing else."""

from pathlib import PurePosixPath

from fastapi import APIRouter, Response

from controller.errors import NotThere
from controller.web.gate import AuthorizedRoute
from controller.web.pages.templates import read_static

router = APIRouter(route_class=AuthorizedRoute, include_in_schema=False)

_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_FOR_GOOD = "public, max-age=31536000, immutable"  # a changed file gets another address


@router.get("/static/{digest}/{name}")
async def static_file(digest: str, name: str) -> Response:
    """One file, at the address that the pages of this version name."""
    content = read_static(digest, name)
    if content is None:
        raise NotThere("there is no such file; load the page again")
    kind = _TYPES[PurePosixPath(name).suffix]
    return Response(content, media_type=f"{kind}; charset=utf-8", headers={"Cache-Control": _FOR_GOOD})
