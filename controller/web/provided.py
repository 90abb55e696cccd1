"""What the handlers of the routes are given: the one place that knows where the application keeps it."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from controller.access import Access
from controller.calibrate import Workshop
from controller.errors import NotNow, NotThere
from controller.referee import Meters, Referee
from controller.web.library import Library


def referee_of(connection: HTTPConnection) -> Referee:
    """The referee of the table that this application serves."""
    referee: Referee = connection.app.state.referee
    return referee


async def _the_referee(connection: HTTPConnection) -> Referee:
    # A plain function would be called in a thread, and wait for one.
    return referee_of(connection)


def access_of(connection: HTTPConnection) -> Access:
    """Who may do what at the box that this application serves."""
    access: Access = connection.app.state.access
    return access


async def _the_access(connection: HTTPConnection) -> Access:
    return access_of(connection)


def library_of(connection: HTTPConnection) -> Library:
    """What is kept beside the game. Raises `NotThere` for an application of a table alone, without a home."""
    library: Library | None = connection.app.state.library
    if library is None:
        raise NotThere("this table keeps nothing beside its game")
    return library


async def _the_library(connection: HTTPConnection) -> Library:
    return library_of(connection)


async def _the_meters(connection: HTTPConnection) -> Meters:
    meters: Meters = connection.app.state.meters
    return meters


async def _the_workshop(connection: HTTPConnection) -> Workshop:
    workshop: Workshop | None = connection.app.state.workshop
    if workshop is None:
        raise NotNow("nothing is calibrated or tested at this table")
    return workshop


TheReferee = Annotated[Referee, Depends(_the_referee)]
TheAccess = Annotated[Access, Depends(_the_access)]
TheLibrary = Annotated[Library, Depends(_the_library)]
TheMeters = Annotated[Meters, Depends(_the_meters)]
TheWorkshop = Annotated[Workshop, Depends(_the_workshop)]
