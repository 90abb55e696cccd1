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
    """Return True if `role` is `least` or a higher role."""
    return _RANKS[role] >= _RANKS[least]


def least_role(method: str, path: str) -> Least:
    """Return the lowest role that may use an address. Raises `LookupError` for one that the table does not list."""
    if (method, path) not in LEAST:
        raise LookupError(f"{method} {path} has no role: say in controller/web/roles.py who may use it")
    return LEAST[method, path]


def methods_of(path: str) -> tuple[str, ...]:
    """Return the methods of an address, sorted; HEAD is served wherever GET is."""
    methods = {method for method, each in LEAST if each == path and method != WEBSOCKET}
    return tuple(sorted(methods | ({"HEAD"} if "GET" in methods else set())))
