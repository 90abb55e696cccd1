"""The one API of the daemon, on which terminal, pages and phones are built.

A client with a token sends it everywhere, as `Authorization: Bearer TOKEN`. Every refusal has one shape (`Refusal`).
One table, `roles.py`, says which role may use which address.
"""

import asyncio
from collections.abc import Callable

from fastapi import FastAPI

from controller.access.access import Access
from controller.jobs.jobs import Jobs
from controller.referee.box_slot import BoxSlot
from controller.referee.referee import Referee
from controller.referee.subscribers import Meters
from controller.runtime.home import Home
from controller.settings import Voice, Web
from controller.web.api import openapi, state
from controller.web.lookups import Lookups
from controller.web.pages import evening, files, join, manual, play
from controller.web.pages.lesson import router as lesson_router
from controller.web.pages.lookback import lists, replay
from controller.web.pages.page import draw_refused
from controller.web.pages.rulebook.pages import router as rulebook_router
from controller.web.pages.scene import TilePictures
from controller.web.pages.start import router as start_router
from controller.web.pages.table.parts import DrawnParts
from controller.web.pages.wall import router as wall_router
from controller.web.pages.workshop import backup, first, overview, pictures, report, settings, versions, work
from controller.web.refusals import install_error_handlers
from controller.web.security.guards import SmallJson
from controller.web.security.principal import requester_of

# Taken as they are: where a router is included, the framework analyses each route again, at the first request and on
# the loop.
ROUTES = [
    route
    for router in (
        *openapi.ROUTERS,
        start_router,
        join.router,
        play.router,
        wall_router,
        lesson_router,
        evening.router,
        lists.router,
        replay.router,
        rulebook_router,
        overview.router,
        first.router,
        work.router,
        backup.router,
        settings.router,
        report.router,
        pictures.router,
        versions.router,
        manual.router,
        files.router,
    )
    for route in router.routes
]


def make_app(
    referee: Referee,
    *,
    home: Home | None = None,
    access: Access | None = None,
    meters: Meters | None = None,
    jobs: Jobs | None = None,
    stand: BoxSlot | None = None,
    network: Web | None = None,
    voice: Voice | None = None,
    restart: Callable[[], None] | None = None,
) -> FastAPI:
    """Return the API of one referee. It has no state of its own: its answers come from the referee's snapshot.

    home: source of games, settings and measurements; None for a table that stores nothing.
    access: the access rights; None for a table without a home, which forgets them.
    meters: the counts so far.
    jobs: calibrates and tests the box; None if it is only played on.
    stand: replaces a simulated box by another; None if the box stays.
    network: how other devices reach this box.
    voice: when pages say nothing aloud.
    restart: ends the daemon so that it is started anew; None if nobody would start it.
    Raises `LookupError` for a route that the table of roles does not list.
    """
    app = FastAPI(
        title="shutbox", openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, routes=ROUTES
    )
    tile_pictures = TilePictures(None if home is None else home.tile_pictures)
    app.add_middleware(SmallJson)
    app.state.access, app.state.jobs = access or Access(), jobs
    app.state.stand, app.state.network = stand, network or Web()
    app.state.referee, app.state.texts = referee, state.SnapshotJson()
    app.state.meters, app.state.drawn = meters or Meters(), DrawnParts(tile_pictures)
    app.state.home, app.state.voice = home, voice or Voice()
    app.state.lookups, app.state.requester_of = None if home is None else Lookups(home), requester_of
    app.state.evening = None
    app.state.restart, app.state.restoring, app.state.second_look = restart, asyncio.Lock(), asyncio.Lock()
    install_error_handlers(app, draw_refused)
    return app
