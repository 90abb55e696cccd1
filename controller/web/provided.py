"""What the handlers of the routes are given: the one place that knows where the application keeps it."""

from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from controller.access import Access
from controller.referee import Referee


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


TheReferee = Annotated[Referee, Depends(_the_referee)]
TheAccess = Annotated[Access, Depends(_the_access)]
