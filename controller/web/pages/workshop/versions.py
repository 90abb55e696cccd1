"""The page of the versions: which runs, and how another is tried or gone back to."""

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from controller.runtime.home import Home
from controller.web.dependencies import TheLookups, TheRestart
from controller.web.pages.page import PageRoute, draw_page

if TYPE_CHECKING:
    from controller.service.versions import Versions

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/workshop/versions")
async def versions(request: Request, lookups: TheLookups, restart: TheRestart) -> HTMLResponse:
    """The versions of the program here; the daemon, which is not root, may start itself anew and change none."""
    found = await lookups.recall(versions_here)
    return draw_page(request, "workshop/versions.html", versions=found, can_restart=restart is not None)


def versions_here(_home: Home) -> "Versions":
    """Return the versions of the installation that this daemon is of."""
    # Loaded here: most daemons never plan an update.
    from controller.service.versions import read_versions

    return read_versions()
