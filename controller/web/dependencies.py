"""Dependencies of the route handlers: the objects of the application, and the language of the device."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from controller.access.access import Access
from controller.errors import NotNow, NotThere
from controller.game.core.message import Language
from controller.jobs.jobs import Jobs
from controller.messages.words import LANGUAGES, accepted_languages, choose_language
from controller.referee.box_slot import BoxSlot
from controller.referee.referee import Referee
from controller.referee.subscribers import Meters
from controller.settings import Home
from controller.web.lookups import Lookups


def referee_of(connection: HTTPConnection) -> Referee:
    """Return the referee of the table that this application serves."""
    referee: Referee = connection.app.state.referee
    return referee


def access_of(connection: HTTPConnection) -> Access:
    """Return the access rights of the box that this application serves."""
    access: Access = connection.app.state.access
    return access


def home_of(connection: HTTPConnection) -> Home | None:
    """Return the home of the table; None for a table that stores nothing."""
    home: Home | None = connection.app.state.home
    return home


def latest_event(connection: HTTPConnection, game_id: int) -> int:
    """Return the last event of a game that is being played now; 0 for any other game, whose answers stay valid."""
    shown = referee_of(connection).snapshot
    return shown.event if shown.game_id == game_id else 0


# The dependencies are coroutines: plain functions would run in a worker thread, and wait for a free one.


async def _the_referee(connection: HTTPConnection) -> Referee:
    return referee_of(connection)


async def _the_access(connection: HTTPConnection) -> Access:
    return access_of(connection)


async def _the_lookups(connection: HTTPConnection) -> Lookups:
    lookups: Lookups | None = connection.app.state.lookups
    if lookups is None:
        raise NotThere("this table keeps nothing beside its game")
    return lookups.for_requester(connection.app.state.requester_of(connection))


async def _the_meters(connection: HTTPConnection) -> Meters:
    meters: Meters = connection.app.state.meters
    return meters


async def _the_workshop(connection: HTTPConnection) -> Jobs:
    workshop: Jobs | None = connection.app.state.workshop
    if workshop is None:
        raise NotNow("nothing is calibrated or tested at this table")
    return workshop


async def _the_stand(connection: HTTPConnection) -> BoxSlot:
    stand: BoxSlot | None = connection.app.state.stand
    if stand is None:
        raise NotNow("the box at this table stays")
    return stand


TheReferee = Annotated[Referee, Depends(_the_referee)]
TheAccess = Annotated[Access, Depends(_the_access)]
TheLookups = Annotated[Lookups, Depends(_the_lookups)]
TheMeters = Annotated[Meters, Depends(_the_meters)]
TheWorkshop = Annotated[Jobs, Depends(_the_workshop)]
TheBoxSlot = Annotated[BoxSlot, Depends(_the_stand)]


LANGUAGE = "shutbox-language"  # the cookie in which a device keeps its language; a script of the page sets it


def language_of(connection: HTTPConnection) -> Language:
    """Return the language chosen at this device, or else the browser's most preferred one that the box speaks."""
    chosen = connection.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return choose_language([chosen])
    return choose_language(accepted_languages(connection.headers.get("accept-language", "")))
