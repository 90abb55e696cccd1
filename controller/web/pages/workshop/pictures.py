"""The pages of the stored pictures of throws: all of them, the disputed ones first, and one with what was read."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse

from controller.errors import NotThere
from controller.messages.words import Words, words_in
from controller.referee.second_look import can_look_again
from controller.runtime.home import Home
from controller.settings import load_settings
from controller.web.dependencies import TheLookups, TheReferee, language_of
from controller.web.pages.page import PageRoute, draw_missing, draw_page
from controller.web.pages.phrases import now_here, say_throw, say_when
from controller.web.pictures import PictureReading, PictureView, find_pictures, read_again, stored_readings

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)

_PICTURES_A_PAGE = 12
_CORRECTED = re.compile(r"(?P<read>\d+(-\d+)*)-was-(?P<was>\d+(-\d+)*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class PictureLine:
    """One picture of the list. what: what was read on it, in words."""

    name: str
    when: str
    what: str
    is_disputed: bool


@dataclass(frozen=True, slots=True)
class ReadingLine:
    """One reading in words: the dice in short, why they were not read, and how sure the reader was of each."""

    throw: str
    why: str
    say: str
    dice: tuple[tuple[int, str], ...]


@router.get("/workshop/pictures")
async def pictures(
    request: Request, referee: TheReferee, lookups: TheLookups, offset: Annotated[int, Query(ge=0, le=2**31)] = 0
) -> HTMLResponse:
    """Twelve pictures, the disputed ones before all others, and the most recent first."""
    referee.note_look()
    words, now = words_in(language_of(request)), now_here()
    found, keep = await lookups.ask(list_disputed_first)
    shown = found[offset : offset + _PICTURES_A_PAGE]
    lines = [
        PictureLine(each.name, say_when(each.at, now, words), say_what(each.what, words), each.is_disputed)
        for each in shown
    ]
    older = offset + _PICTURES_A_PAGE if offset + _PICTURES_A_PAGE < len(found) else None
    newer = max(0, offset - _PICTURES_A_PAGE) if offset else None
    return draw_page(
        request,
        "workshop/pictures.html",
        lines=lines,
        count=len(found),
        disputed=sum(each.is_disputed for each in found),
        older=older,
        newer=newer,
        keep=keep,
        thrown=say_throw(referee.snapshot.throw) if can_look_again(referee.snapshot) else "",
        reasons=reasons_in(words),
    )


@router.get("/workshop/pictures/{name}")
async def picture(
    request: Request,
    name: Annotated[str, Path(max_length=200)],
    referee: TheReferee,
    lookups: TheLookups,
    again: bool = False,
) -> Response:
    """One picture with what was read on it; with `again`, what is read on it now beside that."""
    referee.note_look()
    words = words_in(language_of(request))
    _ = words.gettext
    try:
        if again:
            found = await lookups.ask(read_again, name, referee.table.box, not referee.snapshot.simulated)
        else:
            found = await lookups.ask(stored_readings, name)
    except NotThere:
        line = _("There is no such picture any more: the oldest go when new ones come.")
        return draw_missing(request, line, "/workshop/pictures", _("All pictures"))
    return draw_page(
        request,
        "workshop/picture.html",
        shot=name,
        when=say_when(found.picture.at, now_here(), words),
        then=None if found.then is None else say_reading(found.then, words),
        corrected=say_throw(found.corrected),
        now=None if found.now is None else say_reading(found.now, words),
        is_same=found.now is not None and found.then is not None and _seen(found.now) == _seen(found.then),
    )


def _seen(reading: PictureReading) -> tuple[tuple[int, ...], str | None]:
    return reading.values, reading.reason


def list_disputed_first(home: Home) -> tuple[tuple[PictureView, ...], int]:
    """Return all pictures, and how many throws the settings have kept."""
    found = sorted(find_pictures(home), key=lambda each: not each.is_disputed)
    return tuple(found), load_settings(home.settings).evidence.keep


def say_what(what: str, words: Words) -> str:
    """Return in words what the name of a picture says of its reading."""
    _ = words.gettext
    if corrected := _CORRECTED.fullmatch(what):
        read, was = (say_throw(map(int, corrected[part].split("-"))) for part in ("read", "was"))
        return _("Corrected: read {read}, it was {was}").format(read=read, was=was)
    if what.replace("-", "").isdecimal():
        return _("Read: {read}").format(read=say_throw(map(int, what.split("-"))))
    return _("Not read: {why}").format(why=reasons_in(words).get(what, what))


def say_reading(reading: PictureReading, words: Words) -> ReadingLine:
    """Return a reading in words."""
    why = "" if reading.reason is None else reasons_in(words).get(reading.reason, reading.reason)
    dice = tuple((die.value, words.share(die.confidence)) for die in reading.dice)
    return ReadingLine(say_throw(reading.values), why, reading.say, dice)


def reasons_in(words: Words) -> Mapping[str, str]:
    """Return why a picture was not read (`vision.reading.Reason`) in a few words each."""
    _ = words.gettext
    return {
        "moving": _("the dice were moving"),
        "cocked": _("a die leaned"),
        "stacked": _("a die lay on another"),
        "off_field": _("a die lay outside"),
        "hand": _("a hand was there"),
        "unexplained": _("something else lay there"),
        "no_dice": _("no dice lay there"),
        "too_many": _("too many dice"),
        "too_few": _("too few dice"),
        "dark": _("too dark"),
        "glare": _("too bright"),
        "blurred": _("blurred"),
        "no_field": _("the markers were not seen"),
        "camera_moved": _("a marker was moved"),
        "stale": _("the dice of the throw before"),
        "unsure": _("the camera was not sure"),
        "not_a_picture": _("the file is damaged"),
        "too_large": _("the file is too large"),
    }
