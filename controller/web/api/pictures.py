"""The stored pictures of throws, if the owner keeps them. Every snapshot shows that somebody is looking at them."""

import re
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from controller.errors import NotThere
from controller.settings import Home
from controller.web.api.examples import Example, example
from controller.web.dependencies import TheLookups, TheReferee
from controller.web.security.principal import AuthorizedRoute
from vision.watching.evidence import find_evidence

_PICTURES_A_PAGE = 100
_STAMPED = re.compile(r"(?P<number>\d+)-(?P<day>\d{8})-(?P<time>\d{6})-(?P<what>.+)", re.ASCII)

router = APIRouter(route_class=AuthorizedRoute)


@dataclass(frozen=True, slots=True)
class PictureView:
    """One picture: its name, its number, its time by the clock of the box, and the reading or refusal."""

    name: str
    number: int
    at: str
    what: str


@dataclass(frozen=True, slots=True)
class PicturesPage:
    """Some of the pictures, the most recent first; `count` is the number of all pictures."""

    count: int
    pictures: tuple[PictureView, ...]


class _Jpeg(Response):
    media_type = "image/jpeg"


_PICTURE = PictureView("000041-20261124-200009-5-3", 41, "2026-11-24T20:00:09", "5-3")


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


@router.get("/api/pictures/{name}", response_class=_Jpeg)
@example(lambda: Example({"name": _PICTURE.name}))
async def picture(name: Annotated[str, Path(max_length=200)], referee: TheReferee, lookups: TheLookups) -> Response:
    """One picture, as JPEG. For the next half minute `looked_at` in every snapshot says that somebody is looking."""
    referee.note_look()
    return _Jpeg(await lookups.ask(read_picture, name))


def list_pictures(home: Home, offset: int) -> PicturesPage:
    """Return the pictures from `offset` on, the most recent first."""
    known = []
    for path in reversed(find_evidence(home.evidence)):
        if stamped := _STAMPED.fullmatch(path.stem):
            day, time = stamped["day"], stamped["time"]
            at = f"{day[:4]}-{day[4:6]}-{day[6:]}T{time[:2]}:{time[2:4]}:{time[4:]}"
            known.append(PictureView(path.stem, int(stamped["number"]), at, stamped["what"]))
    return PicturesPage(len(known), tuple(known[offset : offset + _PICTURES_A_PAGE]))


def read_picture(home: Home, name: str) -> bytes:
    """Return the JPEG of this name. Raises `NotThere`."""
    # Only listed files are read, so a name cannot lead anywhere else.
    path = next((each for each in find_evidence(home.evidence) if each.stem == name), None)
    try:
        if path is not None:
            return path.read_bytes()
    except FileNotFoundError:
        pass  # the oldest pictures are removed when new ones come
    raise NotThere("there is no picture of that name; GET /api/pictures lists them")
