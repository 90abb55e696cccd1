"""The WebSocket of snapshots: one after every change, beginning with the present one."""

import asyncio
from contextlib import suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from controller.game.table.snapshot import SNAPSHOT, Snapshot
from controller.web.gate import AuthorizedRoute
from controller.web.newest import next_snapshot
from controller.web.provided import TheReferee
from controller.web.watching import serve_watcher

PATH = "/api/snapshots"

router = APIRouter(route_class=AuthorizedRoute)


class SnapshotJson:
    """The JSON of the last snapshot, made once: for each of fifty watchers it would hold the event loop up."""

    def __init__(self) -> None:
        self._made: tuple[Snapshot, str] | None = None

    def of(self, snapshot: Snapshot) -> str:
        """Return the snapshot as JSON."""
        if self._made is None or self._made[0] is not snapshot:
            self._made = (snapshot, SNAPSHOT.dump_json(snapshot).decode())
        return self._made[1]


@router.websocket(PATH)
async def snapshots(socket: WebSocket, referee: TheReferee) -> None:
    """Send snapshots as long as the client listens; with a token it counts as being at the table."""
    texts: SnapshotJson = socket.app.state.texts

    async def send_all(queue: asyncio.Queue[Snapshot]) -> None:
        with suppress(WebSocketDisconnect):
            while True:
                await socket.send_text(texts.of(await next_snapshot(queue)))

    await serve_watcher(socket, referee, PATH, send_all)
