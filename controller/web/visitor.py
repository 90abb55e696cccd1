"""Who is asking: through which socket, by which tokens, and as what."""

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.access import DeviceView, PairingView
from controller.errors import UnknownSeat
from controller.game import Caller, Role
from controller.web.cookies import OPERATOR, SEAT
from controller.web.provided import access_of, referee_of
from controller.web.roles import reaches
from controller.web.waiting import Asker

_LOCAL = "shutbox.local"  # in the scope of a connection that came through the box's own socket


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who asks.

    is_local: he came through the Unix socket, which is the box's own terminal and guarded by the rights of its file.
    address: where he asks from; empty where that has no address. token: what he has shown for seats at the table;
    None: nothing. caller: who that is to the referee. role: what he may use. device: the operator's device that asks,
    and pairing: what it waits for to become one.
    """

    is_local: bool
    address: str
    token: str | None
    caller: Caller
    role: Role
    device: DeviceView | None = None
    pairing: PairingView | None = None


class FromHere:
    """The application as it is served at the box's own terminal."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        await self._app({**scope, _LOCAL: True}, receive, send)


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who asks here. Raises `UnknownSeat` for a token that this box has not given, or that is not shown as one."""
    access, is_local = access_of(connection), bool(connection.scope.get(_LOCAL))
    shown = _bearer_of(connection)
    operators = shown or connection.cookies.get(OPERATOR, "")
    device, pairing = access.device_of(operators), access.pairing_of(operators)
    is_of_seat = shown is not None and device is None and pairing is None
    token = shown if is_of_seat else _cookie_of_seat(connection)
    caller = referee_of(connection).seating.caller(token)
    if not is_local:
        caller = _from_network(caller, token, is_operator=device is not None)
    address = connection.client.host if connection.client else ""
    role = "operator" if is_local or device is not None else caller.role
    return Visitor(is_local, address, token, caller, role, device, pairing)


def asker_of(connection: HTTPConnection) -> Asker:
    """Who asks here, among those who wait for an answer; a token of nobody's is as good as none."""
    address = connection.client.host if connection.client else ""
    try:
        visitor = visitor_of(connection)
    except UnknownSeat:
        return Asker(address, is_guest=True)
    if not reaches(visitor.role, "player"):
        return Asker(address, is_guest=True)
    return Asker(str(visitor.device.number) if visitor.device else visitor.token or address)


def _from_network(caller: Caller, token: str | None, *, is_operator: bool) -> Caller:
    """Who has not sat down acts for nobody; and what he sat down as makes nobody an operator."""
    if token is not None and caller.role != "operator":
        return caller
    return replace(caller, role="operator" if is_operator else "spectator")


def _cookie_of_seat(connection: HTTPConnection) -> str | None:
    """The token of a seat that a page keeps; None for one that is good no more: browsers show it unasked."""
    token = connection.cookies.get(SEAT)
    try:
        referee_of(connection).seating.caller(token)
    except UnknownSeat:
        return None
    return token


def _bearer_of(connection: HTTPConnection) -> str | None:
    """The token in a header of the form `Bearer TOKEN`; None without one. Raises `UnknownSeat` for another header."""
    authorization = connection.headers.get("authorization")
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise UnknownSeat("a token is shown as Authorization: Bearer TOKEN")
    return token


async def _the_visitor(connection: HTTPConnection) -> Visitor:
    # A plain function would be called in a thread, and wait for one.
    return visitor_of(connection)


TheVisitor = Annotated[Visitor, Depends(_the_visitor)]
