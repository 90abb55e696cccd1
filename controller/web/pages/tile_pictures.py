"""The pictures that an owner has put on the tiles."""

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse

from controller.errors import NotThere
from controller.web.gate import AuthorizedRoute
from controller.web.pages.drawn import drawn_of
from controller.web.pages.scene.marks import TYPES

router = APIRouter(route_class=AuthorizedRoute, include_in_schema=False)

_FOR_LONG = "private, max-age=31536000, immutable"  # a changed picture gets another address


@router.get("/tiles/{mark}")
async def tile_picture(request: Request, mark: str) -> FileResponse:
    """The picture that is drawn in place of a mark. 404 if the owner's folder has none for it."""
    file = drawn_of(request).pictures.path_of(mark)
    if file is None:
        raise NotThere("no picture is drawn for this mark")
    return FileResponse(file, media_type=TYPES[file.suffix.lower()], headers={"Cache-Control": _FOR_LONG})
