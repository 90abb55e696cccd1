"""The pages that show the table, on a phone, on the wall and in the kiosk, and the WebSocket that updates them."""

import asyncio
from contextlib import suppress

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse
from starlette.status import WS_1011_INTERNAL_ERROR

from controller.game.table.snapshot import Snapshot
from controller.web.dependencies import TheReferee
from controller.web.pages.page import PageRoute, draw_view, drawn_of, ensure_compiled
from controller.web.pages.table.audience import View, audience_of
from controller.web.pages.table.parts import NOTHING, CannotDraw
from controller.web.security.principal import ThePrincipal, principal_of
from controller.web.watching import next_snapshot, serve_watcher

router = APIRouter(route_class=PageRoute, include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/play")
async def play(request: Request, principal: ThePrincipal) -> HTMLResponse:
    """The table for players and spectators."""
    return draw_view(request, principal, "play")


@router.get("/kiosk")
async def kiosk(request: Request, principal: ThePrincipal) -> HTMLResponse:
    """The table for the tablet next to the box, which has no keyboard; between games, how to begin and to join."""
    return draw_view(request, principal, "kiosk")


PATH = "/live/{view}"


@router.websocket(PATH)
async def live(socket: WebSocket, view: View, referee: TheReferee) -> None:
    """Send the parts of a view as long as the client listens; with a token it counts as being at the table."""
    # A screen on the wall cannot take a turn.
    is_present = view != "wall"
    await serve_watcher(socket, referee, PATH, lambda queue: _send_all(queue, socket, view), is_present=is_present)


async def _send_all(queue: asyncio.Queue[Snapshot], socket: WebSocket, view: View) -> None:
    sent = NOTHING
    # After a restart the WebSocket may come before any page.
    await ensure_compiled()
    with suppress(WebSocketDisconnect):
        while True:
            snapshot = await next_snapshot(queue)
            # Determined for each snapshot: seats are taken and given back while the client listens.
            try:
                shown = drawn_of(socket).shown(snapshot, audience_of(socket, principal_of(socket), view))
            except CannotDraw:
                # With this reason the page does not ask for the same again.
                await socket.close(WS_1011_INTERNAL_ERROR, "this page cannot be drawn")
                return
            told = shown.since(sent)
            if told is not None:
                await socket.send_text(told)
            sent = shown
