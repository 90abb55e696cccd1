"""The API and the pages of the daemon, over HTTP and WebSocket, and the clients of the API.

The web framework is imported here and nowhere else; a command that only checks for a running daemon does not load it.
"""

from typing import TYPE_CHECKING

from hardware.on_demand import load_on_demand

if TYPE_CHECKING:
    from controller.web.access_client import AccessClient, reach_access
    from controller.web.app import make_app
    from controller.web.client import Client, DaemonGone, Refused
    from controller.web.invitation import is_for_this_computer, join_link, page_addresses, qr_code
    from controller.web.job_client import JobClient
    from controller.web.network import listen_to_network
    from controller.web.openapi import describe_api
    from controller.web.pages import draw_selftest
    from controller.web.server import listen, serve
    from controller.web.sockets import daemon_runs, find_socket, wait_for_daemon
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "AccessClient",
    "Client",
    "DaemonGone",
    "JobClient",
    "Refused",
    "daemon_runs",
    "describe_api",
    "draw_selftest",
    "find_socket",
    "is_for_this_computer",
    "join_link",
    "listen",
    "listen_to_network",
    "make_app",
    "page_addresses",
    "qr_code",
    "reach_access",
    "serve",
    "wait_for_daemon",
]
