"""The stored pictures of throws, if the owner keeps them. Every snapshot shows that somebody is looking at them."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from controller.runtime.home import Home
from controller.web.api.examples import Example, example
from controller.web.dependencies import TheLookups, TheReferee
from controller.web.pictures import (
    DieSeen,
    PictureReading,
    PictureReadings,
    PictureView,
    find_pictures,
    read_again,
    read_picture,
    stored_readings,
)
from controller.web.security.principal import AuthorizedRoute

_PICTURES_A_PAGE = 100

router = APIRouter(route_class=AuthorizedRoute)


@dataclass(frozen=True, slots=True)
class PicturesPage:
    """Some of the pictures, the most recent first; `count` is the number of all pictures."""

    count: int
    pictures: tuple[PictureView, ...]


class Jpeg(Response):
    """A picture."""

    media_type = "image/jpeg"


_PICTURE = PictureView("000041-20261124-200009-5-3", 41, "2026-11-24T20:00:09", "5-3")
_SEEN = PictureReading((DieSeen(3, "white", 0.98), DieSeen(5, "white", 0.97)))
_READINGS = PictureReadings(_PICTURE, _SEEN, now=_SEEN)


@router.get("/api/pictures")
@example(lambda: Example({"offset": 0}, answer=PicturesPage(1, (_PICTURE,))))
async def pictures(
    referee: TheReferee, lookups: TheLookups, offset: Annotated[int, Query(ge=0, le=2**31)] = 0
) -> PicturesPage:
    """The stored pictures of throws, the most recent first; at most 100 from `offset` on.

    For the next half minute `looked_at` in every snapshot says that somebody is looking.
    """
    referee.note_look()
    return await lookups.ask(list_pictures, offset)


@router.get("/api/pictures/{name}", response_class=Jpeg)
@example(lambda: Example({"name": _PICTURE.name}))
async def picture(name: Annotated[str, Path(max_length=200)], referee: TheReferee, lookups: TheLookups) -> Response:
    """One picture, as JPEG. For the next half minute `looked_at` in every snapshot says that somebody is looking."""
    referee.note_look()
    return Jpeg(await lookups.ask(read_picture, name))


@router.get("/api/pictures/{name}/reading")
@example(lambda: Example({"name": _PICTURE.name, "again": True}, answer=_READINGS))
async def reading(
    name: Annotated[str, Path(max_length=200)], referee: TheReferee, lookups: TheLookups, again: bool = False
) -> PictureReadings:
    """What was read on one picture, and with `again` what is read on it now; no game changes by that.

    For the next half minute `looked_at` in every snapshot says that somebody is looking.
    """
    referee.note_look()
    if again:
        return await lookups.ask(read_again, name, referee.table.box, not referee.snapshot.simulated)
    return await lookups.ask(stored_readings, name)


def list_pictures(home: Home, offset: int) -> PicturesPage:
    """Return the pictures from `offset` on, the most recent first."""
    known = find_pictures(home)
    return PicturesPage(len(known), known[offset : offset + _PICTURES_A_PAGE])
