"""What the handlers of the routes are given: the one place that knows where the application keeps it."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from controller.access import Access
from controller.calibrate import Workshop
from controller.errors import NotNow, NotThere
from controller.referee import Meters, Referee, Stand
from controller.settings import Home
from controller.web.lookups import Lookups


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


def lookups_of(connection: HTTPConnection) -> Lookups:
    """What is kept beside the game, for who asks here. Raises `NotThere` for a table alone, without a home."""
    lookups: Lookups | None = connection.app.state.lookups
    if lookups is None:
        raise NotThere("this table keeps nothing beside its game")
    return lookups.asked_by(connection.app.state.asker_of(connection))


def home_of(connection: HTTPConnection) -> Home | None:
    """The home of the table that this application serves; None for a table that keeps nothing."""
    home: Home | None = connection.app.state.home
    return home


async def _the_lookups(connection: HTTPConnection) -> Lookups:
    return lookups_of(connection)


async def _the_meters(connection: HTTPConnection) -> Meters:
    meters: Meters = connection.app.state.meters
    return meters


async def _the_workshop(connection: HTTPConnection) -> Workshop:
    workshop: Workshop | None = connection.app.state.workshop
    if workshop is None:
        raise NotNow("nothing is calibrated or tested at this table")
    return workshop


async def _the_stand(connection: HTTPConnection) -> Stand:
    stand: Stand | None = connection.app.state.stand
    if stand is None:
        raise NotNow("the box at this table stays")
    return stand


def come_to(connection: HTTPConnection, game_id: int) -> int:
    """How far a game has come, if it is the one that is played now; what is told of all others stays true."""
    shown = referee_of(connection).snapshot
    return shown.event if shown.game_id == game_id else 0


TheReferee = Annotated[Referee, Depends(_the_referee)]
TheAccess = Annotated[Access, Depends(_the_access)]
TheLookups = Annotated[Lookups, Depends(_the_lookups)]
TheMeters = Annotated[Meters, Depends(_the_meters)]
TheWorkshop = Annotated[Workshop, Depends(_the_workshop)]
TheStand = Annotated[Stand, Depends(_the_stand)]
