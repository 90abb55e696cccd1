"""The routes of the application, as the tests compare them with its table of roles."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from fastapi.routing import APIRoute, APIWebSocketRoute
from starlette.routing import BaseRoute

from controller.web.api.openapi import describe_api
from controller.web.roles import WEBSOCKET


@cache
def description() -> dict[str, Any]:
    """Return the description of the API, made once, since that takes a second."""
    return describe_api()


def addresses(routes: Iterable[BaseRoute]) -> Iterable[tuple[str, str]]:
    """Yield method and path of every route. Raises `TypeError` for a kind of route whose role nobody checks."""
    for route in routes:
        match route:
            case APIRoute():
                yield from ((method, route.path) for method in route.methods or ())
            case APIWebSocketRoute():
                yield WEBSOCKET, route.path
            case _:
                raise TypeError(f"{route} is served to everybody: make it an APIRoute")
