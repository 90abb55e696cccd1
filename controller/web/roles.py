"""The one table of the roles that may use each address: no route is served that it does not list.

What a player may do in the game is checked by the referee as well (`controller.game.table.caller.check_may`).
"""

from collections.abc import Mapping
from typing import Literal, get_args

from controller.game.core.actions import Role

WEBSOCKET = "WS"
# "terminal": for what must remain possible without any token, and impossible with a stolen one.
Least = Role | Literal["terminal"]
_RANKS: Mapping[Least, int] = {role: rank for rank, role in enumerate((*get_args(Role), "terminal"))}

# The lowest role that may use an address: each role may do what those below it may, in the order of `_RANKS`.
_BY_PATH: Mapping[str, Mapping[str, Least]] = {
    "/api/state": {"GET": "spectator"},
    "/api/moves": {"GET": "spectator", "POST": "player"},
    "/api/openapi.json": {"GET": "spectator"},
    "/api/games": {"GET": "spectator"},
    "/api/games/{game}": {"GET": "spectator"},
    "/api/odds": {"GET": "player", "POST": "player"},
    "/api/evening": {"GET": "spectator", "PUT": "operator"},
    "/api/history": {"GET": "spectator"},
    "/api/history/{game_id}": {"GET": "spectator"},
    "/api/history/{game_id}/luck": {"GET": "spectator"},
    "/api/history/{game_id}/record": {"GET": "spectator"},
    "/api/statistics": {"GET": "spectator"},
    "/api/statistics/records": {"GET": "spectator"},
    "/api/statistics/tiles": {"GET": "spectator"},
    "/api/statistics/dice": {"GET": "spectator"},
    "/api/settings": {"GET": "operator"},
    "/api/settings/{key}": {"PUT": "operator"},
    "/api/pictures": {"GET": "operator"},
    "/api/pictures/{name}": {"GET": "operator"},
    "/api/pictures/{name}/reading": {"GET": "operator"},
    "/api/throw/second-look": {"POST": "operator"},
    "/api/wiring": {"GET": "operator"},
    "/api/box": {"PUT": "player"},
    "/api/box/profile": {"PUT": "operator"},
    "/api/health": {"GET": "operator"},
    "/api/backup": {"GET": "operator"},
    "/api/restore": {"GET": "operator", "POST": "operator", "DELETE": "operator"},
    "/api/restore/confirmed": {"POST": "operator"},
    "/api/restart": {"POST": "operator"},
    "/metrics": {"GET": "operator"},
    "/api/commands": {"POST": "player"},
    "/api/simulated": {"GET": "player"},
    "/api/simulated/deeds": {"POST": "player"},
    "/api/seats": {"POST": "spectator", "DELETE": "spectator"},
    "/api/job": {"POST": "operator", "GET": "operator", "DELETE": "operator"},
    "/api/job/answer": {"POST": "operator"},
    "/api/job/hold": {"POST": "operator"},
    "/api/job/page": {"GET": "operator"},
    "/api/job/picture": {"GET": "operator"},
    "/api/snapshots": {WEBSOCKET: "spectator"},
    "/api/access/me": {"GET": "spectator", "DELETE": "spectator"},
    "/api/access/pin": {"POST": "spectator", "GET": "operator", "PUT": "terminal", "DELETE": "terminal"},
    "/api/access/pin/tries": {"DELETE": "terminal"},
    "/api/access/pairings": {"POST": "spectator"},
    "/api/access/pairings/confirmed": {"POST": "terminal"},
    "/api/access/devices": {"GET": "operator", "DELETE": "operator"},
    "/api/access/devices/{number}": {"DELETE": "operator"},
    "/api/access/code": {"GET": "player", "DELETE": "operator"},
    "/api/access/link": {"GET": "terminal"},
    "/": {"GET": "spectator"},
    "/play": {"GET": "spectator"},
    "/learn": {"GET": "spectator"},
    "/lesson": {"GET": "spectator"},
    "/games": {"GET": "spectator"},
    "/games/{game_id}": {"GET": "spectator"},
    "/games/{game_id}/luck": {"GET": "spectator"},
    "/games/{game_id}/picture": {"GET": "spectator"},
    "/evening": {"GET": "spectator"},
    "/evening/parts/{part}": {"GET": "spectator"},
    "/players/{name:path}": {"GET": "spectator"},
    "/dice": {"GET": "spectator"},
    "/rules": {"GET": "spectator"},
    "/rules/{game}": {"GET": "spectator"},
    "/start": {"GET": "spectator"},
    "/start/{game}": {"GET": "spectator"},
    "/start/{game}/marks/{kind}": {"GET": "spectator"},
    "/join": {"GET": "spectator"},
    "/join/{code}": {"GET": "spectator"},
    "/join.svg": {"GET": "player"},
    "/operator": {"GET": "spectator"},
    "/workshop": {"GET": "operator"},
    "/workshop/first": {"GET": "operator"},
    "/workshop/bringup": {"GET": "operator"},
    "/workshop/servos": {"GET": "operator"},
    "/workshop/camera": {"GET": "operator"},
    "/workshop/dice": {"GET": "operator"},
    "/workshop/selftest": {"GET": "operator"},
    "/workshop/job": {"GET": "operator"},
    "/workshop/sheets/{name}": {"GET": "operator"},
    "/workshop/backup": {"GET": "operator"},
    "/workshop/settings": {"GET": "operator"},
    "/workshop/report": {"GET": "operator"},
    "/workshop/report.txt": {"GET": "operator"},
    "/workshop/versions": {"GET": "operator"},
    "/workshop/pictures": {"GET": "operator"},
    "/workshop/pictures/{name}": {"GET": "operator"},
    "/wall": {"GET": "spectator"},
    "/kiosk": {"GET": "spectator"},
    "/docs": {"GET": "spectator"},
    "/docs/{name:path}": {"GET": "spectator"},
    "/static/{digest}/{name}": {"GET": "spectator"},
    "/tiles/{mark}": {"GET": "spectator"},
    "/live/{view}": {WEBSOCKET: "spectator"},
}
LEAST: Mapping[tuple[str, str], Least] = {
    (method, path): least for path, methods in _BY_PATH.items() for method, least in methods.items()
}


def reaches(role: Least, least: Least) -> bool:
    """Return True if `role` is `least` or a higher role."""
    return _RANKS[role] >= _RANKS[least]


def least_role(method: str, path: str) -> Least:
    """Return the lowest role that may use an address. Raises `LookupError` for one that the table does not list."""
    if (method, path) not in LEAST:
        raise LookupError(f"{method} {path} has no role: say in controller/web/roles.py who may use it")
    return LEAST[method, path]


def methods_of(path: str) -> tuple[str, ...]:
    """Return the methods of an address, sorted; HEAD is served wherever GET is."""
    methods = _BY_PATH.get(path, {}).keys() - {WEBSOCKET}
    return tuple(sorted(methods | ({"HEAD"} if "GET" in methods else set())))
