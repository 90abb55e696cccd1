"""The one table of who may use which address: without a line in it no route is served.

What a player may do in the game is asked by the referee besides (`controller.game.table.caller.check_may`).
"""

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import BaseRoute

from controller.game import Role

WEBSOCKET = "WS"
# The box's own terminal: what must stay possible without any token, and with no stolen one.
Least = Role | Literal["terminal"]
_RANKS: Mapping[Least, int] = {role: rank for rank, role in enumerate((*get_args(Role), "terminal"))}

# The least of the roles that may: a player may what a spectator may, an operator what both may, the terminal all.
LEAST: Mapping[tuple[str, str], Least] = {
    ("GET", "/api/state"): "spectator",
    ("GET", "/api/moves"): "spectator",
    ("GET", "/api/openapi.json"): "spectator",
    ("GET", "/api/games"): "spectator",
    ("GET", "/api/games/{game}"): "spectator",
    ("GET", "/api/odds"): "player",
    ("POST", "/api/odds"): "player",
    ("POST", "/api/moves"): "player",
    ("GET", "/api/history"): "spectator",
    ("GET", "/api/history/{game_id}"): "spectator",
    ("GET", "/api/history/{game_id}/luck"): "spectator",
    ("GET", "/api/statistics"): "spectator",
    ("GET", "/api/statistics/records"): "spectator",
    ("GET", "/api/statistics/tiles"): "spectator",
    ("GET", "/api/statistics/dice"): "spectator",
    ("GET", "/api/settings"): "operator",
    ("PUT", "/api/settings/{key}"): "operator",
    ("GET", "/api/pictures"): "operator",
    ("GET", "/api/pictures/{name}"): "operator",
    ("GET", "/api/wiring"): "operator",
    ("PUT", "/api/box"): "player",
    ("GET", "/api/health"): "operator",
    ("GET", "/api/backup"): "operator",
    ("GET", "/metrics"): "operator",
    ("POST", "/api/commands"): "player",
    ("GET", "/api/simulated"): "player",
    ("POST", "/api/simulated/deeds"): "player",
    ("POST", "/api/seats"): "spectator",
    ("DELETE", "/api/seats"): "spectator",
    ("POST", "/api/job"): "operator",
    ("GET", "/api/job"): "operator",
    ("DELETE", "/api/job"): "operator",
    ("POST", "/api/job/answer"): "operator",
    ("POST", "/api/job/hold"): "operator",
    ("GET", "/api/job/page"): "operator",
    (WEBSOCKET, "/api/snapshots"): "spectator",
    ("GET", "/api/access/me"): "spectator",
    ("DELETE", "/api/access/me"): "spectator",
    ("POST", "/api/access/pin"): "spectator",
    ("GET", "/api/access/pin"): "operator",
    ("PUT", "/api/access/pin"): "terminal",
    ("DELETE", "/api/access/pin"): "terminal",
    ("DELETE", "/api/access/pin/tries"): "terminal",
    ("POST", "/api/access/pairings"): "spectator",
    ("POST", "/api/access/pairings/confirmed"): "terminal",
    ("GET", "/api/access/devices"): "operator",
    ("DELETE", "/api/access/devices"): "operator",
    ("DELETE", "/api/access/devices/{number}"): "operator",
    ("GET", "/api/access/code"): "player",
    ("DELETE", "/api/access/code"): "operator",
    ("GET", "/api/access/link"): "terminal",
    ("GET", "/"): "spectator",
    ("GET", "/play"): "spectator",
    ("GET", "/learn"): "spectator",
    ("GET", "/lesson"): "spectator",
    ("GET", "/games"): "spectator",
    ("GET", "/games/{game_id}"): "spectator",
    ("GET", "/games/{game_id}/luck"): "spectator",
    ("GET", "/players/{name:path}"): "spectator",
    ("GET", "/dice"): "spectator",
    ("GET", "/rules"): "spectator",
    ("GET", "/rules/{game}"): "spectator",
    ("GET", "/start"): "spectator",
    ("GET", "/start/{game}"): "spectator",
    ("GET", "/start/{game}/marks/{kind}"): "spectator",
    ("GET", "/join"): "spectator",
    ("GET", "/join/{code}"): "spectator",
    ("GET", "/join.svg"): "player",
    ("GET", "/operator"): "spectator",
    ("GET", "/wall"): "spectator",
    ("GET", "/kiosk"): "spectator",
    ("GET", "/static/{digest}/{name}"): "spectator",
    ("GET", "/tiles/{mark}"): "spectator",
    (WEBSOCKET, "/live/{view}"): "spectator",
}


def reaches(role: Least, least: Least) -> bool:
    """True if `role` may do what is for `least`."""
    return _RANKS[role] >= _RANKS[least]


def least_role(method: str, path: str) -> Least:
    """The least role that may use an address. Raises `LookupError` for one that has no line in the table."""
    if (method, path) not in LEAST:
        raise LookupError(f"{method} {path} has no role: say in controller/web/roles.py who may use it")
    return LEAST[method, path]


def methods_of(path: str) -> tuple[str, ...]:
    """The methods that an address has, in their order; where it has GET, HEAD is served as that."""
    methods = {method for method, each in LEAST if each == path and method != WEBSOCKET}
    return tuple(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


def addresses(routes: Iterable[BaseRoute]) -> Iterable[tuple[str, str]]:
    """Method and path of every route. Raises `TypeError` for one of a kind of which nobody asks who may use it."""
    for route in routes:
        match route:
            case APIRoute():
                yield from ((method, route.path) for method in route.methods or ())
            case APIWebSocketRoute():
                yield WEBSOCKET, route.path
            case _:
                raise TypeError(f"{route} is served to everybody: make it an APIRoute")
