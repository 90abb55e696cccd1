"""The checks that every request passes before the application sees it: host, origin, kind and size of the body."""

from controller.web.guards.bodies import SmallJson
from controller.web.guards.forms import OneForm
from controller.web.guards.headers import PAGE_HEADERS, PageHeaders
from controller.web.guards.hosts import OwnHosts
from controller.web.guards.origins import OwnPages, is_embedded

__all__ = ["PAGE_HEADERS", "OneForm", "OwnHosts", "OwnPages", "PageHeaders", "SmallJson", "is_embedded"]
