"""The files that pages load: style sheets, scripts, the icon, and the pictures on tiles."""

from pathlib import PurePosixPath

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse

from controller.errors import NotThere
from controller.web.pages.page import drawn_of
from controller.web.pages.scene import TYPES
from controller.web.pages.templates import read_static
from controller.web.security.principal import AuthorizedRoute

router = APIRouter(route_class=AuthorizedRoute, include_in_schema=False)

_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_FOR_GOOD = "public, max-age=31536000, immutable"  # a changed file gets another address


@router.get("/static/{digest}/{name}")
async def static_file(digest: str, name: str) -> Response:
    """One file, at the address that the pages of this version name."""
    content = read_static(digest, name)
    if content is None:
        raise NotThere("there is no such file; load the page again")
    kind = _TYPES[PurePosixPath(name).suffix]
    return Response(content, media_type=f"{kind}; charset=utf-8", headers={"Cache-Control": _FOR_GOOD})


_FOR_LONG = "private, max-age=31536000, immutable"  # a changed picture gets another address


@router.get("/tiles/{mark}")
async def tile_picture(request: Request, mark: str) -> FileResponse:
    """The picture that is drawn in place of a mark. 404 if the owner's folder has none for it."""
    file = drawn_of(request).pictures.path_of(mark)
    if file is None:
        raise NotThere("no picture is drawn for this mark")
    return FileResponse(file, media_type=TYPES[file.suffix.lower()], headers={"Cache-Control": _FOR_LONG})
