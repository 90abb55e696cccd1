"""The one API of the daemon: its addresses, and the status and line of each refusal.

Terminal, pages and phones all stand on it.

GET  /api/state       the present snapshot
GET  /api/moves       ?offset=64: {"game_id", "event", "count", "moves"}: the moves from there on, 256 at most;
                      a snapshot has the first 64
POST /api/commands    {"do": "roll"} ... as `COMMAND` reads it; answers with the snapshot after it, or 4xx with a line.
                      409: it cannot be done now, 403: another may do it; `state` is the present snapshot then. With
                      the `game_id` and `event` of the snapshot it was meant for, a late command is refused; with a
                      `key` of its own it is done once only, however often it comes
POST /api/seats       {"names": ["Ann"], "door": "page", "role": "player"}: sit down; answers with a `token`, or 409
                      where somebody else sits there. No names: be at the table, with the seats that nobody has taken.
                      With the token that one has, other seats in place of those
DELETE /api/seats     give the seats back
WS   /api/snapshots   a snapshot after every change, beginning with the present one; whoever listens is at the table

Who has a token shows it everywhere, as `Authorization: Bearer TOKEN`; 401: it is not one of this table.
"""

import asyncio
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import FastAPI, Header, HTTPException, Query, Request, WebSocket, WebSocketDisconnect
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import ConfigDict, Field

from controller.errors import NotNow, NotYours, ShutboxError, UnknownSeat
from controller.game import LONGEST_NAME, MOST_PLAYERS, SNAPSHOT, ClientCommand, Role, Snapshot
from controller.process import run_in_background
from controller.referee import Referee, Ticket
from controller.rules import RulesError

# In characters. Our own lines are shorter; only what a client sent, and is quoted, can be longer.
_LONGEST_LINE = 1000
_MOVES_A_PAGE = 256
# What pydantic says of Python's types, by the kind of mistake, as it is said of JSON.
_IN_JSON = {
    "unexpected_keyword_argument": "Extra inputs are not permitted",
    "dataclass_type": "Input should be a valid dictionary or object to extract fields from",
    "tuple_type": "Input should be a valid list",
}


Bearer = Annotated[str | None, Header()]
SeatName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """Who sits down, through which of people's doors."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    names: Annotated[tuple[SeatName, ...], Field(max_length=MOST_PLAYERS, fail_fast=True)] = ()
    door: Literal["terminal", "page", "script"] = "script"
    role: Role = "player"


@dataclass(frozen=True, slots=True)
class MovesPage:
    """Some of the moves that may be chosen after an event of a game, in their order; `count` is that of all."""

    game_id: int
    event: int
    count: int
    moves: tuple[tuple[str, ...], ...]


def make_app(referee: Referee) -> FastAPI:
    """The API of one referee. It keeps nothing of its own: what it answers with is the referee's snapshot."""
    app = FastAPI(title="shutbox", docs_url=None, redoc_url=None)
    texts = _Texts()

    @app.get("/api/state")
    async def state() -> Snapshot:
        return referee.snapshot

    @app.get("/api/moves")
    async def moves(offset: Annotated[int, Query(ge=0)] = 0) -> MovesPage:
        found, now = referee.moves(), referee.snapshot
        return MovesPage(now.game_id, now.event, len(found), found[offset : offset + _MOVES_A_PAGE])

    @app.post("/api/commands")
    async def command(asked: ClientCommand, authorization: Bearer = None) -> Snapshot:
        return await referee.ask(asked, referee.caller(_token_of(authorization)))

    @app.post("/api/seats")
    async def sit(asked: SeatRequest, authorization: Bearer = None) -> Ticket:
        return await referee.sit(asked.names, asked.door, asked.role, _token_of(authorization))

    @app.delete("/api/seats", status_code=204)
    async def leave(authorization: Bearer = None) -> None:
        await referee.leave(_token_of(authorization) or "")

    @app.websocket("/api/snapshots")
    async def snapshots(socket: WebSocket) -> None:
        try:
            token = _token_of(socket.headers.get("authorization"))
            with nullcontext() if token is None else referee.present(token):
                await socket.accept()
                async with referee.watch() as queue, run_in_background(_send_all(queue, socket, texts)):
                    # Clients say nothing here; but only who listens hears that one has gone.
                    while (await socket.receive())["type"] != "websocket.disconnect":
                        pass
        except UnknownSeat as error:
            await socket.send_denial_response(_refusal(401, error.code, str(error)))

    @app.exception_handler(RulesError)
    async def answer_illegal(_request: Request, error: RulesError) -> JSONResponse:
        return _refusal(422, error.code, str(error))

    @app.exception_handler(ShutboxError)
    async def answer_refused(_request: Request, error: ShutboxError) -> JSONResponse:
        return _refusal(422, error.code, str(error))

    @app.exception_handler(NotNow)
    async def answer_not_now(_request: Request, error: NotNow) -> JSONResponse:
        # Whoever asks for what cannot be done now has not seen the newest state.
        status = 403 if isinstance(error, NotYours) else 409
        return _refusal(status, error.code, str(error), state=SNAPSHOT.dump_python(referee.snapshot, mode="json"))

    @app.exception_handler(UnknownSeat)
    async def answer_unknown(_request: Request, error: UnknownSeat) -> JSONResponse:
        return _refusal(401, error.code, str(error))

    @app.exception_handler(RequestValidationError)
    async def answer_not_understood(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        return _refusal(422, "C-201", f"{where or 'message'}: {_describe_mistake(first['type'], first['msg'])}")

    @app.exception_handler(400)
    async def answer_unreadable(_request: Request, error: HTTPException) -> JSONResponse:
        # Lists inside lists without end, numbers of thousands of digits: JSON, but more than Python reads.
        return _refusal(error.status_code, "C-201", f"message: {error.detail}")

    return app


def _token_of(authorization: str | None) -> str | None:
    """The token in a header of the form `Bearer TOKEN`; None without one. Raises `UnknownSeat` for another header."""
    if authorization is None:
        return None
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise UnknownSeat("a seat is shown as Authorization: Bearer TOKEN")
    return token


class _Texts:
    """The JSON of the last snapshot: with fifty watchers it would be made fifty times, and the loop stand still."""

    def __init__(self) -> None:
        self._made: tuple[Snapshot, str] | None = None

    def of(self, snapshot: Snapshot) -> str:
        """The snapshot as JSON."""
        if self._made is None or self._made[0] is not snapshot:
            self._made = (snapshot, SNAPSHOT.dump_json(snapshot).decode())
        return self._made[1]


async def _send_all(queue: asyncio.Queue[Snapshot], socket: WebSocket, texts: _Texts) -> None:
    with suppress(WebSocketDisconnect):
        while True:
            await socket.send_text(texts.of(await queue.get()))


def _describe_mistake(kind: str, message: str) -> str:
    """A mistake of a client in words of JSON: it has never heard of tuples and of our classes."""
    return _IN_JSON.get(kind, message.replace("Tuple should", "List should"))


def _refusal(status: int, code: str, line: str, **more: object) -> JSONResponse:
    # A line may quote what was sent, which may be of many lines and of any length.
    quoted = "".join(sign if sign.isprintable() else "?" for sign in line[:_LONGEST_LINE])
    return JSONResponse({"error": quoted, "code": code, **more}, status_code=status)
