"""The one API of the daemon: terminal, pages and phones all stand on it.

Who has a token shows it everywhere, as `Authorization: Bearer TOKEN`. Every refusal has one shape (`Refusal`). Who may
use which address stands in one table, `roles.py`.
"""

from functools import cache

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from controller.access import Access
from controller.calibrate import Workshop
from controller.referee import Meters, Referee, Stand
from controller.settings import Home, Web
from controller.web import openapi, snapshots
from controller.web.guards import SmallJson
from controller.web.lookups import Lookups
from controller.web.pages import ROUTERS as PAGES
from controller.web.pages import DrawnParts, TilePictures, draw_refused
from controller.web.refusals import answer_in_one_shape
from controller.web.routes import ROUTERS
from controller.web.visitor import asker_of


def make_app(
    referee: Referee,
    *,
    home: Home | None = None,
    access: Access | None = None,
    meters: Meters | None = None,
    workshop: Workshop | None = None,
    stand: Stand | None = None,
    network: Web | None = None,
) -> FastAPI:
    """The API of one referee. It keeps nothing of its own: what it answers with is the referee's snapshot.

    home: what was played, set and measured is told out of it; None: of a table that keeps nothing.
    access: who may do what here; None: at a table without a home, where it is forgotten.
    meters: what was counted so far. workshop: where the box is calibrated and tested; None: it is only played on.
    stand: where a simulated box makes room for another; None: it stays. network: how others reach this box.
    Raises `LookupError` for a route that has no line in the table of roles.
    """
    app = FastAPI(
        title="shutbox",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        routes=_routes(),
    )
    app.add_middleware(SmallJson)
    app.state.access, app.state.workshop = access or Access(), workshop
    app.state.stand, app.state.network = stand, network or Web()
    app.state.referee, app.state.texts = referee, snapshots.SnapshotTexts()
    app.state.meters, app.state.drawn = meters or Meters(), DrawnParts(_pictures_of(home))
    app.state.home = home
    app.state.lookups, app.state.asker_of = None if home is None else Lookups(home), asker_of
    answer_in_one_shape(app, draw_refused)
    return app


@cache
def _routes() -> list[BaseRoute]:
    """All routes, once for every application of this process: the framework works long on what each takes and gives."""
    collected = APIRouter(generate_unique_id_function=_name_of)
    for router in (*ROUTERS, openapi.router, snapshots.router, *PAGES):
        collected.include_router(router)
    return collected.routes


def _pictures_of(home: Home | None) -> TilePictures:
    return TilePictures(None if home is None else home.tile_pictures)


def _name_of(route: APIRoute) -> str:
    return route.name
