"""Dependencies of the route handlers: the objects of the application, and the language of the device."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Depends, Header
from starlette.requests import HTTPConnection

from controller.access.access import Access
from controller.errors import NotNow, NotThere, ShutboxError
from controller.game.core.message import Language
from controller.jobs.jobs import Jobs
from controller.messages.words import LANGUAGES, accepted_languages, choose_language
from controller.referee.box_slot import BoxSlot
from controller.referee.referee import Referee
from controller.referee.subscribers import Meters
from controller.runtime.home import Home
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


def _part(name: str, refusal: type[ShutboxError] = NotThere, line: str = "") -> Any:
    """Return the dependency on one object of the application. line: of the refusal if there is none."""

    # A coroutine: a plain function would run in a worker thread, and wait for a free one.
    async def find(connection: HTTPConnection) -> Any:
        found = getattr(connection.app.state, name)
        if found is None:
            raise refusal(line)
        return found

    return Depends(find)


async def find_lookups(
    connection: HTTPConnection,
    lookups: Annotated[Lookups, _part("lookups", NotThere, "this table keeps nothing beside its game")],
) -> Lookups:
    """Return the lookups of the client behind a connection. Raises `NotThere` for a table without a home."""
    return lookups.for_requester(connection.app.state.requester_of(connection))


TheReferee = Annotated[Referee, _part("referee")]
TheAccess = Annotated[Access, _part("access")]
TheLookups = Annotated[Lookups, Depends(find_lookups)]
TheMeters = Annotated[Meters, _part("meters")]
TheJobs = Annotated[Jobs, _part("jobs", NotNow, "nothing is calibrated or tested at this table")]
TheStoredHome = Annotated[Home, _part("home", NotThere, "this table keeps nothing beside its game")]
TheRestoring = Annotated[asyncio.Lock, _part("restoring")]
TheSecondLook = Annotated[asyncio.Lock, _part("second_look")]
TheBoxSlot = Annotated[BoxSlot, _part("stand", NotNow, "the box at this table stays")]

MOST_SECRET = 64  # characters
# The secret by which a job knows its holder, if the client has one.
AnyHold = Annotated[str | None, Header(alias="Job-Hold", max_length=MOST_SECRET)]


async def find_restart(connection: HTTPConnection) -> Callable[[], None] | None:
    """Return what ends the daemon so that it is started anew; None if nobody would start it."""
    restart: Callable[[], None] | None = connection.app.state.restart
    return restart


TheRestart = Annotated[Callable[[], None] | None, Depends(find_restart)]


def check_at_rest(referee: Referee) -> None:
    """Raise `NotNow` during a job, and in a game that is not paused."""
    shown = referee.snapshot
    if shown.job is not None:
        raise NotNow("the box is being calibrated or tested; wait until that is over")
    if shown.is_game_on and shown.phase != "parked":
        raise NotNow("a game is on; pause it first (park), then the box is free for this")


LOCAL = "shutbox.local"  # key in the scope of a connection that came through the box's own socket
LANGUAGE = "shutbox-language"  # the cookie in which a device keeps its language; a script of the page sets it


def speaks_to_people(connection: HTTPConnection) -> bool:
    """Return True for a browser, which says which language people speak; the terminal has a voice of its own."""
    names_language = LANGUAGE in connection.cookies or "accept-language" in connection.headers
    return names_language and not connection.scope.get(LOCAL)


def language_of(connection: HTTPConnection) -> Language:
    """Return the language chosen at this device, or else the browser's most preferred one that the box speaks."""
    chosen = connection.cookies.get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return choose_language([chosen])
    return choose_language(accepted_languages(connection.headers.get("accept-language", "")))
