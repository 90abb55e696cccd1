"""The daemon's door: commands, refusals and the stream of snapshots, without a network."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from controller.client import Client, Refused
from controller.tasks import running
from controller.web.api import make_app
from controller.web.server import listening, serve
from tests.conftest import Run
from tests.controller.tables import bench, until

START = {"do": "start", "players": [{"name": "Ann"}]}


@asynccontextmanager
async def door(folder: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with bench(folder) as table, table.referee() as referee:
        transport = httpx.ASGITransport(app=make_app(referee))
        async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
            yield client


def test_a_game_is_started_thrown_and_chosen_through_the_door(run: Run, tmp_path: Path) -> None:
    async def story() -> None:
        async with bench(tmp_path) as table, table.referee() as referee:
            transport = httpx.ASGITransport(app=make_app(referee))
            async with httpx.AsyncClient(transport=transport, base_url="http://box") as client:
                assert (await client.get("/api/state")).json()["phase"] == "idle"
                started = await client.post("/api/commands", json=START)
                assert (started.status_code, started.json()["phase"]) == (200, "moving")
                await until(referee, "awaiting_throw")
                await client.post("/api/commands", json={"do": "roll"})
                choosing = await until(referee, "choosing")
                move = {"do": "choose", "tiles": list(choosing.moves[0])}
                chosen = await client.post("/api/commands", json=move)
                assert chosen.json()["event"] == choosing.event + 1

    run(story())


@pytest.mark.parametrize(
    ("message", "status", "says"),
    [
        ({"do": "roll"}, 409, "no game is on"),
        ({"do": "dance"}, 422, "dance"),
        ({"do": "start", "players": []}, 422, "players"),
        ({"do": "start", "players": [{"name": "Ann"}], "game": "chess"}, 422, "the games are two-level"),
        ({"do": "start", "players": [{"name": "Ann"}], "options": {"columns": 12}}, 422, "two-level-12"),
        ({"do": "start", "players": [{"name": "Ann"}, {"name": "Ann"}]}, 422, "different names"),
        ({"do": "dice", "dice": ["x"]}, 422, "dice"),
        ({"do": "roll", "count": 1, "colour": "red"}, 422, "colour"),
        ([], 422, "object"),
    ],
)
def test_what_cannot_be_is_refused_with_one_line(
    run: Run, tmp_path: Path, message: object, status: int, says: str
) -> None:
    async def story() -> None:
        async with door(tmp_path) as client:
            refusal = await client.post("/api/commands", json=message)
            assert refusal.status_code == status
            assert says in refusal.json()["error"]
            assert "\n" not in refusal.json()["error"]
            assert (await client.get("/api/state")).json()["event"] == 0

    run(story())


def test_two_clients_at_the_socket_see_the_same_events(run: Run, tmp_path: Path) -> None:
    socket = tmp_path / "shutbox.sock"

    async def story() -> None:
        with listening(socket) as sock:
            async with (
                bench(tmp_path) as table,
                table.referee() as referee,
                running(serve(make_app(referee), sock)),
                Client(socket) as ann,
                Client(socket) as bob,
                bob.snapshots() as seen,
            ):
                first = await anext(seen)
                assert (first.phase, (await ann.state()).phase) == ("idle", "idle")
                started = await ann.send("start", players=[{"name": "Ann"}])
                assert await anext(seen) == started
                with pytest.raises(Refused, match="play it to its end"):
                    await bob.send("start", players=[{"name": "Bob"}])
                assert socket.stat().st_mode & 0o777 == 0o660
        assert not socket.exists()

    run(story())


def test_a_command_on_its_way_is_carried_out_though_its_sender_has_left(run: Run, tmp_path: Path) -> None:
    socket = tmp_path / "shutbox.sock"

    async def story() -> None:
        with listening(socket) as sock:
            async with bench(tmp_path) as table, table.referee() as referee, running(serve(make_app(referee), sock)):
                async with Client(socket) as ann:
                    starting = asyncio.ensure_future(ann.send("start", players=[{"name": "Ann"}]))
                    await asyncio.sleep(0)
                    starting.cancel()
                assert referee.snapshot.players == ("Ann",)

    run(story())


def test_a_socket_path_that_is_too_long_is_one_line(tmp_path: Path) -> None:
    from controller.errors import SettingsError

    with pytest.raises(SettingsError, match="shorter path"), listening(tmp_path / ("x" * 120)):
        pass
