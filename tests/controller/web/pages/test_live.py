"""The WebSocket of the pages where a part of them cannot be drawn."""

import asyncio
import logging
from typing import TYPE_CHECKING, NoReturn, cast

import pytest

from controller.game.table.caller import Caller
from controller.game.table.snapshot import Snapshot
from controller.web.pages import play
from controller.web.pages.table import parts
from controller.web.pages.table.audience import Audience

if TYPE_CHECKING:
    from fastapi import WebSocket


class Socket:
    """A page that is connected, and what was done to it."""

    def __init__(self) -> None:
        self.closed: list[tuple[int, str]] = []
        self.cookies: dict[str, str] = {}
        self.headers: dict[str, str] = {}

    async def close(self, code: int, reason: str) -> None:
        self.closed.append((code, reason))


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> parts.DrawnParts:
    """Parts that cannot be drawn, as they are asked for by pages in English."""

    def fail(*_: object) -> NoReturn:
        raise LookupError("no such word")

    drawn = parts.DrawnParts()
    monkeypatch.setattr(parts, "table_for", fail)
    monkeypatch.setattr(play, "drawn_of", lambda _socket: drawn)
    monkeypatch.setattr(play, "principal_of", lambda _socket: None)
    monkeypatch.setattr(play, "audience_of", lambda _socket, _visitor, view: Audience(view, "en", Caller()))
    return drawn


async def test_pages_that_cannot_be_drawn_are_closed_with_a_reason_and_logged_once_for_all(
    failing: parts.DrawnParts, caplog: pytest.LogCaptureFixture
) -> None:
    snapshot, sockets = Snapshot(1, "box", "", phase="idle"), [Socket(), Socket(), Socket()]
    with caplog.at_level(logging.ERROR):
        for socket in sockets:
            queue = asyncio.Queue[Snapshot]()
            queue.put_nowait(snapshot)
            await play._send_all(queue, cast("WebSocket", socket), "play")

    assert [socket.closed for socket in sockets] == [[(1011, "this page cannot be drawn")]] * 3
    assert [record.getMessage() for record in caplog.records] == ["page cannot be drawn view=play language=en"]


def test_what_cannot_be_drawn_is_logged_once_a_snapshot_and_audience(
    failing: parts.DrawnParts, caplog: pytest.LogCaptureFixture
) -> None:
    snapshots = [Snapshot(number, "box", "", phase="idle") for number in (1, 2)]
    audiences = [Audience("play", "en", Caller()), Audience("wall", "de", Caller())]
    for snapshot in snapshots:
        for audience in audiences * 2:
            with pytest.raises(parts.CannotDraw):
                failing.of(snapshot, audience)

    said = [
        f"page cannot be drawn view={view} language={language}" for view, language in (("play", "en"), ("wall", "de"))
    ]
    assert [record.getMessage() for record in caplog.records] == said * 2
