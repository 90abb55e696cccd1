"""The client of the daemon's API, whose daemon may end at any moment."""

import asyncio
from asyncio import StreamReader, StreamWriter
from pathlib import Path

import pytest

from controller.web.client import Client, DaemonGone


async def hang_up(_: StreamReader, writer: StreamWriter) -> None:
    """Take the call, and be gone."""
    writer.close()


async def test_a_daemon_that_ends_before_it_has_answered_is_gone(tmp_path: Path) -> None:
    socket = tmp_path / "box.sock"
    async with await asyncio.start_unix_server(hang_up, socket), Client(socket) as client:
        with pytest.raises(DaemonGone, match="no daemon listens at"):
            async with client.snapshots():
                pass
