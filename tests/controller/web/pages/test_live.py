"""The WebSocket of the pages where a part of them cannot be drawn."""

import asyncio
import logging
from typing import TYPE_CHECKING, cast

import pytest

from controller.game import Snapshot
from controller.web.pages import live

if TYPE_CHECKING:
    from fastapi import WebSocket


class Socket:
    """A page that is connected, and what was done to it."""

    def __init__(self) -> None:
        self.closed: list[tuple[int, str]] = []

    async def close(self, code: int, reason: str) -> None:
        self.closed.append((code, reason))


def fail(_socket: object) -> None:
    raise LookupError("no such word")


async def test_a_page_that_cannot_be_drawn_is_logged_once_and_closed_with_a_reason(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(live, "drawn_of", fail)
    queue, socket = asyncio.Queue[Snapshot](), Socket()
    for number in (1, 2):
        queue.put_nowait(Snapshot(number, "box", "", phase="idle"))

    with caplog.at_level(logging.ERROR):
        await live._send_all(queue, cast("WebSocket", socket), "play")

    assert socket.closed == [(1011, "this page cannot be drawn")]
    assert [record.getMessage() for record in caplog.records] == ["the page play cannot be drawn"]
