"""The check of every route: a client that may not use it is refused before the rest of the request is read."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection

from controller.errors import NotYours
from controller.web.roles import Least, least_role, reaches
from controller.web.visitor import principal_of

_FOR: Mapping[Least, str] = {
    "player": "players; take a seat first",
    "operator": "operators; say the PIN of this box first, or pair this device",
    "terminal": "the box's own terminal, and nobody else",
}


class AuthorizedRoute(APIRoute):
    """A route that checks the table of roles first. Raises `LookupError` on creation if the table does not list it."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        least = {method: least_role(method, self.path) for method in self.methods or ()}

        async def handle_admitted(request: Request) -> Response:
            admit(request, least[request.method])
            return await handle(request)

        return handle_admitted


def admit(connection: HTTPConnection, least: Least) -> None:
    """Raise `NotYours` unless the client has at least this role, and `UnknownSeat` for an unknown token."""
    if least == "spectator":
        return
    principal = principal_of(connection)
    if not reaches("terminal" if principal.is_local else principal.role, least):
        raise NotYours(f"this is for {_FOR[least]}")
