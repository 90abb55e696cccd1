"""Who is asking: through which socket, by which token, and as what."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.errors import UnknownSeat
from controller.game import Caller, Role
from controller.web.provided import referee_of

_LOCAL = "shutbox.local"  # in the scope of a connection that came through the box's own socket


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who asks.

    is_local: he came through the Unix socket, which is the box's own terminal and guarded by the rights of its file.
    token: what he has shown; None: nothing. caller: who that is to the referee. role: what he may use.
    """

    is_local: bool
    token: str | None
    caller: Caller
    role: Role


class FromHere:
    """The application as it is served at the box's own terminal."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        await self._app({**scope, _LOCAL: True}, receive, send)


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who asks here. Raises `UnknownSeat` for a token that is not one of this table, or not shown as one."""
    token, is_local = token_of(connection), bool(connection.scope.get(_LOCAL))
    caller = referee_of(connection).caller(token)
    return Visitor(is_local, token, caller, _role_of(caller, token, is_local=is_local))


def _role_of(caller: Caller, token: str | None, *, is_local: bool) -> Role:
    if is_local:
        return "operator"
    return "spectator" if token is None else caller.role


def token_of(connection: HTTPConnection) -> str | None:
    """The token in a header of the form `Bearer TOKEN`; None without one. Raises `UnknownSeat` for another header."""
    authorization = connection.headers.get("authorization")
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise UnknownSeat("a seat is shown as Authorization: Bearer TOKEN")
    return token


async def _the_visitor(connection: HTTPConnection) -> Visitor:
    # A plain function would be called in a thread, and wait for one.
    return visitor_of(connection)


TheVisitor = Annotated[Visitor, Depends(_the_visitor)]
