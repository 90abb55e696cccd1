"""What every request must pass before the application sees it: which host, which page, what kind of body, how large."""

from starlette.types import ASGIApp

from controller.web.guards.bodies import SmallJson
from controller.web.guards.forms import OneForm
from controller.web.guards.headers import PAGE_HEADERS, PageHeaders
from controller.web.guards.hosts import OwnHosts
from controller.web.guards.origins import OwnPages, is_embedded

__all__ = ["PAGE_HEADERS", "OneForm", "SmallJson", "from_network", "is_embedded"]


def from_network(app: ASGIApp, name: str = "") -> ASGIApp:
    """The application as it is served to the network, where browsers show pages of anybody's.

    name: of the box, besides that of its computer.
    """
    return PageHeaders(OwnHosts(OwnPages(app), name))
