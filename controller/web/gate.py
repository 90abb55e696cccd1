"""The gate of every route: whoever may not use it is refused before anything else of his request is read."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection

from controller.errors import NotYours
from controller.game import Role
from controller.web.roles import least_role, reaches
from controller.web.visitor import visitor_of


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


def admit(connection: HTTPConnection, least: Role) -> None:
    """Raise `NotYours` unless who asks has at least this role, and `UnknownSeat` for a token of nobody's."""
    if least == "spectator":
        return
    visitor = visitor_of(connection)
    if not reaches(visitor.role, least):
        cure = "take a seat first" if least == "player" else "say the PIN of this box first, or pair this device"
        raise NotYours(f"this is for {'players' if least == 'player' else 'operators'}; {cure}")
