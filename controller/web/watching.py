"""Somebody is told of the table on a WebSocket, for as long as he listens."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import nullcontext, suppress

from fastapi import WebSocket
from starlette.status import WS_1008_POLICY_VIOLATION

from controller.errors import JournalError, UnknownSeat
from controller.game import Snapshot
from controller.journal import Mark
from controller.process import run_in_background
from controller.referee import Referee
from controller.web.gate import admit
from controller.web.provided import access_of
from controller.web.roles import WEBSOCKET, least_role
from controller.web.visitor import Visitor, visitor_of

SendAll = Callable[[asyncio.Queue[Snapshot]], Coroutine[None, None, None]]


async def tell_watcher(
    socket: WebSocket, referee: Referee, path: str, send_all: SendAll, *, is_present: bool = True
) -> None:
    """Have `send_all` send what comes of each snapshot until whoever listens has gone, or says something himself.

    He may show what he has seen here last, as `?seen=`: after a cut of the power that is a witness of what was kept.

    path: whose least role he needs. is_present: with a token he is at the table meanwhile. Raises `NotYours` for who
    may not listen, `UnknownSeat` for a token of nobody; as soon as what he has shown is good no more, he is sent away.
    """
    # Who had a seat is not known any more, if the card has lost that too: its seal is what he is believed for.
    await _hear_witness(socket, referee)
    admit(socket, least_role(WEBSOCKET, path))
    visitor = visitor_of(socket)
    with referee.seating.present(visitor.token) if is_present and visitor.token is not None else nullcontext():
        await socket.accept()
        async with referee.watch() as queue, run_in_background(_while_known(send_all(queue))):
            has_gone = await _is_gone_first(socket, visitor)
        if not has_gone:
            await socket.close(WS_1008_POLICY_VIOLATION)


async def _hear_witness(socket: WebSocket, referee: Referee) -> None:
    """Tell the referee what this device has seen; what this box has not sealed is no matter."""
    seen = access_of(socket).unseal(socket.query_params.get("seen", ""))
    if seen is not None:
        # A journal that cannot be asked keeps nobody from watching.
        with suppress(JournalError):
            await referee.hear_witness(Mark.parse(seen))


async def _while_known(sending: Coroutine[None, None, None]) -> None:
    """Send until the token that was shown has ended: what is drawn for nobody is not sent."""
    with suppress(UnknownSeat):
        await sending


async def _is_gone_first(socket: WebSocket, visitor: Visitor) -> bool:
    """Wait until he has gone (True), or has to be sent away: he has said something, or shows a token that has ended."""
    # Watchers say nothing here; but only who listens hears that one has gone.
    hearing, ending = asyncio.ensure_future(socket.receive()), asyncio.ensure_future(_wait_for_end(socket, visitor))
    try:
        await asyncio.wait([hearing, ending], return_when=asyncio.FIRST_COMPLETED)
        if not hearing.done():
            ending.result()
            return False
        return bool(hearing.result()["type"] == "websocket.disconnect")
    finally:
        hearing.cancel()
        ending.cancel()


async def _wait_for_end(socket: WebSocket, visitor: Visitor) -> None:
    """Wait until what was shown when this began is good no more."""
    while not _has_ended(socket, visitor):
        await access_of(socket).endings.wait()


def _has_ended(socket: WebSocket, visitor: Visitor) -> bool:
    """True if he would be refused now, or is an operator no more.

    Not for the cookie of a seat: browsers show it unasked, and without the seat he listens on as who only watches.
    """
    try:
        now = visitor_of(socket)
    except UnknownSeat:
        return True
    return visitor.device is not None and now.device is None
