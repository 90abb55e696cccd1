"""A WebSocket that reports the table to one client, which skips snapshots if it is slow."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import nullcontext, suppress

from fastapi import WebSocket
from starlette.status import WS_1008_POLICY_VIOLATION

from controller.errors import JournalError, UnknownSeat
from controller.game.table.snapshot import Snapshot
from controller.journal.high_water_mark import HighWaterMark
from controller.referee.referee import Referee
from controller.runtime.threads import run_in_background
from controller.web.dependencies import access_of
from controller.web.roles import WEBSOCKET, least_role
from controller.web.security.principal import Principal, admit, principal_of

MOST_BEHIND = 4  # snapshots that a watcher gets one by one


async def next_snapshot(queue: asyncio.Queue[Snapshot]) -> Snapshot:
    """Return the next snapshot, or the newest one if more than `MOST_BEHIND` are waiting."""
    snapshot = await queue.get()
    if queue.qsize() > MOST_BEHIND:
        while not queue.empty():
            snapshot = queue.get_nowait()
    return snapshot


SendAll = Callable[[asyncio.Queue[Snapshot]], Coroutine[None, None, None]]


async def serve_watcher(
    socket: WebSocket, referee: Referee, path: str, send_all: SendAll, *, is_present: bool = True
) -> None:
    """Let `send_all` send what it makes of each snapshot until the client leaves or sends something itself.

    As `?seen=` the client may show the last event it has seen here: after a power cut this proves what was stored.

    path: the client needs its least role. is_present: with a token, the client counts as being at the table meanwhile.
    Raises `NotYours` for a client that may not listen, and `UnknownSeat` for an unknown token. The connection is closed
    as soon as the token shown here loses its validity.
    """
    # Before the client's role is checked: if the card has lost its seat too, the signed event is believed all the same.
    seen = access_of(socket).unseal(socket.query_params.get("seen", ""))
    if seen is not None:
        # An unreadable journal keeps nobody from watching.
        with suppress(JournalError):
            await referee.hear_witness(HighWaterMark.parse(seen))
    admit(socket, least_role(WEBSOCKET, path))
    principal = principal_of(socket)

    async def send_while_known(queue: asyncio.Queue[Snapshot]) -> None:
        # The token may end while a snapshot is being drawn for it.
        with suppress(UnknownSeat):
            await send_all(queue)

    with referee.seating.present(principal.token) if is_present and principal.token is not None else nullcontext():
        await socket.accept()
        async with referee.watch() as queue, run_in_background(send_while_known(queue)):
            has_gone = await _is_gone_first(socket, principal)
        if not has_gone:
            await socket.close(WS_1008_POLICY_VIOLATION)


async def _is_gone_first(socket: WebSocket, principal: Principal) -> bool:
    """Wait until the client has left (True), or must be sent away: it has sent something, or its token has ended."""

    async def wait_for_end() -> None:
        # Until the client would be refused, or is no longer an operator. The cookie of a seat does not matter: browsers
        # send it unasked, and without the seat the client goes on as a mere spectator.
        with suppress(UnknownSeat):
            while principal_of(socket).device is not None or principal.device is None:
                await access_of(socket).endings.wait()

    # Watchers have nothing to say, but only a pending receive notices that one has left.
    hearing, ending = asyncio.ensure_future(socket.receive()), asyncio.ensure_future(wait_for_end())
    try:
        await asyncio.wait([hearing, ending], return_when=asyncio.FIRST_COMPLETED)
        if not hearing.done():
            ending.result()
            return False
        return bool(hearing.result()["type"] == "websocket.disconnect")
    finally:
        hearing.cancel()
        ending.cancel()
