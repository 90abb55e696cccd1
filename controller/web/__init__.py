"""The daemon's door: state, commands and snapshots over HTTP and WebSocket. The web framework lives here."""

from typing import TYPE_CHECKING

from hardware.lazy_face import load_on_demand

if TYPE_CHECKING:
    from controller.web.api import make_app
    from controller.web.client import Client, DaemonGone, Refused
    from controller.web.server import listening, serve
    from controller.web.sockets import daemon_runs, find_socket, wait_for_daemon
else:
    __getattr__ = load_on_demand(__name__, __file__)

__all__ = [
    "Client",
    "DaemonGone",
    "Refused",
    "daemon_runs",
    "find_socket",
    "listening",
    "make_app",
    "serve",
    "wait_for_daemon",
]
