"""The principal behind a connection, by its socket, cookies and tokens, and the routes that check its role."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from fastapi.routing import APIRoute
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from controller.access.access import PairingView
from controller.access.state import DeviceView
from controller.errors import NotYours, UnknownSeat
from controller.game.core.actions import Role
from controller.game.table.caller import Caller
from controller.web.dependencies import LOCAL, access_of, referee_of
from controller.web.lookups import Requester
from controller.web.roles import Least, least_role, reaches
from controller.web.security.guards import Layer, is_secure

SEAT, OPERATOR = "shutbox-seat", "shutbox-operator"
_LASTS_S = 180 * 24 * 3600


def set_cookie(request: Request, response: Response, name: str, token: str) -> None:
    """Make the browser send this token from now on; if the page came by https, never without it."""
    name, secure = _cookie(request, name)
    response.set_cookie(name, token, max_age=_LASTS_S, path="/", secure=secure, httponly=True, samesite="strict")


def forget_cookie(request: Request, response: Response, name: str) -> None:
    name, secure = _cookie(request, name)
    response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="strict")


def _cookie(connection: HTTPConnection, name: str) -> tuple[str, bool]:
    """Return what a cookie is called here, and whether it is `Secure`.

    By another name behind a proxy: a box may be open by http too, and there no cookie replaces a `Secure` one.
    """
    secure = is_secure(connection.scope)
    return f"__Host-{name}" if secure else name, secure


@dataclass(frozen=True, slots=True)
class Principal:
    """The client behind a connection.

    is_local: it came through the Unix socket, which is the box's own terminal and guarded by its file permissions.
    """

    is_local: bool
    address: str  # of the client; empty if it has none
    token: str | None  # shown for seats at the table; None if there is none
    caller: Caller  # the client as the referee sees it
    role: Role  # decides which addresses the client may use
    device: DeviceView | None = None  # the operator's device that it is
    pairing: PairingView | None = None  # the pairing by which it waits to become one


class LocalApp(Layer):
    """The application as it is served at the box's own terminal."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app({**scope, LOCAL: True}, receive, send)


def principal_of(connection: HTTPConnection) -> Principal:
    """Return the principal of a connection. Raises `UnknownSeat` for an unknown token or a malformed header."""
    access, is_local = access_of(connection), bool(connection.scope.get(LOCAL))
    seating, shown = referee_of(connection).seating, None
    if (authorization := connection.headers.get("authorization")) is not None:
        scheme, _, shown = authorization.partition(" ")
        if scheme.lower() != "bearer" or not shown:
            raise UnknownSeat("a token is shown as Authorization: Bearer TOKEN")
    operators = shown or connection.cookies.get(_cookie(connection, OPERATOR)[0], "")
    device, pairing = access.device_of(operators), access.pairing_of(operators)
    if shown is not None and device is None and pairing is None:
        token: str | None = shown
        caller = seating.caller(token)
    else:
        token = connection.cookies.get(_cookie(connection, SEAT)[0])
        try:
            caller = seating.caller(token)
        except UnknownSeat:
            # Browsers send an invalid cookie unasked: it counts as none.
            token, caller = None, seating.caller(None)
    if not is_local and (token is None or caller.role == "operator"):
        # In the network a client without a seat acts for nobody, and no seat makes its holder an operator.
        caller = replace(caller, role="spectator" if device is None else "operator")
    if token is None and device is not None:
        caller = replace(caller, client=f"device {device.number}")
    address = connection.client.host if connection.client else ""
    role = "operator" if is_local or device is not None else caller.role
    return Principal(is_local, address, token, caller, role, device, pairing)


def requester_of(connection: HTTPConnection) -> Requester:
    """Return the client's identity in the request queue; an invalid token counts as no token."""
    address = connection.client.host if connection.client else ""
    try:
        principal = principal_of(connection)
    except UnknownSeat:
        return Requester(address, is_guest=True)
    if not reaches(principal.role, "player"):
        return Requester(address, is_guest=True)
    return Requester(str(principal.device.number) if principal.device else principal.token or address)


async def find_principal(connection: HTTPConnection) -> Principal:
    """Return the principal. A plain function would run in a worker thread, and wait for a free one."""
    return principal_of(connection)


ThePrincipal = Annotated[Principal, Depends(find_principal)]


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
