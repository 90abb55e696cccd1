"""The WebSocket of snapshots: one after every change, beginning with the present one."""

import asyncio
from contextlib import nullcontext, suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.status import WS_1008_POLICY_VIOLATION

from controller.errors import NotYours, UnknownSeat
from controller.game import SNAPSHOT, Snapshot
from controller.process import run_in_background
from controller.web.gate import admit
from controller.web.newest import newest
from controller.web.provided import TheReferee
from controller.web.refusals import refusal
from controller.web.roles import WEBSOCKET, least_role
from controller.web.visitor import visitor_of

PATH = "/api/snapshots"

router = APIRouter()


class SnapshotTexts:
    """The JSON of the last snapshot: with fifty watchers it would be made fifty times, and the loop stand still."""

    def __init__(self) -> None:
        self._made: tuple[Snapshot, str] | None = None

    def of(self, snapshot: Snapshot) -> str:
        """The snapshot as JSON."""
        if self._made is None or self._made[0] is not snapshot:
            self._made = (snapshot, SNAPSHOT.dump_json(snapshot).decode())
        return self._made[1]


@router.websocket(PATH)
async def snapshots(socket: WebSocket, referee: TheReferee) -> None:
    """Send snapshots as long as somebody listens, who is at the table meanwhile if he shows a token."""
    texts: SnapshotTexts = socket.app.state.texts
    try:
        admit(socket, least_role(WEBSOCKET, PATH))
        token = visitor_of(socket).token
        with nullcontext() if token is None else referee.present(token):
            await socket.accept()
            async with referee.watch() as queue, run_in_background(_send_all(queue, socket, texts)):
                # Clients say nothing here; but only who listens hears that one has gone.
                heard = await socket.receive()
            if heard["type"] != "websocket.disconnect":
                await socket.close(WS_1008_POLICY_VIOLATION)
    except (NotYours, UnknownSeat) as error:
        status = 403 if isinstance(error, NotYours) else 401
        await socket.send_denial_response(refusal(status, error.code, str(error)))


async def _send_all(queue: asyncio.Queue[Snapshot], socket: WebSocket, texts: SnapshotTexts) -> None:
    with suppress(WebSocketDisconnect):
        while True:
            await socket.send_text(texts.of(await newest(queue)))
