"""Somebody is told of the table on a WebSocket, for as long as he listens."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import nullcontext

from fastapi import WebSocket
from starlette.status import WS_1008_POLICY_VIOLATION

from controller.errors import NotYours, UnknownSeat
from controller.game import Snapshot
from controller.process import run_in_background
from controller.referee import Referee
from controller.web.gate import admit
from controller.web.refusals import refusal
from controller.web.roles import WEBSOCKET, least_role
from controller.web.visitor import visitor_of

SendAll = Callable[[asyncio.Queue[Snapshot]], Coroutine[None, None, None]]


async def tell_watcher(
    socket: WebSocket, referee: Referee, path: str, send_all: SendAll, *, is_present: bool = True
) -> None:
    """Have `send_all` send what comes of each snapshot until whoever listens has gone, or says something himself.

    path: whose least role he needs. is_present: with a token he is at the table meanwhile. Refused with 403 to who may
    not listen, with 401 to a token of nobody.
    """
    try:
        admit(socket, least_role(WEBSOCKET, path))
        token = visitor_of(socket).token if is_present else None
        with nullcontext() if token is None else referee.present(token):
            await socket.accept()
            async with referee.watch() as queue, run_in_background(send_all(queue)):
                # Watchers say nothing here; but only who listens hears that one has gone.
                heard = await socket.receive()
            if heard["type"] != "websocket.disconnect":
                await socket.close(WS_1008_POLICY_VIOLATION)
    except (NotYours, UnknownSeat) as error:
        status = 403 if isinstance(error, NotYours) else 401
        await socket.send_denial_response(refusal(status, error.code, str(error)))
