"""The gate of every route: whoever may not use it is refused before anything else of his request is read."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection

from controller.errors import NotYours
from controller.web.roles import Least, least_role, reaches
from controller.web.visitor import visitor_of

_FOR: Mapping[Least, str] = {
    "player": "players; take a seat first",
    "operator": "operators; say the PIN of this box first, or pair this device",
    "terminal": "the box's own terminal, and nobody else",
}


class GatedRoute(APIRoute):
    """A route that asks the table of roles first. Raises `LookupError` when it is made without a line there."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler behind the gate."""
        handle = super().get_route_handler()
        least = {method: least_role(method, self.path) for method in self.methods or ()}

        async def handle_admitted(request: Request) -> Response:
            admit(request, least[request.method])
            return await handle(request)

        return handle_admitted


def admit(connection: HTTPConnection, least: Least) -> None:
    """Raise `NotYours` unless who asks has at least this role, and `UnknownSeat` for a token of nobody's."""
    if least == "spectator":
        return
    visitor = visitor_of(connection)
    if not reaches("terminal" if visitor.is_local else visitor.role, least):
        raise NotYours(f"this is for {_FOR[least]}")
